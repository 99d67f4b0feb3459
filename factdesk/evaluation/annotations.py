"""``factdesk eval annotate``: texts assembled from true and altered sentences of a corpus.

Each text has three statements, one of each label, in an order of their own: a sentence of the corpus as it
stands, another one with one detail altered, and one that nothing in the corpus speaks of. Only sentences that
are one claim, open with no pronoun and gave a triple are taken, so that span and triplet have one answer.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence

from agent.attribution.judge import Parts, annotate
from agent.attribution.spans import claim_spans
from agent.attribution.types import Annotation, AttributionLabel, ClaimSpan
from evidence.graph.graph import KnowledgeGraph
from evidence.types import Span
from factdesk.kernel import InputError, Record

_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])")
_UNSAID = (
    "{} keeps a collection of antique clocks.", "{} was once painted green by volunteers.",
    "{} has a favourite recipe for plum cake.", "{} appears on a postage stamp.",
    "{} won a chess tournament for amateurs.", "{} was named after a forgotten poet.",
)  # fmt: skip
LABELS: tuple[AttributionLabel, ...] = ("attributable", "contradictory", "extrapolatory")


class GoldSpan(Record):
    """One statement of an assembled text; ``span_id``: the sentence whose triplet is right, if any."""

    start: int
    end: int
    label: AttributionLabel
    span_id: str = ""


class GoldText(Record):
    """An assembled text."""

    text: str
    spans: tuple[GoldSpan, ...]


class LabelFigures(Record):
    """One label on spans that match."""

    precision: float
    recall: float
    f1: float
    gold: int


class AnnotationFigures(Record):
    """Figures over all texts."""

    texts: int
    claims: int
    exact_spans: float
    """Share of spans that are exact substrings at their place: must be 1."""
    matched: float
    """Share of gold spans that a predicted span matches (same words, end marks aside)."""
    strict: float
    """Share of gold claims with span, label and triplet right."""
    label_accuracy: float
    """On matched spans."""
    labels: dict[str, LabelFigures]
    wrong_attributable: int
    """Altered or unsaid statements labelled attributable."""
    wrong_contradictory: int
    seconds: float
    """Mean a text, wall clock."""


def assemble(
    graph: KnowledgeGraph, spans: Sequence[Span], parts: Parts, count: int, seed: int = 7
) -> tuple[GoldText, ...]:
    """``count`` texts; the same graph and seed give the same ones.

    Raises ``InputError`` for too small a corpus.
    """
    rng = random.Random(seed)
    usable = [s for s in spans if s.span_id in graph.edges_by_sentence and _is_one_claim(s.text, parts)]
    altered = [(s, text) for s in usable if (text := _altered(s.text, rng)) is not None]
    names = sorted({e.name for e in graph.entities if e.kind in {"person", "organisation"} and " " in e.name})
    if len(usable) < 10 or len(altered) < 5 or not names:
        raise InputError(
            "the corpus is too small: give ten sentences with triples, five of them with numbers"
        )
    texts = []
    for _ in range(count):
        true = rng.choice(usable)
        false, words = rng.choice([pair for pair in altered if pair[0].doc_id != true.doc_id] or altered)
        rows: list[tuple[str, AttributionLabel, str]] = [
            (true.text, "attributable", true.span_id), (words, "contradictory", false.span_id),
            (rng.choice(_UNSAID).format(rng.choice(names)), "extrapolatory", ""),
        ]  # fmt: skip
        rng.shuffle(rows)
        texts.append(_joined(rows))
    return tuple(texts)


def _joined(rows: Sequence[tuple[str, AttributionLabel, str]]) -> GoldText:
    # Paragraphs of their own: no statement is read in the light of another.
    text, spans = "", []
    for words, label, span_id in rows:
        text += "\n\n" if text else ""
        spans.append(GoldSpan(start=len(text), end=len(text) + len(words), label=label, span_id=span_id))
        text += words
    return GoldText(text=text, spans=tuple(spans))


def _is_one_claim(text: str, parts: Parts) -> bool:
    if len(text) > 240 or not text[:1].isupper() or not text.endswith("."):
        return False
    found = claim_spans(text, parts.nlp)
    one = len(found) == 1 and not found[0].open_pronoun and not found[0].claim.unsupported_by_design
    return one and not re.match(
        r"(?:he|she|it|they|this|that|these|those|his|her|its|their|there)\b", text, re.IGNORECASE
    )


def _altered(text: str, rng: random.Random) -> str | None:
    """The sentence with one of its numbers (no year) made another one, or ``None`` where it has none."""
    numbers = [m for m in _NUMBER.finditer(text) if not re.fullmatch(r"(?:19|20)\d\d", m[0])]
    if not numbers:
        return None
    match = rng.choice(numbers)
    plain = match[0].replace(",", "")
    value = float(plain) * rng.choice([0.5, 0.7, 1.4, 1.9])
    decimals = len(plain.partition(".")[2])
    made = f"{value:,.{decimals}f}" if "," in match[0] or value >= 10_000 else f"{value:.{decimals}f}"
    if made == match[0]:
        return None
    return text[: match.start()] + made + text[match.end() :]


def evaluate_annotations(
    texts: Sequence[GoldText], parts: Parts, done: Callable[[int], None] = lambda _: None
) -> AnnotationFigures:
    """Annotate and compare."""
    pairs: list[tuple[GoldSpan, ClaimSpan | None]] = []
    exact = total = right = 0
    start = time.monotonic()
    for number, gold in enumerate(texts, 1):
        found = annotate(gold.text, parts)
        total += len(found.spans)
        exact += sum(gold.text[s.start : s.end] == s.text and bool(s.text.strip()) for s in found.spans)
        here = [(g, _match(g, gold.text, found)) for g in gold.spans]
        right += sum(p is not None and _is_right(g, p, gold.text) for g, p in here)
        pairs += here
        done(number)
    seconds = (time.monotonic() - start) / max(1, len(texts))
    matched = [(g, p) for g, p in pairs if p is not None]
    return AnnotationFigures(
        texts=len(texts),
        claims=len(pairs),
        exact_spans=_share(exact, total),
        matched=_share(len(matched), len(pairs)),
        strict=_share(right, len(pairs)),
        label_accuracy=_share(sum(g.label == p.label for g, p in matched), len(matched)),
        labels={label: _figures(label, matched) for label in LABELS},
        wrong_attributable=sum(p.label == "attributable" != g.label for g, p in matched),
        wrong_contradictory=sum(p.label == "contradictory" != g.label for g, p in matched),
        seconds=round(seconds, 3),
    )


def _match(gold: GoldSpan, text: str, found: Annotation) -> ClaimSpan | None:
    wanted = text[gold.start : gold.end].strip(" .")
    return next(
        (s for s in found.spans if gold.start <= s.start < gold.end and s.text.strip(" .") == wanted), None
    )


def _is_right(gold: GoldSpan, found: ClaimSpan, text: str) -> bool:
    """Label right, and for decided ones a triplet of the right sentence (copies of it count)."""
    if gold.label != found.label:
        return False
    if gold.label == "extrapolatory":
        return not any(t.deciding for t in found.triplets)
    words = text[gold.start : gold.end] if gold.label == "attributable" else ""
    return any(t.span_id == gold.span_id or (words and t.sentence == words) for t in found.triplets)


def _figures(label: AttributionLabel, pairs: Sequence[tuple[GoldSpan, ClaimSpan]]) -> LabelFigures:
    hits = sum(g.label == p.label == label for g, p in pairs)
    precision = _share(hits, sum(p.label == label for _, p in pairs))
    recall = _share(hits, sum(g.label == label for g, _ in pairs))
    f1 = round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0
    return LabelFigures(
        precision=precision, recall=recall, f1=f1, gold=sum(g.label == label for g, _ in pairs)
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
