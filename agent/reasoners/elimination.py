"""Elimination (RAGAR, Tree of RAG): which pair of a round is kept, by rule.

The highest weighted sum of relevance, detail, additional information and answer confidence; ties go to
the branch planned first, then by text.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.ports import Elimination
from agent.types import AtomicClaim, QAPair
from factdesk.kernel import Record
from language.names import content_stems, find_names, name_in, plain
from language.quantities.mentions import find_slots
from language.wordlists import read_table

WEIGHTS = {"confidence": 0.4, "relevance": 0.3, "news": 0.2, "detail": 0.1}
_WORDS: dict[str, str] = read_table("agent.reasoners", "words.toml")["behind"]
_FULL_DETAIL = 6
"""Number of names, numbers and dates that gives full detail."""
_FULL_NEWS = 4


class Merits(Record):
    """The four figures of a pair, each 0 to 1."""

    confidence: float
    relevance: float
    news: float
    detail: float

    @property
    def total(self) -> float:
        """Weighted sum, 0 to 1, rounded to 6 decimals."""
        return round(sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS.items()), 6)


def weight(pair: QAPair) -> float:
    """Score of a pair times the trust of its document, 0 to 1."""
    trust = 1.0 if pair.trust is None else min(1.0, max(0.0, pair.trust))
    return round(pair.score * (0.5 + 0.5 * trust), 6)


def merits(claim: AtomicClaim, kept: Sequence[QAPair], pair: QAPair) -> Merits:
    """The figures of one pair; contents of ``kept`` (earlier rounds) are not additional."""
    text = pair.answer.text
    wanted = content_stems(claim.text) | {s.value for s in find_slots(claim.text)}
    held = content_stems(text) | {s.value for s in find_slots(text)}
    details = len(find_names(text)) + len(find_slots(text))
    return Merits(
        confidence=weight(pair) if pair.label != "not_enough_info" else 0.0,
        relevance=round(len(wanted & held) / len(wanted), 6) if wanted else 0.0,
        news=round(min(1.0, _news(claim, kept, text) / _FULL_NEWS), 6),
        detail=round(min(1.0, details / _FULL_DETAIL), 6),
    )


def _news(claim: AtomicClaim, kept: Sequence[QAPair], text: str) -> int:
    """Names and values of an answer that neither the claim nor an earlier kept answer has."""
    before = " ".join([claim.text, *(p.answer.text for p in kept)])
    values = {s.value for s in find_slots(before)}
    names = {plain(n.text) for n in find_names(text) if not name_in(n, before)}
    return len(names) + len({s.value for s in find_slots(text)} - values)


def eliminate(claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
    """Keep the best pair that has an answer, with a reason for each other one."""
    figures = [merits(claim, kept, pair) for pair in round_]
    rivals = [number for number, pair in enumerate(round_) if pair.answer.found]
    if not rivals:
        return Elimination(kept=None, reasons=tuple("no answer was found" for _ in round_))
    best = min(rivals, key=lambda number: _rank(round_[number], figures[number]))
    reasons = []
    for number, pair in enumerate(round_):
        if number == best:
            reasons.append(f"kept: best of {len(round_)} ({figures[best].total:.2f})")
        elif not pair.answer.found:
            reasons.append("no answer was found")
        else:
            reasons.append(_behind(figures[number], figures[best]))
    return Elimination(kept=best, reasons=tuple(reasons))


def _rank(pair: QAPair, figures: Merits) -> tuple[float, int, str, str]:
    return -figures.total, pair.question.branch, pair.question.text, pair.answer.text


def _behind(mine: Merits, best: Merits) -> str:
    """The criterion in which it fell behind the kept pair most, with the figures."""
    lost = {n: round(w * (getattr(best, n) - getattr(mine, n)), 6) for n, w in WEIGHTS.items()}
    worst = max(WEIGHTS, key=lambda name: lost[name])
    total = f"{mine.total:.2f} against {best.total:.2f}"
    if lost[worst] <= 0:
        return f"discarded: as good as the kept pair ({total})"
    return f"discarded: {_WORDS[worst]} ({getattr(mine, worst):.2f} against {getattr(best, worst):.2f}); in all {total}"
