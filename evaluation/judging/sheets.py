"""``factdesk eval sheet``: Verified statements and explanations for people to judge, as CSV or one HTML page.

A sheet shows neither labels nor verdicts, so that nobody is led.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from evaluation.data.outcome import Trace
from factdesk.kernel import InputError, Record

Kind = Literal["verified", "explanation"]
COLUMNS = ("kind", "id", "claim", "statement", "evidence", "rating", "remark")
CHOICES: dict[str, tuple[str, ...]] = {"verified": ("yes", "no", "unclear"), "explanation": ("1", "2", "3")}
HELP = {
    "verified": "Does the evidence bear the statement out? yes, no or unclear",
    "explanation": "1: wrong or beside the point, 2: right but incomplete, 3: right and complete",
    "gold": "How much of the gold explanation is in this one? 1: nothing, 2: a part, 3: all of it",
}
"""``gold``: of explanations beside a gold one, on the scale of RAGAR's raters."""
EXPLANATIONS = 50
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula; such a cell gets an apostrophe before it."""


class SheetRow(Record):
    """One thing to judge."""

    kind: Kind
    id: str
    """Of the claim, and of the atomic claim within it: ``c01/c2``."""
    claim: str
    statement: str
    """The atomic claim, or the explanation."""
    evidence: str
    """The sentences it rests on, with their documents; for explanations all that was quoted, or the gold one."""
    gold: bool = False
    """``evidence`` is a gold explanation."""


def sheet_rows(
    claims: Mapping[str, str],
    traces: Mapping[str, Trace],
    *,
    n: int,
    explanations: int = EXPLANATIONS,
    seed: int = 0,
    gold: Mapping[str, str] = MappingProxyType({}),
) -> tuple[SheetRow, ...]:
    """At most ``n`` Verified statements and so many explanations, drawn by ``seed``; ``claims``: text by id.

    ``gold``: explanations by a person, by id of the claim; with any, only claims that have one are drawn.
    Raises ``InputError`` when there is nothing to judge.
    """
    verified = [row for claim_id, trace in traces.items() for row in _verified(claims[claim_id], trace)]
    explained = [_explanation(claims[i], t) for i, t in traces.items() if t.proposal and t.proposal.explanation]
    if gold:
        known = [row for row in explained if row.id in gold]
        explained = [row.model_copy(update={"evidence": gold[row.id], "gold": True}) for row in known]
    rng = random.Random(seed)
    rows = [*_drawn(rng, verified, n), *_drawn(rng, explained, explanations)]
    if not rows:
        raise InputError("the run verified nothing and explains nothing; there is nothing to judge")
    return tuple(rows)


def _drawn(rng: random.Random, rows: Sequence[SheetRow], count: int) -> list[SheetRow]:
    ordered = sorted(rows, key=lambda r: r.id)
    return rng.sample(ordered, min(count, len(ordered)))


def _verified(claim: str, trace: Trace) -> list[SheetRow]:
    records = {c.claim.claim_id: c for c in trace.claims}
    found = []
    for decision in trace.decisions:
        if decision.state != "VERIFIED":
            continue
        record = records[decision.claim_id]
        cited = [s for s in record.spans if s.span.span_id in decision.span_ids]
        found.append(
            SheetRow(
                kind="verified",
                id=f"{trace.id}/{decision.claim_id}",
                claim=claim,
                statement=record.claim.text,
                evidence="\n".join(_quoted(s.span) for s in cited),
            )
        )
    return found


def _explanation(claim: str, trace: Trace) -> SheetRow:
    text = trace.proposal.explanation if trace.proposal else ""
    answers = "\n".join(f"{question} {answer}" for question, answer in trace.answers)
    return SheetRow(kind="explanation", id=trace.id, claim=claim, statement=text, evidence=answers)


def _quoted(span: object) -> str:
    parts = [getattr(span, name) for name in ("title", "publisher", "published", "url")]
    where = ", ".join(str(p) for p in parts if p)
    return f"{getattr(span, 'text', '')} [{where or getattr(span, 'doc_id', '')}]"


def read_gold(path: Path) -> dict[str, str]:
    """Gold explanations by id: MOCHEG's table (``claim_id``, ``ruling_outline``), or JSON Lines with ``id`` and
    ``explanation``. Raises ``InputError`` for a file without any.
    """
    from evaluation.data.formats.reading import any_rows

    found = {}
    for _, row in any_rows(path):
        told = " ".join(str(row.get("ruling_outline") or row.get("explanation") or "").split())
        if told:
            found[str(row.get("claim_id") or row.get("id"))] = told.replace("<p>", " ").replace("</p>", " ").strip()
    if not found:
        raise InputError(f"{path.name!r} has no explanations; give claim_id and ruling_outline, or id and explanation")
    return found


def as_csv(rows: Sequence[SheetRow]) -> str:
    """The sheet as CSV with a header; ``rating`` and ``remark`` are to be filled in."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        texts = (row.kind, row.id, row.claim, row.statement, row.evidence, "", "")
        writer.writerow([f"'{t}" if t.startswith(FORMULA) else t for t in texts])
    return out.getvalue()


def as_html(rows: Sequence[SheetRow], title: str) -> str:
    """The sheet as one page that works offline: choose, then save a CSV."""
    from jinja2 import Environment

    text = files("evaluation.judging").joinpath("sheet.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)
    return template.render(rows=rows, title=title, choices=CHOICES, help=HELP, columns=COLUMNS)


def write_sheet(path: Path, rows: Sequence[SheetRow], title: str) -> None:
    """Write the sheet, by the file's ending. Raises ``InputError`` for another one than .csv and .html."""
    if path.suffix not in (".csv", ".html"):
        raise InputError(f"{path.name!r} is no sheet; end it in .csv or .html")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = as_html(rows, title) if path.suffix == ".html" else as_csv(rows)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be written ({error.strerror})") from error
