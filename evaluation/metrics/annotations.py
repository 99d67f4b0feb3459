"""``factdesk eval annotate``: texts assembled from true and altered sentences of a corpus.

Each text has three statements, one of each label, in an order of their own: a sentence of the corpus as it
stands, another with one detail altered (number, date, name, negation in turn), and one that nothing in the
corpus speaks of (of its own names, or foreign altogether). Only sentences that are one claim, open with no
pronoun and gave a triple are taken, so that span and triplet have one answer.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agent.assessment.attribution_scores import AttributionLabel
from agent.attribution.spans import claim_spans
from agent.attribution.types import Annotation, ClaimSpan
from evaluation.data.alterations import ALTERATIONS, FOREIGN, UNSAID, Alteration, alterations, names_by_label
from evaluation.data.formats.reading import json_rows
from evaluation.metrics.rouge import rouge_1, rouge_l
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.types import Span
from factdesk.annotation.labelling import Parts, annotate
from factdesk.kernel import InputError, Record
from language.nlp.pipeline import load_nlp

LABELS: tuple[AttributionLabel, ...] = ("attributable", "contradictory", "extrapolatory")


class GoldSpan(Record):
    """One statement of an assembled text; ``span_id``: the sentence whose triplet is right, if any."""

    start: int
    end: int
    label: AttributionLabel
    span_id: str = ""
    source: str = ""
    """That sentence as it stands: a copy of it in another document does as well."""
    kind: str = ""
    """What was done: ``true``, an alteration, ``unsaid`` or ``foreign``; ``gold`` where a person labelled it."""
    rationale: str = ""
    """Why, in a person's words."""


class Mistake(Record):
    """A statement that was not wholly right."""

    kind: str
    gold: AttributionLabel
    found: AttributionLabel | None
    """``None``: no span matches."""
    text: str
    triplets: tuple[str, ...] = ()
    """Sentences behind the triplets shown."""
    rationale: str = ""


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
    kinds: dict[str, tuple[float, float, int]]
    """By kind of statement: share strictly right, share with the right label, how many."""
    rouge_1: float | None
    """Of rationales against a person's, mean over matched spans that have one."""
    rouge_l: float | None
    seconds: float
    """Mean a text, wall clock."""
    mistakes: tuple[Mistake, ...] = ()


def assemble(graph: KnowledgeGraph, spans: Sequence[Span], count: int, seed: int = 7) -> tuple[GoldText, ...]:
    """``count`` texts; the same graph and seed give the same ones.

    Raises ``InputError`` for too small a corpus.
    """
    rng = random.Random(seed)
    usable = [s for s in spans if s.span_id in graph.edges_by_sentence and _is_one_claim(s.text)]
    altered = _altered(usable, spans, rng)
    names = sorted({e.name for e in graph.entities if e.kind in {"person", "organisation"} and " " in e.name})
    if len(usable) < 10 or len(altered) < 5 or not names:
        raise InputError("the corpus is too small: give ten sentences with triples, five of them with numbers")
    kinds = [k for k in ALTERATIONS if any(k in found for _, found in altered)]
    texts = []
    for number in range(count):
        true, kind = rng.choice(usable), kinds[number % len(kinds)]
        fitting = [(s, found[kind]) for s, found in altered if kind in found]
        false, words = rng.choice([p for p in fitting if p[0].doc_id != true.doc_id] or fitting)
        foreign = number // len(kinds) % 2 == 1
        unsaid = rng.choice(FOREIGN) if foreign else rng.choice(UNSAID).format(rng.choice(names))
        rows: list[_Row] = [
            (true.text, "attributable", true, "true"),
            (words, "contradictory", false, kind),
            (unsaid, "extrapolatory", None, "foreign" if foreign else "unsaid"),
        ]
        rng.shuffle(rows)
        texts.append(_joined(rows))
    return tuple(texts)


def _altered(
    usable: Sequence[Span], spans: Sequence[Span], rng: random.Random
) -> list[tuple[Span, dict[Alteration, str]]]:
    names = names_by_label([s.text for s in spans], load_nlp())
    found = zip(usable, load_nlp().pipe([s.text for s in usable]), strict=True)
    made = [(span, alterations(doc, names, rng)) for span, doc in found]
    return [(span, kinds) for span, kinds in made if kinds]


_Row = tuple[str, AttributionLabel, Span | None, str]
"""Text, label, the corpus' sentence, kind."""


def _joined(rows: Sequence[_Row]) -> GoldText:
    # Paragraphs of their own: no statement is read in the light of another.
    text, spans = "", []
    for words, label, span, kind in rows:
        text += "\n\n" if text else ""
        spans.append(
            GoldSpan(
                start=len(text),
                end=len(text) + len(words),
                label=label,
                kind=kind,
                span_id=span.span_id if span else "",
                source=span.text if span else "",
            )
        )
        text += words
    return GoldText(text=text, spans=tuple(spans))


def _is_one_claim(text: str) -> bool:
    if len(text) > 240 or not text[:1].isupper() or not text.endswith("."):
        return False
    found = claim_spans(text)
    one = len(found) == 1 and not found[0].open_pronoun and not found[0].claim.unsupported_by_design
    return one and not re.match(
        r"(?:he|she|it|they|this|that|these|those|his|her|its|their|there)\b", text, re.IGNORECASE
    )


def read_gold(path: Path) -> tuple[GoldText, ...]:
    """Texts that people labelled: JSON Lines of ``text`` and ``spans``, each with ``start``, ``end``, ``label``
    and, where there are, ``rationale`` and ``source`` (the sentence that bears it out).

    Raises ``InputError`` for what is none.
    """
    texts = []
    for number, row in json_rows(path):
        try:
            texts.append(GoldText.model_validate({"text": row["text"], "spans": [_gold(s) for s in row["spans"]]}))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path.name} entry {number} is no labelled text ({error})") from error
    return tuple(texts)


def _gold(span: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "gold", **{k: v for k, v in span.items() if k in GoldSpan.model_fields}}


def evaluate_annotations(
    texts: Sequence[GoldText], parts: Parts, done: Callable[[int], None] = lambda _: None
) -> AnnotationFigures:
    """Annotate and compare."""
    pairs: list[tuple[GoldSpan, ClaimSpan | None, bool]] = []
    mistakes: list[Mistake] = []
    exact = total = 0
    start = time.monotonic()
    for number, gold in enumerate(texts, 1):
        found, _ = annotate(gold.text, parts)
        total += len(found.spans)
        exact += sum(gold.text[s.start : s.end] == s.text and bool(s.text.strip()) for s in found.spans)
        for g in gold.spans:
            p = _match(g, gold.text, found)
            right = p is not None and _is_right(g, p)
            pairs.append((g, p, right))
            if not right:
                mistakes.append(_mistake(g, p, gold.text))
        done(number)
    seconds = (time.monotonic() - start) / max(1, len(texts))
    matched = [(g, p) for g, p, _ in pairs if p is not None]
    return AnnotationFigures(
        texts=len(texts),
        claims=len(pairs),
        exact_spans=_share(exact, total),
        matched=_share(len(matched), len(pairs)),
        strict=_share(sum(right for _, _, right in pairs), len(pairs)),
        label_accuracy=_share(sum(g.label == p.label for g, p in matched), len(matched)),
        labels={label: _figures(label, matched) for label in LABELS},
        wrong_attributable=sum(p.label == "attributable" != g.label for g, p in matched),
        wrong_contradictory=sum(p.label == "contradictory" != g.label for g, p in matched),
        rouge_1=_rouge(rouge_1, matched),
        rouge_l=_rouge(rouge_l, matched),
        kinds={kind: _of_kind(kind, pairs) for kind in sorted({g.kind for g, _, _ in pairs})},
        seconds=round(seconds, 3),
        mistakes=tuple(mistakes),
    )


def _rouge(score: Callable[[str, str], float], pairs: Sequence[tuple[GoldSpan, ClaimSpan]]) -> float | None:
    found = [score(p.rationale, g.rationale) for g, p in pairs if g.rationale]
    return round(sum(found) / len(found), 4) if found else None


def _of_kind(kind: str, pairs: Sequence[tuple[GoldSpan, ClaimSpan | None, bool]]) -> tuple[float, float, int]:
    mine = [(g, p, right) for g, p, right in pairs if g.kind == kind]
    labelled = sum(p is not None and p.label == g.label for g, p, _ in mine)
    return _share(sum(right for _, _, right in mine), len(mine)), _share(labelled, len(mine)), len(mine)


def _mistake(gold: GoldSpan, found: ClaimSpan | None, text: str) -> Mistake:
    return Mistake(
        kind=gold.kind,
        gold=gold.label,
        found=found.label if found else None,
        text=text[gold.start : gold.end],
        rationale=found.rationale if found else "",
        triplets=tuple(dict.fromkeys(t.sentence for t in found.triplets)) if found else (),
    )


def _match(gold: GoldSpan, text: str, found: Annotation) -> ClaimSpan | None:
    wanted = text[gold.start : gold.end].strip(" .")
    return next((s for s in found.spans if gold.start <= s.start < gold.end and s.text.strip(" .") == wanted), None)


def _is_right(gold: GoldSpan, found: ClaimSpan) -> bool:
    """Label right, and for decided ones a triplet of the right sentence (copies of it count)."""
    if gold.label != found.label:
        return False
    if gold.label == "extrapolatory":
        return not any(t.deciding for t in found.triplets)
    if not gold.span_id and not gold.source:
        return any(t.deciding for t in found.triplets)
    return any(gold.span_id == t.span_id or gold.source == t.sentence for t in found.triplets)


def _figures(label: AttributionLabel, pairs: Sequence[tuple[GoldSpan, ClaimSpan]]) -> LabelFigures:
    hits = sum(g.label == p.label == label for g, p in pairs)
    precision = _share(hits, sum(p.label == label for _, p in pairs))
    recall = _share(hits, sum(g.label == label for g, _ in pairs))
    f1 = round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0
    return LabelFigures(precision=precision, recall=recall, f1=f1, gold=sum(g.label == label for g, _ in pairs))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
