"""FEVER, VitaminC and Climate-FEVER: claims and sentences of Wikipedia."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evaluation.data.formats.reading import JsonRow, companion, digest, first_rows, json_rows, label_of, need
from evaluation.data.formats.types import Dataset, EvalLabel, EvalRow, Gold, corpus_of, document
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

LABELS: Mapping[str, EvalLabel] = {
    "supports": "supported",
    "supported": "supported",
    "refutes": "refuted",
    "refuted": "refuted",
    "not enough info": "not_enough_evidence",
    "not_enough_info": "not_enough_evidence",
    "disputed": "conflicting",
}
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}


def page_title(page: str) -> str:
    """A page's name as people write it: ``Anna_Karlsson_-LRB-poet-RRB-`` is ``Anna Karlsson (poet)``."""
    for escape, plain in _ESCAPES.items():
        page = page.replace(escape, plain)
    return page


def _unescaped(text: str) -> str:
    for escape, plain in tuple(_ESCAPES.items())[:5]:
        text = text.replace(escape, plain)
    return text


def load_fever(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``{"id", "label", "claim", "evidence": [[[_, _, page, sentence], ...], ...]}`` a line.

    A folder of ``wiki-*.jsonl`` (``id``, ``lines``) as companion gives the corpus: all pages that the
    evidence of any claim of the file names. Without it there are only the names of pages.
    """
    folder = companion(companions, "the folder wiki-pages", folder=True)
    rows, named = [], set[str]()
    for number, row in json_rows(path):
        need(row, path, number, "id", "claim", "label")
        label = label_of(row["label"], LABELS, path, number)
        groups = _groups(row)
        named |= {page for group in groups for page, _ in group}
        rows.append((str(row["id"]), str(row["claim"]), label, groups))
    kept = rows[:limit]
    pages = _pages(folder, named) if folder else {}
    documents = tuple(
        document(page, text, title=page_title(page))
        for page in sorted(pages)
        if (text := " ".join(s for _, s in sorted(pages[page].items()) if s)).strip()
    )
    made = tuple(_fever_row(*row, pages) for row in kept)
    lacking = len(named - pages.keys()) if folder else 0
    return Dataset(
        format="fever",
        rows=made,
        documents=documents,
        sha256=digest([path, *companions]),
        skipped={"page named as evidence, but not in the folder": lacking} if lacking else {},
    )


def _groups(row: JsonRow) -> list[list[tuple[str, int]]]:
    found = []
    for group in row.get("evidence") or ():
        parts = [(str(e[2]), int(e[3])) for e in group if len(e) > 3 and e[2] is not None]
        if parts:
            found.append(parts)
    return found


def _fever_row(
    row_id: str,
    claim: str,
    label: EvalLabel,
    groups: list[list[tuple[str, int]]],
    pages: Mapping[str, Mapping[int, str]],
) -> EvalRow:
    gold = tuple(
        tuple(Gold(doc_id=page, quote=pages.get(page, {}).get(n, "")) for page, n in group)
        for group in groups
        if label != "not_enough_evidence"
    )
    quoted: dict[str, list[str]] = {}
    for page, n in dict.fromkeys(part for group in groups for part in group):
        sentence = pages.get(page, {}).get(n, "")
        if sentence:
            quoted.setdefault(page, []).append(sentence)
    given = tuple(document(page, " ".join(s), title=page_title(page)) for page, s in quoted.items())
    return EvalRow(id=row_id, claim=claim, label=label, gold=gold, given=given)


def _pages(folder: Path, named: set[str]) -> dict[str, dict[int, str]]:
    files = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")])
    if not files:
        raise InputError(f"{folder.name!r} holds no wiki-*.jsonl; give FEVER's folder wiki-pages")
    found: dict[str, dict[int, str]] = {}
    for file in files:
        for _, row in json_rows(file):
            page = str(row.get("id") or "")
            if page in named:
                found[page] = _sentences(str(row.get("lines") or ""))
    return found


def _sentences(lines: str) -> dict[int, str]:
    """``"0\\tFirst sentence .\\tLink\\n1\\t..."`` by number."""
    found = {}
    for line in lines.split("\n"):
        number, _, rest = line.partition("\t")
        if number.isdigit():
            found[int(number)] = _unescaped(rest.split("\t")[0]).strip()
    return found


def load_vitaminc(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``{"unique_id", "claim", "evidence", "page", "label", "revision_type"}`` a line."""
    del companions
    skipped = Counter[str]()

    def made(row: JsonRow, number: int) -> EvalRow | None:
        if not str(row["evidence"]).strip():
            skipped["no evidence"] += 1
            return None
        text = _unescaped(str(row["evidence"]))
        title = page_title(str(row.get("page") or ""))
        given = document(f"vitaminc-{sha256_text(title + text)[:16]}", text, title=title)
        label = label_of(row["label"], LABELS, path, number)
        return EvalRow(
            id=str(row.get("unique_id") or number),
            claim=str(row["claim"]),
            label=label,
            given=(given,),
            gold=() if label == "not_enough_evidence" else ((Gold(doc_id=given.doc_id),),),
            group=str(row.get("revision_type") or ""),
        )

    rows = first_rows(path, limit, made, "claim", "evidence", "label")
    return Dataset(
        format="vitaminc", rows=rows, documents=corpus_of(rows), skipped=dict(skipped), sha256=digest([path])
    )


def load_climate_fever(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``{"claim_id", "claim", "claim_label", "evidences": [{"article", "evidence", "evidence_label"}]}``."""
    del companions

    def made(row: JsonRow, number: int) -> EvalRow:
        label = label_of(row["claim_label"], LABELS, path, number)
        given, gold = _climate_evidence(row["evidences"], path, number)
        return EvalRow(
            id=str(row.get("claim_id") or number),
            claim=str(row["claim"]),
            label=label,
            given=given,
            gold=tuple((g,) for g in gold) if label in ("supported", "refuted") else (),
        )

    rows = first_rows(path, limit, made, "claim", "claim_label", "evidences")
    return Dataset(format="climate-fever", rows=rows, documents=corpus_of(rows), sha256=digest([path]))


def _climate_evidence(items: Iterable[JsonRow], path: Path, number: int) -> tuple[tuple[Document, ...], list[Gold]]:
    given: list[Document] = []
    gold: list[Gold] = []
    for item in items:
        text = str(item.get("evidence") or "")
        if not text.strip():
            continue
        title = str(item.get("article") or "")
        found = document(f"climate-{sha256_text(title + text)[:16]}", text, title=title)
        given.append(found)
        label = label_of(item.get("evidence_label", "not enough info"), LABELS, path, number)
        if label in ("supported", "refuted"):
            gold.append(Gold(doc_id=found.doc_id, quote=text))
    return tuple({d.doc_id: d for d in given}.values()), gold
