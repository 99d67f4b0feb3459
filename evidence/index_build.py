"""Writes a new generation of an index, reusing what the one before it holds."""

from __future__ import annotations

import hashlib
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidence import bm25
from evidence.index_format import (
    BM25,
    INDEX_VERSION,
    MANIFEST,
    SPANS,
    VECTORS,
    Manifest,
    describe_all,
    flush,
)
from evidence.index_rows import DocumentRow, Rows, SpanRow, document_row, write_rows
from evidence.segment import SEGMENT_VERSION, spans_of
from evidence.tokens import TOKENS_VERSION, Analyzer
from evidence.types import Document, DocumentStore, Embedder, Span

Progress = Callable[[int, int], None]
"""Called with the number of spans embedded so far and of all that need it."""
BATCH = 128


@dataclass(frozen=True)
class Previous:
    """The generation before: its rows, and its vectors where they are of the same embedder."""

    rows: Rows
    vectors: NDArray[np.float32] | None
    same_rows: bool
    """Whether today's code would make the same rows of the same document."""


@dataclass
class Plan:
    """All rows of the new generation, and where each vector comes from."""

    documents: list[tuple[DocumentRow, Sequence[SpanRow]]] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    """Per row, for the words of BM25."""
    texts: list[SpanRow] = field(default_factory=list)
    reused: list[tuple[int, int]] = field(default_factory=list)
    """Pairs (new row, old row)."""
    fresh: list[tuple[int, str]] = field(default_factory=list)
    """Pairs (new row, text to embed)."""


def vector_text(text: str, context: str) -> str:
    """What the vector of a span is made of: the sentence after its context (title, sentence before).

    On SciFact's gold sentences this found 91 % among the first twelve, sentences alone 88 %.
    """
    return f"{context}. {text}" if context else text


def write_generation(
    folder: Path,
    store: DocumentStore,
    corpus: str,
    wanted: Mapping[str, str],
    previous: Previous | None,
    embedder: Embedder,
    progress: Progress | None,
) -> tuple[Path, Plan]:
    """Write all files of a new generation below ``folder`` and return its folder. Nothing is put into use.

    On an error or interruption what was written is removed.
    """
    plan = make_plan(store, corpus, wanted, previous)
    generation = folder / f"gen-{uuid.uuid4().hex}"
    generation.mkdir(parents=True)
    try:
        _write_vectors(generation / VECTORS, plan, previous, embedder, progress)
        write_rows(generation / SPANS, plan.documents)
        has_bm25 = bm25.build(generation / BM25, _bm25_rows(plan))
        manifest = Manifest(
            index_version=INDEX_VERSION,
            segment_version=SEGMENT_VERSION,
            tokens_version=TOKENS_VERSION,
            embedder=embedder.fingerprint,
            dimension=embedder.dimension,
            documents=len(plan.documents),
            spans=len(plan.texts),
            has_bm25=has_bm25,
            files=describe_all(generation),
        )
        (generation / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
        flush(generation)
    except BaseException:
        shutil.rmtree(generation, ignore_errors=True)
        raise
    return generation, plan


def make_plan(
    store: DocumentStore, corpus: str, wanted: Mapping[str, str], previous: Previous | None
) -> Plan:
    """Rows in the order of document ids, so that an index does not depend on how it came about."""
    known = {} if previous is None else {row.doc_id: row for row in previous.rows.documents()}
    same = previous is not None and previous.same_rows
    kept = {i for i, digest in wanted.items() if same and i in known and known[i].stored_hash == digest}
    plan = Plan()
    source = _documents(
        store, corpus, [doc_id for doc_id in sorted(wanted) if doc_id not in kept], len(wanted)
    )
    fetched = next(source, None)
    for doc_id in sorted(wanted):
        old = known.get(doc_id)
        old_spans = previous.rows.of_document(old) if previous and old else []
        if doc_id in kept and old is not None:
            _append(plan, _moved(old, len(plan.texts)), old_spans, old, old_spans, previous)
            continue
        while fetched is not None and fetched.doc_id < doc_id:
            fetched = next(source, None)
        if fetched is None or fetched.doc_id != doc_id:
            continue
        spans = [_span_row(span) for span in spans_of(fetched)]
        row = document_row(fetched, wanted[doc_id], len(plan.texts), spans)
        _append(plan, row, spans, old, old_spans, previous)
    return plan


def _documents(store: DocumentStore, corpus: str, doc_ids: list[str], total: int) -> Iterator[Document]:
    if 2 * len(doc_ids) > total:
        wanted = set(doc_ids)
        yield from sorted(
            (d for d in store.iter_documents(corpus) if d.doc_id in wanted), key=lambda d: d.doc_id
        )
        return
    for doc_id in doc_ids:
        document = store.get_document(corpus, doc_id)
        if document is not None:
            yield document


def _moved(row: DocumentRow, first_row: int) -> DocumentRow:
    return DocumentRow(**{**vars(row), "first_row": first_row})


def _span_row(span: Span) -> SpanRow:
    chunk, n = span.span_id.rpartition("#")[2].split(".")
    key = hashlib.sha256(vector_text(span.text, span.context).encode()).digest()[:16]
    return SpanRow(int(chunk), int(n), span.start, span.end, span.text, span.section, span.context, key)


def _append(
    plan: Plan,
    row: DocumentRow,
    spans: Sequence[SpanRow],
    old: DocumentRow | None,
    old_spans: Sequence[SpanRow],
    previous: Previous | None,
) -> None:
    usable = old is not None and previous is not None and previous.vectors is not None
    by_key = {span.key: old.first_row + i for i, span in enumerate(old_spans)} if usable and old else {}
    for i, span in enumerate(spans):
        if span.key in by_key:
            plan.reused.append((row.first_row + i, by_key[span.key]))
        else:
            plan.fresh.append((row.first_row + i, vector_text(span.text, span.context)))
    plan.documents.append((row, spans))
    plan.texts.extend(spans)
    plan.titles.extend([row.title] * len(spans))


def _write_vectors(
    path: Path, plan: Plan, previous: Previous | None, embedder: Embedder, progress: Progress | None
) -> None:
    vectors = np.zeros((len(plan.texts), embedder.dimension), dtype=np.float32)
    if previous is not None and previous.vectors is not None and plan.reused:
        pairs = np.array(plan.reused, dtype=np.int64)
        vectors[pairs[:, 0]] = previous.vectors[pairs[:, 1]]
    for start in range(0, len(plan.fresh), BATCH):
        batch = plan.fresh[start : start + BATCH]
        vectors[[row for row, _ in batch]] = embedder.embed([text for _, text in batch])
        if progress is not None:
            progress(start + len(batch), len(plan.fresh))
    np.save(path, vectors, allow_pickle=False)


def _bm25_rows(plan: Plan) -> list[list[str]]:
    """Tokens of each span, and those words of its title that it does not have itself.

    So a sentence that says only "she" is found by the name in the title.
    """
    analyzer = Analyzer()
    titles: dict[str, list[str]] = {}
    rows = []
    for span, title in zip(plan.texts, plan.titles, strict=True):
        if title not in titles:
            titles[title] = list(dict.fromkeys(analyzer.stems(title)))
        own = analyzer.stems(span.text)
        present = set(own)
        rows.append(own + [stem for stem in titles[title] if stem not in present])
    return rows
