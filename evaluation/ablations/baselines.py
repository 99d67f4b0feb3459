"""``factdesk eval baselines``: the same claims and corpus through simpler pipelines, in one table.

No language model is asked: in the place of a generator stands the NLI model's raw score. A pipeline that
always answers says what the likeliest of its sentences says, for the claim or against it. That is kinder than
a generator, which also invents; differences to strict mode come from what is shown and with which badge.

- ``standard RAG``: one search with the claim; answers by its five best sentences and cites them all
- ``multi-query RAG``: the same over the questions that the check asked, one search each
- ``constrained citations``: the same, but it cites only sentences that each bear the answer, or is silent
- ``post-hoc checker``: multi-query RAG whose answer the verifier then marks; everything is shown
- ``mixed``: factdesk, showing what is not Verified too, marked
- ``strict``: factdesk, showing only what is certified
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim
from evaluation.data.formats.types import EvalRow
from evaluation.data.outcome import EvalItem, Trace, covers, is_gold
from evaluation.metrics.measures import Interval, interval, rounded, share
from evaluation.runs.runfile import RunKey, read_traces, write_json
from evaluation.runs.runner import Done, MeasuredChecker, Plan, corpora_of, run
from evidence.types import Query, Span
from factdesk.kernel import ConfigError, Record
from verifier import pair_decision
from verifier.pair_decision import LEANS
from verifier.types import Assessment, Thresholds, Verifier

BASELINES_SCHEMA = "factdesk.eval-baselines/1"
TOP = 5
"""Sentences that a pipeline answers from."""
Stance = Literal["supported", "refuted"]
SYSTEMS = (
    "standard RAG",
    "multi-query RAG",
    "constrained citations",
    "post-hoc checker",
    "mixed",
    "strict",
)


class Shown(Record):
    """What a reader would be shown of one claim. ``stance`` ``None``: nothing."""

    id: str
    stance: Stance | None
    badge: bool
    """It is marked as verified (or as refuted)."""
    cited: int = 0
    cited_right: int = 0
    whole: bool = False
    """A whole set of gold sentences is cited."""
    has_gold: bool = False
    pairs: int = 0
    calls: int = 0


class SystemRow(Record):
    """One pipeline. Shares are 0 to 1; ``None`` where they are of nothing."""

    system: str
    n: int
    shown: float
    """Share of claims for which an answer is shown."""
    precision: Interval
    """Of the answers shown, the share that is labelled so."""
    verified_precision: Interval
    """Of the answers that say supported with a badge, the share labelled supported."""
    verified_coverage: float
    """Share of all claims that get that badge."""
    uer: Interval
    """Unsupported exposure: of the answers shown, the share not labelled so."""
    cer: Interval
    """Contradicted exposure: of the answers shown, the share whose label is the opposite."""
    citation_precision: float | None
    """Of the sentences cited, the share that is gold, over claims with gold evidence."""
    citation_recall: float | None
    """Of the answers to claims with gold evidence, the share that cites a whole set of it."""
    pairs: float
    """Verifier pairs a claim."""
    retrieval_calls: float


class Baselines(Record):
    """The table, in the order of ``SYSTEMS``."""

    schema_version: str = BASELINES_SCHEMA
    key: RunKey
    fingerprint: dict[str, str]
    rows: tuple[SystemRow, ...]


def baselines(plan: Plan, folder: Path, done: Done = lambda _item, _n, _of: None) -> Baselines:
    """Measure every pipeline on the same claims and corpus. Raises ``ConfigError`` without a corpus."""
    if plan.evidence != "corpus":
        raise ConfigError("baselines search a corpus; name one with --corpus, or use --evidence corpus")
    checker = plan.make_checker(plan.settings)
    base = run(plan, folder / "base.json", done)
    traces, items = read_traces(folder / "base.json"), {i.id: i for i in base.items}
    search = searcher(checker, corpora_of(plan))
    shown: dict[str, list[Shown]] = {system: [] for system in SYSTEMS}
    for row in plan.dataset.rows:
        for system, found in _all(row, traces[row.id], items[row.id], checker.verifier, search).items():
            shown[system].append(found)
    table = Baselines(
        key=base.key,
        fingerprint=base.fingerprint,
        rows=tuple(row_of(system, plan.dataset.rows, found) for system, found in shown.items()),
    )
    write_json(folder / "baselines.json", table.model_dump(mode="json"))
    (folder / "baselines.md").write_text(markdown(table), encoding="utf-8")
    return table


def searcher(checker: MeasuredChecker, names: Sequence[str]) -> Callable[[str], list[Span]]:
    """One search with a text: the five best sentences."""
    opened = checker.corpora.open(names, checker.settings.retriever)
    return lambda text: [hit.span for hit in opened.retrieve(Query(text=text, limit=TOP))]


def _all(
    row: EvalRow, trace: Trace, item: EvalItem, verifier: Verifier, search: Callable[[str], list[Span]]
) -> dict[str, Shown]:
    alone = Read.of(row, search(row.claim), verifier, 1)
    many = Read.of(row, asked_for(trace), verifier, max(1, len(trace.questions)))
    stance = many.stance()
    bearing = many.bearing(stance) if stance else []
    badge = stance is not None and many.passes_check(stance, trace.thresholds)
    cited = [s.span for c in trace.claims for s in c.spans if s.span.span_id in item.cited]
    verdict: Stance | None = item.verdict if item.verdict in ("supported", "refuted") else None
    cost = {"pairs": item.cost.pairs, "calls": item.cost.retrieval_calls}
    return {
        "standard RAG": _shown(row, alone.stance(), False, alone.spans, alone.cost),
        "multi-query RAG": _shown(row, stance, False, many.spans, many.cost),
        "constrained citations": _shown(row, stance if bearing else None, False, bearing, many.cost),
        "post-hoc checker": _shown(row, stance, badge, many.spans, many.cost),
        "mixed": _shown(row, verdict or "supported", verdict is not None, cited, cost),
        "strict": _shown(row, verdict, verdict is not None, cited, cost),
    }


class Read:
    """A claim as it stands, read against some sentences."""

    def __init__(self, spans: list[Span], found: Sequence[Assessment], calls: int) -> None:
        self.spans = spans
        self._found = list(found)
        self.cost = {"pairs": sum(a.passes for a in found), "calls": calls}

    @classmethod
    def of(cls, row: EvalRow, spans: list[Span], verifier: Verifier, calls: int) -> Read:
        """Ask the verifier about each sentence."""
        claim = AtomicClaim(claim_id="c1", text=row.claim, start=0, end=len(row.claim), source=row.claim)
        return cls(spans, verifier.assess([pair_of(claim, s) for s in spans]) if spans else (), calls)

    def stance(self) -> Stance | None:
        """What the likeliest sentence says, by raw scores; ``None`` where nothing was found."""
        if not self._found:
            return None
        for_it = max(a.raw.entailment for a in self._found)
        against = max(a.raw.contradiction for a in self._found)
        return "supported" if for_it >= against else "refuted"

    def bearing(self, stance: Stance) -> list[Span]:
        """The sentences that bear the answer by themselves."""
        raw = [a.raw.entailment if stance == "supported" else a.raw.contradiction for a in self._found]
        return [s for s, score in zip(self.spans, raw, strict=True) if score >= LEANS]

    def passes_check(self, stance: Stance, thresholds: Thresholds) -> bool:
        """Whether a checker after the fact finds a sentence for it, by calibrated scores and guard."""
        test = pair_decision.supports if stance == "supported" else pair_decision.refutes
        return any(test(a, thresholds) for a in self._found)


def asked_for(trace: Trace) -> list[Span]:
    """The five best sentences over all questions of a check: by rank, then by question."""
    order = {q.question_id: n for n, q in enumerate(trace.questions)}
    spans = [s for c in trace.claims for s in c.spans if s.span.kind == "text"]
    ranked = sorted(spans, key=lambda s: (s.rank or 0, order.get(s.question_id, 0), s.span.span_id))
    return list({s.span.span_id: s.span for s in ranked}.values())[:TOP]


def _shown(row: EvalRow, stance: Stance | None, badge: bool, cited: Sequence[Span], cost: dict[str, int]) -> Shown:
    cited = list(cited) if stance else []
    gold = [g for group in row.gold for g in group]
    return Shown(
        id=row.id,
        stance=stance,
        badge=badge and stance is not None,
        cited=len(cited),
        has_gold=bool(gold),
        cited_right=sum(any(is_gold(s, g) for g in gold) for s in cited),
        whole=any(covers(cited, group) for group in row.gold),
        pairs=cost["pairs"],
        calls=cost["calls"],
    )


def row_of(system: str, rows: Sequence[EvalRow], found: Sequence[Shown]) -> SystemRow:
    """Figures of one pipeline; ``found`` in the order of ``rows``."""
    n = len(rows)
    labels = np.array([r.label for r in rows])
    said = np.array([s.stance or "" for s in found])
    there = said != ""
    right = there & (said == labels)
    opposite = ((said == "supported") & (labels == "refuted")) | ((said == "refuted") & (labels == "supported"))
    badge = np.array([s.badge for s in found]) & (said == "supported")
    known = [s for s in found if s.has_gold and s.stance]
    cited = sum(s.cited for s in known)
    return SystemRow(
        system=system,
        n=n,
        shown=round(float(there.mean()), 4),
        precision=interval(lambda c: share(right[c], there[c]), n),
        verified_precision=interval(lambda c: share(labels[c] == "supported", badge[c]), n),
        verified_coverage=round(float(badge.mean()), 4),
        uer=interval(lambda c: share(~right[c], there[c]), n),
        cer=interval(lambda c: share(opposite[c], there[c]), n),
        citation_precision=rounded(sum(s.cited_right for s in known) / cited) if cited else None,
        citation_recall=rounded(sum(s.whole for s in known) / len(known)) if known else None,
        pairs=round(sum(s.pairs for s in found) / n, 2),
        retrieval_calls=round(sum(s.calls for s in found) / n, 2),
    )


def markdown(table: Baselines) -> str:
    """The table as Markdown; intervals in brackets."""
    names = [name for name in SystemRow.model_fields if name != "system"]
    lines = [f"| system | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for row in table.rows:
        lines.append(f"| {row.system} | {' | '.join(_cell(getattr(row, name)) for name in names)} |")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, Interval):
        if value.value is None:
            return "-"
        return f"{value.value:.3f} ({value.low:.2f} to {value.high:.2f})" if value.low is not None else "-"
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
