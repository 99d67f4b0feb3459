"""``factdesk eval questions``: golden questions through ``ask``, and what a reader would have been shown."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from factdesk.checker import FactChecker, Report
from factdesk.kernel import InputError, Record
from report.policy.answers import answer_of
from report.render.view import claim_views, shown_claims
from report.types import Certificate
from verifier import pair_decision


class QuestionRow(Record):
    """A golden question; a right answer holds one of ``accept``. Without any, only silence is right."""

    id: str
    question: str
    accept: tuple[str, ...]


class QuestionOutcome(Record):
    """What was shown for one question in strict mode."""

    id: str
    answerable: bool
    shown: tuple[str, ...]
    right: bool
    """Something was shown, and all of it is right."""
    wrong: int
    """Statements shown that hold no accepted answer."""
    unsupported: int
    """Statements shown without a stored span that supports them at the threshold."""
    drafted: int
    verified: int
    """Of the draft, whether shown or not."""
    why_not: str
    rules: tuple[str, ...]
    widened: int
    """Statements for which retrieval was widened."""
    seconds: float
    body_sha256: str


class QuestionsReport(Record):
    """Figures over all questions."""

    n: int
    answerable: int
    answered: int
    right: int
    answered_share: float
    """Of the answerable ones, those that were answered rightly."""
    shown: int
    verified: int
    """Verified statements, shown or not."""
    unsupported_exposure: int
    wrong_exposure: int
    silent_when_it_should: int
    """Unanswerable questions that were left unanswered."""
    p50: float
    p95: float
    seconds: float
    fingerprint: dict[str, str]
    outcomes: tuple[QuestionOutcome, ...]


def read_questions(path: Path, limit: int | None = None) -> tuple[QuestionRow, ...]:
    """The rows of a JSON Lines file. Raises ``InputError`` with the line's number for a broken one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read ({error})") from error
    rows = []
    for number, line in enumerate(lines[:limit], 1):
        try:
            data = json.loads(line)
            rows.append(QuestionRow(**{k: data[k] for k in QuestionRow.model_fields}))
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"{path.name} line {number} is no question record ({error})") from error
    if not rows:
        raise InputError(f"{path.name} holds no questions")
    return tuple(rows)


def read_sources(path: Path) -> tuple[str, ...]:
    """Sites, one a line; what begins with ``#`` is a remark. Raises ``InputError``."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read ({error})") from error
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def evaluate_questions(
    checker: FactChecker,
    path: Path,
    *,
    limit: int | None = None,
    count: int | None = None,
    record: bool = False,
    done: Callable[[QuestionOutcome, Report], None] = lambda _outcome, _report: None,
) -> QuestionsReport:
    """Ask every question of a file and look at what strict mode shows; ``count``: so many, again from the first."""
    outcomes: list[QuestionOutcome] = []
    prints: dict[str, str] = {}
    rows = read_questions(path, limit)
    for row in islice(cycle(rows), count or len(rows)):
        start = time.perf_counter()
        report = checker.ask(row.question, record=record)
        seconds = time.perf_counter() - start
        outcome = outcome_of(row, report.certificate, round(seconds, 4))
        prints = {f.name: f.sha256 or f.version for f in report.certificate.body.fingerprints}
        outcomes.append(outcome)
        done(outcome, report)
    return _summary(outcomes, prints)


def outcome_of(row: QuestionRow, certificate: Certificate, seconds: float = 0.0) -> QuestionOutcome:
    """Judge one certificate against its golden question."""
    body = certificate.body
    shown = shown_claims(certificate, "strict")
    texts = tuple(v.record.claim.text for v in shown)
    wrong = sum(not any(a.casefold() in t.casefold() for a in row.accept) for t in texts)
    supported = [
        any(pair_decision.supports(s.assessment, body.thresholds) for s in v.deciding)
        or any(
            set(j.span_ids) == {s.span.span_id for s in v.deciding}
            and pair_decision.supports(j.assessment, body.thresholds)
            for j in v.record.joint
        )
        for v in shown
    ]
    asked: dict[str, int] = {}
    for question in body.questions:
        asked[question.claim_id] = asked.get(question.claim_id, 0) + 1
    return QuestionOutcome(
        id=row.id,
        answerable=bool(row.accept),
        shown=texts,
        right=bool(texts) and wrong == 0,
        wrong=wrong,
        unsupported=supported.count(False),
        drafted=len(body.claims),
        verified=sum(v.decision.state == "VERIFIED" for v in claim_views(body)),
        why_not=answer_of(body).why_not,
        rules=tuple(d.rule for d in body.decisions),
        widened=sum(n > 2 for n in asked.values()),
        seconds=seconds,
        body_sha256=certificate.envelope.body_sha256,
    )


def _summary(outcomes: list[QuestionOutcome], prints: dict[str, str]) -> QuestionsReport:
    answerable = [o for o in outcomes if o.answerable]
    right = sum(o.right for o in answerable)
    seconds = np.array([o.seconds for o in outcomes])
    return QuestionsReport(
        n=len(outcomes),
        answerable=len(answerable),
        answered=sum(bool(o.shown) for o in outcomes),
        right=right,
        answered_share=round(right / len(answerable), 4) if answerable else 0.0,
        shown=sum(len(o.shown) for o in outcomes),
        verified=sum(o.verified for o in outcomes),
        unsupported_exposure=sum(o.unsupported for o in outcomes),
        wrong_exposure=sum(o.wrong for o in outcomes),
        silent_when_it_should=sum(not o.shown for o in outcomes if not o.answerable),
        p50=round(float(np.quantile(seconds, 0.5)), 4),
        p95=round(float(np.quantile(seconds, 0.95)), 4),
        seconds=round(float(seconds.sum()), 2),
        fingerprint=prints,
        outcomes=tuple(outcomes),
    )
