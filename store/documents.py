"""Documents in the database: the ``DocumentStore`` port of ``evidence``."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import inspect
from sqlalchemy.engine import Engine
from sqlmodel import Session, col, delete, func, select, update

from evidence.types import AddResult, CorpusInfo, Document, Locator
from factdesk.kernel import InputError, sha256_text
from store.engine import fetched, paged, put_rows, reading, writing
from store.tables import CorpusRow, DocumentRow

_PAGE = 200
_FEW = 1_000
"""Documents up to which a corpus is asked for their hashes alone, and not for those of all."""


class SqlDocumentStore:
    """Implements :class:`evidence.types.DocumentStore` on an engine of :func:`store.engine.open_engine`. Every method
    is one transaction and raises ``InputError`` when the database cannot serve it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def engine(self) -> Engine:
        """The engine it works on, for stores that keep more beside the documents."""
        return self._engine

    def put_documents(self, corpus: str, documents: Sequence[Document]) -> AddResult:
        """Insert or replace, all or nothing; makes the corpus when missing. A document is unchanged when text and
        metadata are (the day of retrieval aside). A second document with the same id but other content is not written;
        ``skipped`` names it. Raises ``InputError`` when a ``sha256`` is not that of the text.
        """
        _check_corpus(corpus)
        rows, skipped = _rows(corpus, documents)
        with writing(self._engine) as session:
            known = _hashes(session, corpus, [row["doc_id"] or "" for row in rows])
            changed = [row for row in rows if known.get(row["doc_id"] or "") != row["row_sha256"]]
            if changed or session.get(CorpusRow, corpus) is None:
                _touch(session, corpus)
            put_rows(session, DocumentRow, changed, replace=True)
        replaced = sum(row["doc_id"] in known for row in changed)
        return AddResult(
            corpus=corpus,
            added=len(changed) - replaced,
            unchanged=len(rows) - len(changed),
            replaced=replaced,
            skipped=tuple(skipped),
        )

    def get_document(self, corpus: str, doc_id: str) -> Document | None:
        """One document, or ``None``."""
        with reading(self._engine) as session:
            row = session.get(DocumentRow, (corpus, doc_id))
            return _to_document(row) if row is not None else None

    def get_documents(self, corpus: str, doc_ids: Iterable[str]) -> dict[str, Document]:
        """Those of some documents that there are, by id; read as one state of the corpus."""
        wanted = sorted(set(doc_ids))
        found: dict[str, Document] = {}
        with reading(self._engine) as session:
            for first in range(0, len(wanted), _PAGE):
                statement = select(DocumentRow).where(
                    DocumentRow.corpus == corpus, col(DocumentRow.doc_id).in_(wanted[first : first + _PAGE])
                )
                found |= {row.doc_id: _to_document(row) for row in session.exec(statement)}
        return found

    def iter_documents(self, corpus: str) -> Iterator[Document]:
        """All documents in the order of their ids, read in pages: no lock is held between them."""
        for page in paged(self._engine, DocumentRow, col(DocumentRow.doc_id), _PAGE, DocumentRow.corpus == corpus):
            yield from map(_to_document, page)

    def state(self, corpus: str) -> str:
        """Time of the last change, another one after each change; empty for an unknown corpus."""
        return next(iter(fetched(self._engine, select(CorpusRow.updated).where(CorpusRow.name == corpus))), "")

    def document_hashes(self, corpus: str) -> dict[str, str]:
        """``doc_id -> sha256`` over text and metadata (the day of retrieval aside)."""
        with reading(self._engine) as session:
            return _hashes(session, corpus)

    def remove_documents(self, corpus: str, doc_ids: Sequence[str]) -> int:
        """Remove documents by id; how many there were."""
        with writing(self._engine) as session:
            present = set(doc_ids) & _hashes(session, corpus, doc_ids).keys()
            removed = delete(DocumentRow).where(col(DocumentRow.corpus) == corpus)
            for doc_id in sorted(present):
                session.exec(removed.where(col(DocumentRow.doc_id) == doc_id))
            if present:
                _touch(session, corpus)
        return len(present)

    def drop_corpus(self, corpus: str) -> bool:
        """Remove a corpus with all its documents; whether there was one."""
        with writing(self._engine) as session:
            return session.exec(delete(CorpusRow).where(col(CorpusRow.name) == corpus)).rowcount > 0

    def list_corpora(self) -> tuple[CorpusInfo, ...]:
        """All corpora by name."""
        statement = (
            select(CorpusRow, func.count(col(DocumentRow.doc_id)))
            .outerjoin(DocumentRow, col(DocumentRow.corpus) == col(CorpusRow.name))
            .group_by(*inspect(CorpusRow).columns)
            .order_by(CorpusRow.name)
        )
        return tuple(
            CorpusInfo(name=row.name, documents=documents, spans=row.span_count, updated=row.updated)
            for row, documents in fetched(self._engine, statement)
        )

    def set_span_count(self, corpus: str, n: int) -> None:
        """Keep how many spans the index made of a corpus. Raises ``InputError`` for an unknown one."""
        if n < 0:
            raise InputError(f"a corpus cannot have {n!r} spans; give 0 or more")
        if list(fetched(self._engine, select(CorpusRow.span_count).where(CorpusRow.name == corpus))) == [n]:
            return
        with writing(self._engine) as session:
            statement = update(CorpusRow).where(col(CorpusRow.name) == corpus).values(span_count=n)
            if session.exec(statement).rowcount == 0:
                raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows those there are")


def document_hash(document: Document) -> str:
    """Hex SHA-256 over text and metadata, without the day of retrieval: fetched again is not changed."""
    fields = document.model_dump(mode="json", exclude={"retrieved"})
    return sha256_text(json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def _to_row(corpus: str, document: Document) -> dict[str, str | None]:
    """Column values of a document."""
    return {
        "corpus": corpus,
        "row_sha256": document_hash(document),
        **document.model_dump(mode="json", exclude={"locators"}),
        "locators": json.dumps([[found.start, found.place] for found in document.locators]),
    }


def _to_document(row: DocumentRow) -> Document:
    """The domain record of a row, validated."""
    fields = row.model_dump(exclude={"corpus", "row_sha256", "locators"})
    places = tuple(Locator(start=start, place=place) for start, place in json.loads(row.locators))
    return Document.model_validate({**fields, "locators": places})


def _rows(corpus: str, documents: Sequence[Document]) -> tuple[list[dict[str, str | None]], list[tuple[str, str]]]:
    """Column values, one row an id, and the documents left out with the reason."""
    rows: dict[str, dict[str, str | None]] = {}
    skipped: list[tuple[str, str]] = []
    for document in documents:
        if not document.doc_id:
            raise InputError(f"a document titled {document.title!r} has an empty doc_id; give it one")
        if sha256_text(document.text) != document.sha256:
            raise InputError(f"document {document.doc_id!r} has the hash {document.sha256!r}, which is not its text's")
        row = _to_row(corpus, document)
        first = rows.setdefault(document.doc_id, row)
        if first["row_sha256"] != row["row_sha256"]:
            skipped.append((document.source or document.doc_id, f"another document has the id {document.doc_id!r}"))
    return list(rows.values()), skipped


def _check_corpus(corpus: str) -> None:
    if not corpus.strip() or not corpus.isprintable() or len(corpus) > 200:
        raise InputError(f"the corpus name {corpus!r} must have 1 to 200 printable characters")


def _hashes(session: Session, corpus: str, doc_ids: Collection[str] | None = None) -> dict[str, str]:
    """Of all documents; where few are named, of these alone."""
    statement = select(DocumentRow.doc_id, DocumentRow.row_sha256).where(DocumentRow.corpus == corpus)
    if doc_ids is not None and len(doc_ids) <= _FEW:
        statement = statement.where(col(DocumentRow.doc_id).in_(doc_ids))
    rows = session.connection().execute(statement.order_by(DocumentRow.doc_id))  # records would cost as much
    return {row[0]: row[1] for row in rows.all()}


def _touch(session: Session, corpus: str) -> None:
    """Make the corpus row, or set its time of change: a later one than before, whatever the clock says."""
    row = session.get(CorpusRow, corpus) or CorpusRow(name=corpus, updated="")
    now = datetime.now(UTC)
    if row.updated:
        now = max(now, datetime.fromisoformat(row.updated) + timedelta(microseconds=1))
    row.updated = now.isoformat(timespec="microseconds")
    session.add(row)
    session.flush()
