"""Claims of documents and how they bear on each other, kept between runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from sqlalchemy import inspect
from sqlalchemy import select as select_columns
from sqlalchemy.engine import Engine, Row
from sqlmodel import Session, SQLModel, col, delete, insert, update

from factdesk.kernel import Record
from store.engine import put_rows, reading, store_rows, writing
from store.tables import TrustClaimRow, TrustDocumentRow, TrustRelationRow, TrustSeedRow
from store.types import StoredClaim, StoredDocument, StoredRelation

SeedKind = Literal["document", "publisher"]


class TrustStore:
    """Reads and writes the trust tables; every method is one transaction. Raises ``InputError``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def documents(self, corpus: str) -> dict[str, StoredDocument]:
        """Documents whose claims are known, by id."""
        rows = self._rows(TrustDocumentRow, corpus, "doc_id")
        return {row.doc_id: StoredDocument(**row._asdict()) for row in rows}

    def put_document(self, corpus: str, document: StoredDocument, claims: Sequence[StoredClaim]) -> None:
        """Replace what is known of a document; relations of its earlier claims go."""
        with writing(self._engine) as session:
            session.exec(_of_document(corpus, document.doc_id))
            row = {"corpus": corpus, **document.model_dump(), "paired": int(document.paired)}
            session.exec(insert(TrustDocumentRow), params=[row])
            if claims:
                session.exec(insert(TrustClaimRow), params=_in_corpus(corpus, claims))

    def remove_documents(self, corpus: str, doc_ids: Iterable[str]) -> None:
        """Forget the claims of documents, and all relations to them."""
        with writing(self._engine) as session:
            for doc_id in sorted(doc_ids):
                session.exec(_of_document(corpus, doc_id))

    def claims(self, corpus: str) -> list[StoredClaim]:
        """All claims in the order of their ids."""
        return [StoredClaim(**row._asdict()) for row in self._rows(TrustClaimRow, corpus, "claim_id")]

    def put_pairs(self, corpus: str, relations: Sequence[StoredRelation], paired: Iterable[str]) -> None:
        """Insert relations that are not there yet, and mark documents as paired, all or nothing."""
        marked = update(TrustDocumentRow).where(col(TrustDocumentRow.corpus) == corpus).values(paired=1)
        with writing(self._engine) as session:
            put_rows(session, TrustRelationRow, _in_corpus(corpus, relations), replace=False)
            for doc_id in sorted(paired):
                session.exec(marked.where(col(TrustDocumentRow.doc_id) == doc_id))

    def put_relations(self, corpus: str, relations: Sequence[StoredRelation]) -> None:
        """Insert or replace."""
        store_rows(self._engine, TrustRelationRow, _in_corpus(corpus, relations), replace=True)

    def relations(self, corpus: str) -> list[StoredRelation]:
        """All relations in the order of their ends."""
        rows = self._rows(TrustRelationRow, corpus, "source", "target")
        return [StoredRelation(**row._asdict()) for row in rows]

    def bearing(self, corpus: str, doc_id: str) -> list[tuple[StoredClaim, StoredClaim]]:
        """Claims of other documents that support or refute one of a document's: (theirs, its own), refutations
        first.
        """
        with reading(self._engine) as session:
            own = {c.claim_id: c for c in self._claims_where(session, corpus, col(TrustClaimRow.doc_id) == doc_id)}
            ends = col(TrustRelationRow.source), col(TrustRelationRow.target), col(TrustRelationRow.weight)
            scored = select_columns(*ends).where(
                col(TrustRelationRow.corpus) == corpus,
                col(TrustRelationRow.target).in_(list(own)),
                col(TrustRelationRow.weight) != 0,
            )
            found = sorted(session.connection().execute(scored).all(), key=lambda r: (r.weight, r.target, r.source))
            sources = col(TrustClaimRow.claim_id).in_(sorted({r.source for r in found}))
            others = {c.claim_id: c for c in self._claims_where(session, corpus, sources)}
        return [(others[r.source], own[r.target]) for r in found]

    @staticmethod
    def _claims_where(session: Session, corpus: str, condition: Any) -> list[StoredClaim]:
        columns = [getattr(TrustClaimRow, name) for name in StoredClaim.model_fields]
        wanted = select_columns(*columns).where(col(TrustClaimRow.corpus) == corpus, condition)
        return [StoredClaim(**row._asdict()) for row in session.connection().execute(wanted)]

    def add_seeds(self, corpus: str, kind: SeedKind, names: Iterable[str]) -> None:
        """Name documents or publishers as trusted; naming them again changes nothing."""
        rows = [{"corpus": corpus, "kind": kind, "name": name} for name in sorted(set(names))]
        store_rows(self._engine, TrustSeedRow, rows, replace=False)

    def remove_seeds(self, corpus: str, kind: SeedKind, names: Iterable[str]) -> int:
        """No longer name them as trusted; how many were."""
        named = delete(TrustSeedRow).where(
            col(TrustSeedRow.corpus) == corpus, col(TrustSeedRow.kind) == kind, col(TrustSeedRow.name).in_(set(names))
        )
        with writing(self._engine) as session:
            return int(session.exec(named).rowcount)

    def seeds(self, corpus: str) -> list[tuple[SeedKind, str]]:
        """Kind and name of all seeds, sorted."""
        rows = self._rows(TrustSeedRow, corpus, "kind", "name")
        return [("document" if row.kind == "document" else "publisher", row.name) for row in rows]

    def _rows(self, table: type[SQLModel], corpus: str, *order: str) -> Sequence[Row[Any]]:
        """All columns but the corpus; plain rows, since records of a large corpus cost much."""
        columns = {c.name: c for c in inspect(table).columns}
        wanted = [column for name, column in columns.items() if name != "corpus"]
        statement = select_columns(*wanted).where(columns["corpus"] == corpus)
        with reading(self._engine) as session:
            return session.connection().execute(statement.order_by(*(columns[o] for o in order))).all()


def _of_document(corpus: str, doc_id: str) -> Any:
    return delete(TrustDocumentRow).where(
        col(TrustDocumentRow.corpus) == corpus, col(TrustDocumentRow.doc_id) == doc_id
    )


def _in_corpus(corpus: str, records: Sequence[Record]) -> list[dict[str, Any]]:
    return [{"corpus": corpus, **record.model_dump()} for record in records]
