"""Knowledge graphs in the database: the ``GraphStore`` port of ``evidence``."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Engine
from sqlmodel import col, delete, select

from evidence.graph.types import DocumentTriples, Entity, Triple
from factdesk.kernel import InputError
from store.engine import fetched, put_rows, writing
from store.tables import CorpusRow, GraphDocumentRow, GraphEntityRow, GraphTripleRow


class SqlGraphStore:
    """Implements :class:`evidence.graph.types.GraphStore` on an engine of :func:`store.engine.open_engine`. Every
    method is one transaction and raises ``InputError`` when the database cannot serve it. A graph goes with its corpus.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def graph_documents(self, corpus: str) -> dict[str, tuple[str, str]]:
        """``doc_id -> (row_sha256, extractor)`` of what the stored graph holds."""
        columns = (GraphDocumentRow.doc_id, GraphDocumentRow.row_sha256, GraphDocumentRow.extractor)
        rows = fetched(self._engine, select(*columns).where(GraphDocumentRow.corpus == corpus))
        return {doc_id: (row_sha256, extractor) for doc_id, row_sha256, extractor in rows}

    def put_triples(self, corpus: str, documents: Sequence[DocumentTriples], removed: Sequence[str] = ()) -> None:
        """Replace the triples of these documents and drop those of others, in one transaction."""
        with writing(self._engine) as session:
            if session.get(CorpusRow, corpus) is None:
                raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows those there are")
            for doc_id in sorted({*removed, *(d.doc_id for d in documents)}):
                for table in (GraphTripleRow, GraphDocumentRow):
                    session.exec(delete(table).where(col(table.corpus) == corpus, col(table.doc_id) == doc_id))
            heads = [{"corpus": corpus, **d.model_dump(exclude={"triples"})} for d in documents]
            put_rows(session, GraphDocumentRow, heads, replace=False)
            rows = [
                {"corpus": corpus, "doc_id": d.doc_id, "number": i, "triple_json": t.model_dump_json()}
                for d in documents
                for i, t in enumerate(d.triples)
            ]
            put_rows(session, GraphTripleRow, rows, replace=False)

    def triples(self, corpus: str) -> tuple[Triple, ...]:
        """All triples in the order of documents and of their places in them."""
        statement = (
            select(GraphTripleRow.triple_json)
            .where(GraphTripleRow.corpus == corpus)
            .order_by(GraphTripleRow.doc_id, col(GraphTripleRow.number))
        )
        return tuple(Triple.model_validate_json(text) for text in fetched(self._engine, statement))

    def put_entities(self, corpus: str, entities: Sequence[Entity]) -> None:
        """Replace the merged entities of a corpus."""
        with writing(self._engine) as session:
            session.exec(delete(GraphEntityRow).where(col(GraphEntityRow.corpus) == corpus))
            rows = [{"corpus": corpus, "entity_id": e.entity_id, "entity_json": e.model_dump_json()} for e in entities]
            put_rows(session, GraphEntityRow, rows, replace=False)

    def entities(self, corpus: str) -> tuple[Entity, ...]:
        """All entities by id."""
        statement = (
            select(GraphEntityRow.entity_json).where(GraphEntityRow.corpus == corpus).order_by(GraphEntityRow.entity_id)
        )
        return tuple(Entity.model_validate_json(text) for text in fetched(self._engine, statement))

    def drop_graph(self, corpus: str) -> bool:
        """Remove a corpus's graph, not its documents; whether there was one."""
        with writing(self._engine) as session:
            tables = (GraphEntityRow, GraphTripleRow, GraphDocumentRow)
            gone = [session.exec(delete(table).where(col(table.corpus) == corpus)).rowcount for table in tables]
            return gone[-1] > 0
