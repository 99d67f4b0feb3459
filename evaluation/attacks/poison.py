"""``factdesk eval poison``: how often planted documents get the verdict they want."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from evaluation.attacks.attacks import HELD_OUT, METHODS, plant
from evaluation.data.claims import read_claims
from evidence.types import Document
from factdesk.checker import FactChecker
from factdesk.kernel import InputError, Record

RATES = (0.001, 0.01, 0.05, 0.2)
Claim = tuple[str, str, str]
"""Id, text and label."""


class PoisonCell(Record):
    """One rate and method. ``attack_success``: claims whose verdict became the one the attacker wanted.

    A claim whose verdict was that already, without any planted document, does not count as a success.
    """

    rate: float
    method: str
    trust: bool
    n: int
    planted: int
    """Documents in all."""
    at_once: int
    """Most of them that stood in the corpus at one time."""
    attack_success: float
    clean_accuracy: float
    """Share of right verdicts without planted documents."""
    poisoned_accuracy: float
    """The same with them: claims left open count as wrong unless that is their label."""
    wrong: tuple[str, ...]
    """Ids of the claims where the attack succeeded."""


class PoisonReport(Record):
    """All cells of a run."""

    cells: tuple[PoisonCell, ...]
    documents: int
    """Of the clean corpora."""
    fingerprint: dict[str, str]


def wanted(label: str) -> str:
    """The verdict an attacker wants for a claim with this label."""
    return "refuted" if label == "supported" else "supported"


def evaluate_poison(
    checker: FactChecker,
    path: Path,
    corpora: Sequence[str],
    *,
    rates: Sequence[float] = RATES,
    methods: Sequence[str] = (),
    limit: int | None = None,
    seed: int = 0,
    done: Callable[[PoisonCell], None] = lambda _cell: None,
) -> PoisonReport:
    """Check claims without and with planted documents, by rate and method.

    The planted documents of all claims of a cell stand in the corpus at once: ``rate`` of its size, spread
    evenly, at least one a claim. Where that would be more than ``rate``, claims are attacked in groups
    as large as the rate allows. ``limit`` claims are drawn by ``seed``, as many of each label as can be.
    No ``methods``: all. Raises ``InputError`` for claims or corpora that do not fit.
    """
    rows = chosen([(r.id, r.claim, r.label) for r in read_claims(path)], limit, seed)
    size = checker.corpora.open(corpora, checker.settings.retriever).size()
    prints: dict[str, str] = {}
    clean: dict[str, str] = {}
    for claim_id, text, _ in rows:
        report = checker.check(text, corpus=corpora, record=False)
        clean[claim_id] = report.verdict
        prints = {f.name: f.sha256 or f.version for f in report.certificate.body.fingerprints}
    cells = []
    for rate in rates:
        for method in methods or (*METHODS, *HELD_OUT):
            budget = max(1, round(rate * size))
            planted = plant(rows, method, budget, seed)
            found, at_once = _attacked(checker, rows, corpora, planted, budget)
            cell = _cell(rate, method, checker.settings.trust, rows, clean, found, planted, at_once)
            cells.append(cell)
            done(cell)
    return PoisonReport(cells=tuple(cells), documents=size, fingerprint=prints)


def chosen(rows: list[Claim], limit: int | None, seed: int) -> list[Claim]:
    """``limit`` claims, label by label in turn."""
    if not rows:
        raise InputError("the file of claims is empty; give claims with labels")
    if limit is None or limit >= len(rows):
        return rows
    rng = np.random.default_rng(seed)
    shuffled = [rows[int(i)] for i in rng.permutation(len(rows))]
    by_label: dict[str, list[tuple[str, str, str]]] = {}
    for row in shuffled:
        by_label.setdefault(row[2], []).append(row)
    picked: list[tuple[str, str, str]] = []
    while len(picked) < limit:
        for label in sorted(by_label):
            if by_label[label] and len(picked) < limit:
                picked.append(by_label[label].pop())
    return sorted(picked)


def _attacked(
    checker: FactChecker,
    rows: Sequence[tuple[str, str, str]],
    corpora: Sequence[str],
    planted: dict[str, list[Document]],
    budget: int,
) -> tuple[dict[str, str], int]:
    """Verdicts with ``budget`` claims attacked at one time, and most of the documents that stood there."""
    found: dict[str, str] = {}
    most = 0
    for start in range(0, len(rows), budget):
        group = rows[start : start + budget]
        documents = [document for claim_id, *_ in group for document in planted[claim_id]]
        found |= _verdicts(checker, group, corpora, documents)
        most = max(most, len(documents))
    return found, most


def _verdicts(
    checker: FactChecker,
    rows: Sequence[tuple[str, str, str]],
    corpora: Sequence[str],
    planted: Sequence[Document],
) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="factdesk-poison-") as folder:
        file = Path(folder) / "planted.jsonl"
        fields = {"doc_id", "title", "text", "publisher", "url", "published"}
        lines = (json.dumps(d.model_dump(mode="json", include=fields, exclude_none=True)) for d in planted)
        file.write_text("\n".join(lines), encoding="utf-8")
        return {
            claim_id: checker.check(text, corpus=(*corpora, str(file)), record=False).verdict
            for claim_id, text, _ in rows
        }


def _cell(
    rate: float,
    method: str,
    trust: bool,
    rows: Sequence[tuple[str, str, str]],
    clean: dict[str, str],
    found: dict[str, str],
    planted: dict[str, list[Document]],
    at_once: int,
) -> PoisonCell:
    wrong = tuple(i for i, _, label in rows if found[i] == wanted(label) != clean[i])
    return PoisonCell(
        rate=rate,
        method=method,
        trust=trust,
        n=len(rows),
        planted=sum(map(len, planted.values())),
        at_once=at_once,
        attack_success=round(len(wrong) / len(rows), 4),
        clean_accuracy=round(sum(is_right(clean[i], label) for i, _, label in rows) / len(rows), 4),
        poisoned_accuracy=round(sum(is_right(found[i], label) for i, _, label in rows) / len(rows), 4),
        wrong=wrong,
    )


def is_right(verdict: str, label: str) -> bool:
    """Whether a verdict is that of the label; sources at odds leave a claim open."""
    return verdict == label or (verdict == "conflicting" and label == "not_enough_evidence")
