"""The files of the examples as records: articles, claims, quotes, and what was found wrong with them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"
RUN = 4
CLAIM_KEYS = frozenset(
    (
        "id",
        "claim",
        "label",
        "topic",
        "date",
        "image",
        "gold_evidence",
        "image_evidence",
        "near_misses",
        "note",
    )
)


@dataclass(frozen=True)
class Article:
    """One article: its path inside ``corpus/`` without suffix, its front matter and its body."""

    doc_id: str
    front: dict[str, str]
    body: str


@dataclass(frozen=True)
class Quote:
    """A sentence that a claim points to.

    ``source`` is a doc_id or an image path, ``kind`` the key of the claim that holds it.
    """

    kind: str
    source: str
    text: str


@dataclass(frozen=True)
class Claim:
    """One line of ``claims.jsonl``."""

    id: str
    text: str
    label: str
    topic: str
    note: str
    image: str | None
    date: str | None
    quotes: tuple[Quote, ...]


@dataclass
class Findings:
    """What was found: ``problems`` make the check fail, ``facts`` are printed."""

    problems: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)

    def expect(self, holds: bool, problem: str) -> None:
        """Note ``problem`` unless ``holds``."""
        if not holds:
            self.problems.append(problem)


def words(text: str) -> list[str]:
    """Split ``text`` into lower-case words; numbers such as 1,788 or 6.2 or 1:09:42 stay whole."""
    return re.findall(r"\d+(?:[.,:]\d+)*|[^\W\d_]+", text.lower())


def runs(text: str, length: int = RUN) -> set[tuple[str, ...]]:
    """Return all runs of ``length`` consecutive words of ``text``."""
    found = words(text)
    return {tuple(found[start : start + length]) for start in range(len(found) - length + 1)}


def is_iso_date(text: str) -> bool:
    """Say whether ``text`` is a date such as 2025-03-14."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def read_article(path: Path, findings: Findings) -> Article:
    """Read one Markdown file with front matter; *side effect:* problems go to ``findings``."""
    doc_id = path.relative_to(CORPUS).with_suffix("").as_posix()
    match = re.fullmatch(r"---\n(.*?)\n---\n\n(.*)\n", path.read_text(encoding="utf-8"), re.DOTALL)
    if match is None:
        findings.problems.append(f"{doc_id}: no front matter between two lines of ---")
        return Article(doc_id, {}, "")
    front: dict[str, str] = {}
    for line in match[1].splitlines():
        key, _, value = line.partition(": ")
        front[key] = str(json.loads(value)) if value.startswith('"') else value
    return Article(doc_id, front, match[2])


def read_json_lines(path: Path, findings: Findings) -> list[dict[str, object]]:
    """Return the objects of a JSON Lines file; broken lines become problems."""
    rows: list[dict[str, object]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            findings.problems.append(f"{path.name} line {number}: no JSON ({error})")
            continue
        if isinstance(row, dict):
            rows.append(row)
        else:
            findings.problems.append(f"{path.name} line {number}: no JSON object")
    return rows


def text_of(row: dict[str, object], key: str) -> str:
    """Return a text value of ``row``, empty when it is missing or no text."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def read_claim(row: dict[str, object], findings: Findings) -> Claim:
    """Turn one line of ``claims.jsonl`` into a ``Claim``; unknown keys and wrong shapes become problems."""
    claim_id = text_of(row, "id")
    findings.expect(set(row) <= CLAIM_KEYS, f"{claim_id}: unknown keys {sorted(set(row) - CLAIM_KEYS)}")
    findings.expect("gold_evidence" in row, f"{claim_id}: gold_evidence is missing")
    quotes: list[Quote] = []
    for kind, source in (("gold_evidence", "doc_id"), ("near_misses", "doc_id"), ("image_evidence", "image")):
        items = row.get(kind, [])
        if not isinstance(items, list):
            findings.problems.append(f"{claim_id}: {kind} is no list")
            continue
        for item in items:
            if isinstance(item, dict) and isinstance(item.get(source), str) and isinstance(item.get("quote"), str):
                quotes.append(Quote(kind, item[source], item["quote"]))
            else:
                findings.problems.append(f"{claim_id}: {kind} needs {source} and quote, got {item!r}")
    return Claim(
        id=claim_id,
        text=text_of(row, "claim"),
        label=text_of(row, "label"),
        topic=text_of(row, "topic"),
        note=text_of(row, "note"),
        image=text_of(row, "image") or None,
        date=text_of(row, "date") or None,
        quotes=tuple(quotes),
    )
