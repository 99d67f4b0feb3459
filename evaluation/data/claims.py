"""``factdesk eval claims``: labelled claims through the whole check."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date
from itertools import islice
from pathlib import Path

import numpy as np

from evaluation.data.formats.own import CLAIM_LABELS, day_of
from evaluation.data.formats.reading import json_rows, label_of, need
from factdesk.checker import FactChecker, Report
from factdesk.kernel import InputError, Record

LABELS = ("supported", "refuted", "not_enough_evidence")


class ClaimRow(Record):
    """One labelled claim; ``image`` is relative to the file it stands in."""

    id: str
    claim: str
    label: str
    date: str | None = None
    image: str | None = None


class ClaimOutcome(Record):
    """What the check made of one claim."""

    id: str
    label: str
    verdict: str
    seconds: float
    questions: int
    pairs: int
    rules: tuple[str, ...]
    failures: int


class ClaimsReport(Record):
    """Figures over all claims. ``conflicting`` counts as not enough evidence."""

    n: int
    accuracy: float
    macro_f1: float
    weighted_f1: float
    """The paper's: gold supported and refuted only; everything not certified counts as wrong."""
    per_class: dict[str, dict[str, float]]
    failed: int
    """Supported and refuted claims that were left open."""
    wrong_verified: int
    """Certified as supported, labelled otherwise."""
    wrong_refuted: int
    coverage: float
    """Share of supported and refuted claims that were certified correctly."""
    ci95: tuple[float, float]
    """Bootstrap interval of the accuracy."""
    p50: float
    p95: float
    questions: float
    pairs: float
    retrieval_calls: float
    tokens: int
    fingerprint: dict[str, str]
    outcomes: tuple[ClaimOutcome, ...]


def read_claims(path: Path, limit: int | None = None) -> Iterator[ClaimRow]:
    """Rows of a JSON Lines file, as ``formats.own`` takes them; a row without an id has its line's number.

    Raises ``InputError`` with the line's number for a broken one, in words of ours.
    """
    for number, row in islice(json_rows(path), limit):
        need(row, path, number, "claim", "label")
        label = label_of(row["label"], CLAIM_LABELS, path, number)
        day = day_of(row, path, number)
        yield ClaimRow(
            id=str(row.get("id") or number),
            claim=str(row["claim"]),
            label="not_enough_evidence" if label == "conflicting" else label,
            date=day.isoformat() if day else None,
            image=str(row["image"]) if row.get("image") else None,
        )


def evaluate_claims(
    checker: FactChecker,
    path: Path,
    *,
    limit: int | None = None,
    record: bool = False,
    done: Callable[[ClaimOutcome, Report], None] = lambda _outcome, _report: None,
) -> ClaimsReport:
    """Check every claim of a file and compare verdicts with labels."""
    outcomes: list[ClaimOutcome] = []
    prints: dict[str, str] = {}
    for row in read_claims(path, limit):
        start = time.perf_counter()
        images = [path.parent / row.image] if row.image else []
        day = date.fromisoformat(row.date) if row.date else None
        report = checker.check(row.claim, images=images, date=day, record=record)
        body = report.certificate.body
        prints = {f.name: f.sha256 or f.version for f in body.fingerprints}
        outcome = ClaimOutcome(
            id=row.id,
            label=row.label,
            verdict=report.verdict,
            seconds=round(time.perf_counter() - start, 4),
            questions=len(body.questions),
            pairs=sum(s.assessment.passes for c in body.claims for s in c.spans),
            rules=tuple(d.rule for d in body.decisions),
            failures=len(body.failures),
        )
        outcomes.append(outcome)
        done(outcome, report)
    if not outcomes:
        raise InputError(f"{path.name} holds no claims")
    return summarise(outcomes, prints)


def _f1(outcomes: list[ClaimOutcome], label: str) -> dict[str, float]:
    hits = sum(o.label == label and _as_label(o) == label for o in outcomes)
    predicted = sum(_as_label(o) == label for o in outcomes)
    gold = sum(o.label == label for o in outcomes)
    precision = hits / predicted if predicted else 0.0
    recall = hits / gold if gold else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4), "n": gold}


def _as_label(outcome: ClaimOutcome) -> str:
    return "not_enough_evidence" if outcome.verdict == "conflicting" else outcome.verdict


def summarise(outcomes: list[ClaimOutcome], fingerprint: dict[str, str]) -> ClaimsReport:
    """Figures of a list of outcomes; the bootstrap has 1,000 draws from a fixed seed."""
    right = np.array([_as_label(o) == o.label for o in outcomes], dtype=np.float64)
    draws = np.random.default_rng(0).choice(right, size=(1000, len(right))).mean(axis=1)
    decidable = [o for o in outcomes if o.label != "not_enough_evidence"]
    per_class = {label: _f1(outcomes, label) for label in LABELS}
    paper = {label: _f1(decidable, label) for label in LABELS[:2]}
    weight = sum(paper[label]["n"] for label in paper) or 1
    seconds = np.array([o.seconds for o in outcomes])
    certified = sum(o.verdict == o.label for o in decidable)
    return ClaimsReport(
        n=len(outcomes),
        accuracy=round(float(right.mean()), 4),
        macro_f1=round(sum(c["f1"] for c in per_class.values()) / len(LABELS), 4),
        weighted_f1=round(sum(c["f1"] * c["n"] for c in paper.values()) / weight, 4),
        per_class=per_class,
        failed=sum(_as_label(o) == "not_enough_evidence" for o in decidable),
        wrong_verified=sum(o.verdict == "supported" != o.label for o in outcomes),
        wrong_refuted=sum(o.verdict == "refuted" != o.label for o in outcomes),
        coverage=round(certified / len(decidable), 4) if decidable else 0.0,
        ci95=(round(float(np.quantile(draws, 0.025)), 4), round(float(np.quantile(draws, 0.975)), 4)),
        p50=round(float(np.quantile(seconds, 0.5)), 4),
        p95=round(float(np.quantile(seconds, 0.95)), 4),
        questions=round(sum(o.questions for o in outcomes) / len(outcomes), 2),
        pairs=round(sum(o.pairs for o in outcomes) / len(outcomes), 2),
        retrieval_calls=round(sum(o.questions for o in outcomes) / len(outcomes), 2),
        tokens=0,
        fingerprint=fingerprint,
        outcomes=tuple(outcomes),
    )
