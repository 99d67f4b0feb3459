"""``factdesk eval cases``: small cases with documents of their own, each through the whole check."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

from pydantic import Field, field_validator

from factdesk.checker import FactChecker, Report
from factdesk.corpora.stored import Corpora
from factdesk.kernel import InputError, Record
from factdesk.settings import Settings
from report.types import Verdict

Mistake = Literal["wrong", "false_conflict", "missed"]
DECIDED = ("supported", "refuted")


class CaseDocument(Record):
    """A document of a case, written to a file of this name."""

    name: str
    text: str

    @field_validator("name")
    @classmethod
    def _is_bare(cls, value: str) -> str:
        if value != PurePath(value).name or value in {"", "..", "."}:
            raise ValueError(f"{value!r} is no bare file name")
        return value


class Case(Record):
    """A claim, the documents it is held against, and the verdicts that are right."""

    id: str
    kind: str
    documents: tuple[CaseDocument, ...]
    claim: str
    accepted: Annotated[tuple[Verdict, ...], Field(min_length=1)]


class CaseOutcome(Record):
    """What the check made of one case."""

    id: str
    kind: str
    accepted: tuple[Verdict, ...]
    verdict: Verdict
    mistake: Mistake | None
    reason: str
    """The policy's reasons, one a claim."""
    error: str | None = None
    """Why the input was refused; its verdict is then ``not_enough_evidence``."""


class KindFigures(Record):
    """Figures over all cases of one kind."""

    n: int
    wrong: int
    """Decided (supported, refuted), and not accepted."""
    false_conflict: int
    """Conflicting, and not accepted."""
    missed: int
    """Left open where only a decision is accepted."""


class CasesReport(KindFigures):
    """Figures over all cases."""

    refused: int
    by_kind: dict[str, KindFigures]
    outcomes: tuple[CaseOutcome, ...]


def read_cases(path: Path, kinds: Sequence[str] = (), ids: Sequence[str] = ()) -> tuple[Case, ...]:
    """Cases of a JSON Lines file, of some kinds or ids only; ``InputError`` names a broken line."""
    found = [c for c in _rows(path) if (not kinds or c.kind in kinds) and (not ids or c.id in ids)]
    if not found:
        raise InputError(f"{path.name} holds no such cases; see the fields 'id' and 'kind' of its lines")
    return tuple(found)


def _rows(path: Path) -> Iterator[Case]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            yield Case(**{k: row[k] for k in Case.model_fields if k in row})
        except (ValueError, TypeError) as error:
            raise InputError(f"{path.name} line {number} is no case ({error})") from error


def mistake_of(verdict: Verdict, accepted: Sequence[Verdict]) -> Mistake | None:
    """The kind of mistake that a verdict is, if it is one."""
    if verdict in accepted:
        return None
    if verdict in DECIDED:
        return "wrong"
    return "false_conflict" if verdict == "conflicting" else "missed"


class CaseChecker:
    """A warm checker that reads each case's documents afresh into ``home``: no index outlives the run."""

    def __init__(self, settings: Settings, home: Path) -> None:
        self._home = home
        self._checker = FactChecker(settings)
        self._checker.corpora = Corpora(settings.model_copy(update={"home": home}))

    def check(self, case: Case) -> CaseOutcome:
        """The whole check of one case; nothing is recorded."""
        verdict: Verdict = "not_enough_evidence"
        reason, error = "", None
        try:
            report = self._report(case)
            verdict = report.verdict
            reason = " | ".join(f"{d.rule}: {d.reason}" for d in report.certificate.body.decisions)
        except InputError as refused:
            error = str(refused)
        return CaseOutcome(
            id=case.id,
            kind=case.kind,
            accepted=case.accepted,
            verdict=verdict,
            mistake=mistake_of(verdict, case.accepted),
            reason=reason,
            error=error,
        )

    def _report(self, case: Case) -> Report:
        with TemporaryDirectory(prefix="documents-", dir=self._home) as folder:
            for document in case.documents:
                (Path(folder) / document.name).write_text(document.text, encoding="utf-8", newline="")
            return self._checker.check(case.claim, corpus=[folder], record=False)


_mine: list[CaseChecker] = []
"""In a worker process: its checker."""


def _begin(settings: Settings, home: Path) -> None:
    own = home / str(os.getpid())
    own.mkdir()
    _mine[:] = [CaseChecker(settings, own)]


def _check(case: Case) -> CaseOutcome:
    return _mine[0].check(case)


def evaluate_cases(
    settings: Settings,
    cases: Sequence[Case],
    *,
    jobs: int = 1,
    done: Callable[[CaseOutcome], None] = lambda _outcome: None,
) -> CasesReport:
    """Check every case, in ``jobs`` processes, and compare the verdicts with the accepted ones."""
    outcomes = []
    with TemporaryDirectory(prefix="factdesk-cases-") as folder:
        for outcome in _outcomes(settings, cases, jobs, Path(folder)):
            outcomes.append(outcome)
            done(outcome)
    return summarise(outcomes)


def _outcomes(settings: Settings, cases: Sequence[Case], jobs: int, home: Path) -> Iterator[CaseOutcome]:
    if jobs == 1:
        yield from map(CaseChecker(settings, home).check, cases)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (settings, home)) as pool:
        yield from pool.map(_check, cases)


def summarise(outcomes: Sequence[CaseOutcome]) -> CasesReport:
    """Figures of a list of outcomes, in the order of their ids."""
    kinds = sorted({o.kind for o in outcomes})
    return CasesReport(
        **_figures(outcomes).model_dump(),
        refused=sum(o.error is not None for o in outcomes),
        by_kind={kind: _figures([o for o in outcomes if o.kind == kind]) for kind in kinds},
        outcomes=tuple(sorted(outcomes, key=lambda o: o.id)),
    )


def _figures(outcomes: Sequence[CaseOutcome]) -> KindFigures:
    count = Counter(o.mistake for o in outcomes)
    return KindFigures(
        n=len(outcomes),
        wrong=count["wrong"],
        false_conflict=count["false_conflict"],
        missed=count["missed"],
    )
