"""Carrying out a run: every claim of a data set through the check, or held against its own texts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.data.formats.types import Dataset, EvalRow, Evidence
from evaluation.data.outcome import Cost, EvalItem, Trace, gold_ids, item_of, trace_of
from evaluation.metrics.figures import figures_of
from evaluation.runs.extras import extra_figures
from evaluation.runs.given_evidence import check_given
from evaluation.runs.runfile import EvalRun, Part, RunKey, read_run
from evidence.open_corpora import OpenCorpora
from evidence.types import Document, Hit, Query
from factdesk import kernel
from factdesk.checker import FactChecker
from factdesk.corpora.stored import Corpora, MakeRetriever, ProgressCallback
from factdesk.kernel import Failure, Fingerprint, InputError, sha256_text
from factdesk.settings import Settings
from report.certificate.canonical import canonical_record
from report.policy.fingerprints import rule_fingerprints
from verifier.types import Assessment, PairText, Thresholds, Verifier

if TYPE_CHECKING:
    from agent.types import ClaimIR

Done = Callable[[EvalItem, int, int], None]
"""Called after each claim, with how many are done and how many there are."""


@dataclass
class Counts:
    """What the parts of a check were asked to do since the last claim."""

    pairs: int = 0
    calls: int = 0


class OuterVerifier:
    """A verifier around another one, with its fingerprint and thresholds."""

    def __init__(self, inner: Verifier) -> None:
        self.inner = inner

    @property
    def fingerprint(self) -> Fingerprint:
        """Of the verifier itself."""
        return self.inner.fingerprint

    @property
    def can_contradict(self) -> bool:
        """Of the verifier itself."""
        return self.inner.can_contradict

    @property
    def thresholds(self) -> Thresholds:
        """Of the verifier itself."""
        return self.inner.thresholds


class CountedVerifier(OuterVerifier):
    """A verifier that counts forward passes and changes nothing (implements ``verifier.types.Verifier``)."""

    def __init__(self, inner: Verifier, counts: Counts) -> None:
        super().__init__(inner)
        self._counts = counts

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        """What the verifier says."""
        found = self.inner.assess(pairs, contested_from=contested_from)
        self._counts.pairs += sum(a.passes for a in found)
        return found


class CountedCorpora(OpenCorpora):
    """Open corpora that count searches and change nothing."""

    def __init__(self, opened: OpenCorpora, counts: Counts) -> None:
        self.__dict__ |= vars(opened)
        self._counts = counts

    def retrieve(self, query: Query) -> tuple[Hit, ...]:
        """What the corpora find."""
        self._counts.calls += 1
        return super().retrieve(query)


class MeasuredCorpora(Corpora):
    """Corpora whose searches are counted."""

    def __init__(self, settings: Settings, counts: Counts, make: MakeRetriever | None = None) -> None:
        super().__init__(settings, make=make)
        self.counts = counts

    def open(
        self,
        names: Sequence[str],
        spec: str,
        progress: ProgressCallback | None = None,
        *,
        graph: bool = False,
    ) -> OpenCorpora:
        """As ``Corpora.open``."""
        return CountedCorpora(super().open(names, spec, progress, graph=graph), self.counts)


class MeasuredChecker(FactChecker):
    """The shipped check with its verifier and searches counted. It records nothing unless asked to."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.counts = Counts()
        self.corpora = MeasuredCorpora(settings, self.counts)
        self._counted: CountedVerifier | None = None

    @property
    def verifier(self) -> Verifier:
        """The verifier of the settings, counted."""
        if self._counted is None:
            self._counted = CountedVerifier(super().verifier, self.counts)
        return self._counted


@dataclass(frozen=True)
class Plan:
    """What is to be run."""

    dataset: Dataset
    settings: Settings
    evidence: Evidence
    corpora: tuple[str, ...] = ()
    """Names or paths; none: the corpus that came with the data."""
    name: str = ""
    limit: int | None = None
    variant: str = ""
    make_checker: Callable[[Settings], MeasuredChecker] = field(default=MeasuredChecker)


def run(plan: Plan, out: Path, done: Done = lambda _item, _n, _of: None) -> EvalRun:
    """Evaluate every claim and write ``out``; what an earlier process did of the same run is kept.

    Raises ``InputError`` when there is nothing to hold the claims against, or ``out`` belongs to another run.
    """
    checker = plan.make_checker(plan.settings)
    names = corpora_of(plan)
    key = _key(plan, checker, names)
    if out.exists():
        found = read_run(out)
        if found.key != key:
            raise InputError(f"{out.name} is another run already; remove it, or name another file with --out")
        return found
    part = Part(out, key)
    checked = _by_given(checker) if plan.evidence == "given" else _by_corpus(checker, names)
    rows = plan.dataset.rows
    for number, row in enumerate(rows, 1):
        if row.id in part.done:
            continue
        checker.counts.pairs = checker.counts.calls = 0
        start, used = time.perf_counter(), time.process_time()
        trace, size, tokens, prints = _or_refused(checked, row, part.fingerprint)
        cost = Cost(
            seconds=round(time.perf_counter() - start, 4),
            cpu_seconds=round(time.process_time() - used, 4),
            pairs=checker.counts.pairs,
            retrieval_calls=checker.counts.calls,
            tokens=tokens,
            certificate_bytes=size,
        )
        item = item_of(row, trace, cost)
        part.add(item, trace, prints)
        done(item, number, len(rows))
    items = tuple(part.done[row.id] for row in rows)
    finished = EvalRun(
        key=key,
        fingerprint=part.fingerprint,
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        skipped=plan.dataset.skipped,
        figures=figures_of(items, binary=plan.dataset.binary),
        extra=extra_figures(plan.dataset, items, part.traces),
        items=items,
    )
    part.finish(out, finished)
    return finished


def corpora_of(plan: Plan) -> tuple[str, ...]:
    """Names to search in; the corpus of the data set is written below the cache folder by its content."""
    if plan.evidence == "given":
        if not any(row.given for row in plan.dataset.rows):
            raise InputError(f"{plan.name or 'the file'} gives no texts with its claims; name a corpus with --corpus")
        return ()
    if plan.corpora:
        return plan.corpora
    if not plan.dataset.documents:
        raise InputError("nothing to search in; name a corpus with --corpus, or the companion files with --with")
    return (str(write_corpus(plan.dataset.documents, plan.settings.paths.cache / "eval")),)


def write_corpus(documents: Sequence[Document], folder: Path) -> Path:
    """Documents as JSON Lines in a file that is named by their content; made where it is missing."""
    fields = {"doc_id", "title", "text", "publisher", "url", "published"}
    lines = [
        json.dumps(d.model_dump(mode="json", include=fields, exclude_none=True), ensure_ascii=False) for d in documents
    ]
    text = "\n".join(lines) + "\n"
    path = folder / f"{sha256_text(text)[:32]}.jsonl"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    return path


def _key(plan: Plan, checker: FactChecker, names: Sequence[str]) -> RunKey:
    thresholds = plan.settings.thresholds.apply(checker.verifier.thresholds)
    return RunKey(
        format=plan.dataset.format,
        name=plan.name,
        data_sha256=plan.dataset.sha256,
        evidence=plan.evidence,
        limit=plan.limit,
        binary=plan.dataset.binary,
        settings=plan.settings.recorded(),
        thresholds=thresholds.model_dump(mode="json"),
        score_cache=plan.settings.score_cache,
        corpus=tuple(Path(n).name for n in names),
        corpus_sha256=_snapshot(checker, names),
        verifier=checker.verifier.fingerprint,
        variant=plan.variant,
        factdesk_version=kernel.__version__,
    )


def _snapshot(checker: FactChecker, names: Sequence[str]) -> str:
    found = []
    for name in names:
        corpus, store, _ = checker.corpora.resolve(name)
        found += sorted(store.document_hashes(corpus).items())
    return sha256_text(json.dumps(found, ensure_ascii=False))


Checked = tuple[Trace, int | None, int, dict[str, str]]


def _or_refused(checked: Callable[[EvalRow], Checked], row: EvalRow, prints: dict[str, str]) -> Checked:
    """The check; a claim or picture that is refused stays open, with the reason, and the run goes on."""
    try:
        return checked(row)
    except InputError as error:
        why = Failure(where="factdesk.check", kind="bad_input", message=str(error))
        trace = Trace(
            id=row.id,
            claims=(),
            decisions=(),
            verdict="not_enough_evidence",
            thresholds=Thresholds(),
            failures=(why,),
        )
        return trace, None, 0, prints


def _prints(fingerprints: Sequence[Fingerprint]) -> dict[str, str]:
    return {f.name: f.sha256 or f.version for f in fingerprints}


def _by_corpus(checker: FactChecker, names: Sequence[str]) -> Callable[[EvalRow], Checked]:
    """The whole check. Its certificate is measured and thrown away."""

    def checked(row: EvalRow) -> Checked:
        report = checker.check(row.claim, images=row.images, date=row.date, corpus=names, record=False)
        body = report.certificate.body
        tokens = body.usage.input_tokens + body.usage.output_tokens if body.usage else 0
        size = len(canonical_record(report.certificate))
        return trace_of(row, body), size, tokens, _prints(body.fingerprints)

    return checked


def _by_given(checker: FactChecker) -> Callable[[EvalRow], Checked]:
    compiled = compiler(checker.settings)
    thresholds = checker.settings.thresholds.apply(checker.verifier.thresholds)
    from language.nlp.pipeline import nlp_fingerprint

    prints = _prints((checker.verifier.fingerprint, *rule_fingerprints(), nlp_fingerprint()))

    def checked(row: EvalRow) -> Checked:
        trace = check_given(
            row.id,
            row.claim,
            row.given,
            compile_claims=compiled,
            verifier=checker.verifier,
            thresholds=thresholds,
            caps=checker.settings.caps,
        )
        return trace.model_copy(update={"gold_ids": gold_ids(trace.claims, row)}), None, 0, prints

    return checked


def compiler(settings: Settings) -> Callable[[str], ClaimIR]:
    """The intake as a check uses it."""
    from agent.intake import compile_claims

    return cache(lambda text: compile_claims(text, max_claims=settings.caps.max_claims))
