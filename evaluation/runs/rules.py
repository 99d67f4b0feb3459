"""``factdesk eval rules``: how often each rule of the guard finds something, and what it alone changes.

Every claim is held against its own texts (``evaluation.runs.given_evidence``), once with all rules, and once
without each rule that found something there. The model reads each pair of texts once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.data.formats.reading import json_rows
from evaluation.data.formats.registry import load_dataset
from evaluation.data.formats.types import EvalRow
from evaluation.data.outcome import Trace
from evaluation.runs.given_evidence import check_given
from evaluation.runs.runner import OuterVerifier, compiler
from evidence.ingest import read_paths
from factdesk.kernel import Fingerprint, InputError, Record
from factdesk.settings import Settings
from verifier.backends.factory import make_verifier
from verifier.backends.score_cache import ScoreCache
from verifier.guard.check import RULES
from verifier.guard.rule import hearing, leaving_out, left_out
from verifier.types import Assessment, PairText, Verifier


class Judged(Record):
    """A claim of the sets, and its verdict under all rules."""

    id: str
    label: str
    verdict: str


Done = Callable[[Judged, int, int], None]
"""Told after each claim: its verdict, its number, and how many there are."""


class RuleFigures(Record):
    """What one rule does on the sets."""

    id: str
    fired: int = 0
    """Claims in whose texts it found something."""
    right: tuple[str, ...] = ()
    """Claims with a right verdict that would be another without it, as ``SET:ID``."""
    wrong: tuple[str, ...] = ()
    """Claims with a wrong verdict that would be right without it."""
    other: tuple[str, ...] = ()
    """Claims with a wrong verdict that would be wrong otherwise without it."""


class RulesReport(Record):
    """Figures of every rule, in the order of the registry, and what they were made with."""

    files: tuple[str, ...]
    n: int
    right: int
    """Claims with the right verdict under all rules."""
    rules: tuple[RuleFigures, ...]
    fingerprint: Fingerprint


@dataclass
class _Tally:
    fired: int = 0
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)


class RememberingVerifier(OuterVerifier):
    """A verifier that assesses a pair anew only where a rule left out had found something on it."""

    def __init__(self, inner: Verifier) -> None:
        super().__init__(inner)
        self._known: dict[tuple[PairText, float], tuple[Assessment, frozenset[str]]] = {}

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        """One assessment a pair; see ``verifier.types.Verifier``."""
        return tuple(self._one(pair, contested_from) for pair in pairs)

    def _one(self, pair: PairText, contested_from: float) -> Assessment:
        key = (pair, contested_from)
        if key not in self._known:
            with leaving_out(frozenset()), hearing() as heard:
                (found,) = self.inner.assess([pair], contested_from=contested_from)
            self._known[key] = found, frozenset(heard)
        found, rules = self._known[key]
        if rules.isdisjoint(left_out()):
            return found
        return self.inner.assess([pair], contested_from=contested_from)[0]

    def heard(self) -> frozenset[str]:
        """Rules that found something on the pairs remembered."""
        return frozenset[str]().union(*(rules for _, rules in self._known.values()))

    def forget(self) -> None:
        """Forget all pairs."""
        self._known.clear()


def measure_rules(
    files: Sequence[Path],
    settings: Settings,
    *,
    corpus: Path | None = None,
    limit: int | None = None,
    done: Done = lambda _judged, _number, _total: None,
) -> RulesReport:
    """Measure every rule on labelled pairs, or on labelled claims with the documents of ``corpus``.

    ``corpus``: a folder; ``None``: the folder ``corpus`` beside a file of claims. ``limit``: of each file the
    first so many. Raises ``InputError`` for a file that is neither, and ``BackendUnavailable`` for a broken
    model.
    """
    sets = [(path, row) for path in files for row in read_rows(path, corpus, limit)]
    tallies = {rule.id: _Tally() for rule in RULES}
    with tempfile.TemporaryDirectory() as folder:
        cache = ScoreCache(Path(folder) / "scores.sqlite")
        inner = make_verifier(settings.verifier, cache=cache)
        check = _checker(RememberingVerifier(inner), settings)
        right = 0
        for number, (path, row) in enumerate(sets, 1):
            judged = _measure(f"{path.parent.name}/{path.name}:{row.id}", row, check, tallies)
            right += judged.verdict == judged.label
            done(judged, number, len(sets))
    figures = tuple(
        RuleFigures(id=id_, fired=t.fired, right=tuple(t.right), wrong=tuple(t.wrong), other=tuple(t.other))
        for id_, t in tallies.items()
    )
    names = tuple(f"{path.parent.name}/{path.name}" for path in files)
    return RulesReport(files=names, n=len(sets), right=right, rules=figures, fingerprint=inner.fingerprint)


def read_rows(path: Path, corpus: Path | None, limit: int | None) -> tuple[EvalRow, ...]:
    """The labelled pairs of a file, or its labelled claims with the documents of their corpus."""
    first = next((row for _, row in json_rows(path)), {})
    if "premise" in first:
        return load_dataset("pairs", path, (), limit).rows
    folder = corpus or path.parent / "corpus"
    if not folder.exists():
        raise InputError(f"{path.name} holds claims; {str(folder)!r}, the folder of their texts, is missing")
    documents = read_paths([folder]).documents
    rows = load_dataset("claims", path, (), limit).rows
    return tuple(row.model_copy(update={"given": documents}) for row in rows)


_Check = Callable[[EvalRow], Trace]


def _checker(verifier: RememberingVerifier, settings: Settings) -> tuple[_Check, RememberingVerifier]:
    compiled = compiler(settings)
    thresholds = settings.thresholds.apply(verifier.thresholds)

    def checked(row: EvalRow) -> Trace:
        return check_given(
            row.id,
            row.claim,
            row.given,
            compile_claims=compiled,
            verifier=verifier,
            thresholds=thresholds,
            caps=settings.caps,
        )

    return checked, verifier


def _measure(name: str, row: EvalRow, check: tuple[_Check, RememberingVerifier], tallies: dict[str, _Tally]) -> Judged:
    """The verdict on a claim; notes what it is without each rule that found something."""
    checked, verifier = check
    verifier.forget()
    verdict = _as_label(checked(row).verdict)
    for rule in sorted(verifier.heard()):
        tallies[rule].fired += 1
        with leaving_out(frozenset({rule})):
            without = _as_label(checked(row).verdict)
        if without == verdict:
            continue
        if verdict == row.label:
            tallies[rule].right.append(name)
        elif without == row.label:
            tallies[rule].wrong.append(name)
        else:
            tallies[rule].other.append(name)
    return Judged(id=row.id, label=row.label, verdict=verdict)


def _as_label(verdict: str) -> str:
    return "not_enough_evidence" if verdict == "conflicting" else verdict
