"""RAGTruth and LLM-AggreFact: statements of language models against the texts they were given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.data.formats.reading import JsonRow, any_rows, companion, digest, first_rows, json_rows, label_of, need
from evaluation.data.formats.types import Dataset, EvalLabel, EvalRow, corpus_of, document
from evidence.segmentation.spans import sentence_ranges
from evidence.types import Document
from factdesk.kernel import InputError, sha256_text

_PASSAGE = re.compile(r"passage \d+:")
_BINARY: Mapping[str, EvalLabel] = {
    "1": "supported",
    "0": "not_enough_evidence",
    "1.0": "supported",
    "0.0": "not_enough_evidence",
    "true": "supported",
    "false": "not_enough_evidence",
}


def load_ragtruth(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``response.jsonl`` (``id``, ``source_id``, ``response``, ``labels``), with ``source_info.jsonl``.

    Each sentence of a response is a claim. One that a hallucination's span touches is refuted (conflict) or
    has not enough evidence (baseless); its group is the kind. Responses of poor ``quality`` are left out.
    """
    info = companion(companions, "source_info.jsonl", folder=False)
    if info is None:
        raise InputError("RAGTruth needs its sources; give source_info.jsonl with --with")
    sources = {str(row.get("source_id")): row for _, row in json_rows(info)}
    rows: list[EvalRow] = []
    skipped = Counter[str]()
    for number, row in json_rows(path):
        if limit is not None and len(rows) >= limit:
            break
        need(row, path, number, "source_id", "response", "labels")
        source = sources.get(str(row["source_id"]))
        if source is None:
            skipped["response without its source"] += 1
        elif row.get("quality", "good") != "good":
            skipped[f"response of quality {row['quality']!r}"] += 1
        else:
            rows += _statements(row, source, number)
    made = tuple(rows[:limit])
    return Dataset(
        format="ragtruth",
        rows=made,
        documents=corpus_of(made),
        binary=True,
        skipped=dict(skipped),
        sha256=digest([path, *companions]),
    )


def _statements(row: JsonRow, source: JsonRow, number: int) -> Iterator[EvalRow]:
    text = str(row["response"])
    given = _source(source)
    task = str(source.get("task_type") or "")
    for n, (start, end) in enumerate(sentence_ranges(text, 0, len(text)), 1):
        if not re.search(r"\w", text[start:end]):
            continue
        touching = [x for x in row["labels"] if int(x["start"]) < end and int(x["end"]) > start]
        kinds = [str(x.get("label_type") or "") for x in touching]
        conflict = any("conflict" in kind.casefold() for kind in kinds)
        label: EvalLabel = "refuted" if conflict else "not_enough_evidence" if kinds else "supported"
        yield EvalRow(
            id=f"{row.get('id', number)}.{n}",
            claim=text[start:end],
            label=label,
            given=given,
            group=kinds[0] if kinds else task,
        )


def _source(row: JsonRow) -> tuple[Document, ...]:
    info, name = row.get("source_info"), str(row.get("source_id"))
    if isinstance(info, str):
        return (document(f"ragtruth-{name}", info),)
    if isinstance(info, dict) and isinstance(info.get("passages"), str):
        parts = [p.strip() for p in _PASSAGE.split(info["passages"]) if p.strip()]
        return tuple(document(f"ragtruth-{name}-{n}", part) for n, part in enumerate(parts, 1))
    lines = "\n\n".join(_flat(info, ""))
    title = str(info.get("name") or "") if isinstance(info, dict) else ""
    return (document(f"ragtruth-{name}", lines, title=title),) if lines else ()


def _flat(value: Any, name: str) -> Iterator[str]:
    """Structured data as sentences: ``attributes OutdoorSeating is True.``."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(item, f"{name} {key}".strip())
    elif isinstance(value, list):
        for item in value:
            yield from _flat(item, name)
    elif value is not None:
        text = " ".join(str(value).split())
        prose = len(text.split()) > 8
        yield text if prose else f"{name.replace('_', ' ')} is {text}."


def load_aggrefact(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """A table or JSON Lines with ``dataset``, ``doc``, ``claim``, ``label`` (1 supported, 0 not)."""
    del companions

    def made(row: JsonRow, number: int) -> EvalRow:
        text = str(row["doc"])
        return EvalRow(
            id=str(number),
            claim=str(row["claim"]),
            label=label_of(row["label"], _BINARY, path, number),
            group=str(row.get("dataset") or ""),
            given=(document(f"aggrefact-{sha256_text(text)[:16]}", text),),
        )

    rows = first_rows(path, limit, made, "doc", "claim", "label", read=any_rows)
    return Dataset(format="llm-aggrefact", rows=rows, documents=corpus_of(rows), binary=True, sha256=digest([path]))
