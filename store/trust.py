"""Claims of documents and how they bear on each other, kept between runs (``m0006_trust``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from sqlalchemy import text as sql
from sqlalchemy.engine import Engine

from factdesk.kernel import Record
from store.engine import reading, writing

SeedKind = Literal["document", "publisher"]


class StoredClaim(Record):
    """A claim of a document with its vector (float32, little endian)."""

    claim_id: str
    doc_id: str
    start: int
    end: int
    source: str
    text: str
    vector: bytes


class StoredDocument(Record):
    """A document whose claims were drawn, from which state of it and by which rules."""

    doc_id: str
    row_sha256: str
    extraction: str
    dropped: int
    paired: bool = False
    """Its claims have looked for their neighbours."""


class StoredRelation(Record):
    """How a claim bears on another: ``weight`` -1 to 1, by the verifier ``model`` (sha256 of its weights;
    ``""``: near each other, and not scored yet)."""

    source: str
    target: str
    similarity: float
    weight: float
    model: str


class TrustStore:
    """Reads and writes the trust tables; every method is one transaction. Raises ``InputError``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def documents(self, corpus: str) -> dict[str, StoredDocument]:
        """Documents whose claims are known, by id."""
        with reading(self._engine) as session:
            rows = session.connection().execute(
                sql(
                    "SELECT doc_id, row_sha256, extraction, dropped, paired "
                    "FROM trust_document WHERE corpus = :c"
                ),
                {"c": corpus},
            )
            return {r.doc_id: StoredDocument(**r._asdict()) for r in rows}

    def put_document(self, corpus: str, document: StoredDocument, claims: Sequence[StoredClaim]) -> None:
        """Replace what is known of a document; relations of its earlier claims go."""
        with writing(self._engine) as session:
            connection = session.connection()
            key = {"c": corpus, "d": document.doc_id}
            connection.execute(sql("DELETE FROM trust_document WHERE corpus = :c AND doc_id = :d"), key)
            connection.execute(
                sql(
                    "INSERT INTO trust_document VALUES "
                    "(:c, :doc_id, :row_sha256, :extraction, :dropped, :paired)"
                ),
                {"c": corpus, **document.model_dump(), "paired": int(document.paired)},
            )
            if claims:
                connection.execute(
                    sql(
                        "INSERT INTO trust_claim VALUES "
                        "(:c, :claim_id, :doc_id, :start, :end, :source, :text, :vector)"
                    ),
                    [{"c": corpus, **claim.model_dump()} for claim in claims],
                )

    def remove_documents(self, corpus: str, doc_ids: Iterable[str]) -> None:
        """Forget the claims of documents, and all relations to them."""
        with writing(self._engine) as session:
            for doc_id in sorted(doc_ids):
                session.connection().execute(
                    sql("DELETE FROM trust_document WHERE corpus = :c AND doc_id = :d"),
                    {"c": corpus, "d": doc_id},
                )

    def claims(self, corpus: str) -> list[StoredClaim]:
        """All claims in the order of their ids."""
        with reading(self._engine) as session:
            rows = session.connection().execute(
                sql(
                    'SELECT claim_id, doc_id, start_at AS start, end_at AS "end", source, text, vector '
                    "FROM trust_claim WHERE corpus = :c ORDER BY claim_id"
                ),
                {"c": corpus},
            )
            return [StoredClaim(**r._asdict()) for r in rows]

    def put_pairs(self, corpus: str, relations: Sequence[StoredRelation], paired: Iterable[str]) -> None:
        """Insert relations that are not there yet, and mark documents as paired, all or nothing."""
        with writing(self._engine) as session:
            connection = session.connection()
            if relations:
                connection.execute(
                    sql(
                        "INSERT INTO trust_relation VALUES "
                        "(:c, :source, :target, :similarity, :weight, :model) ON CONFLICT DO NOTHING"
                    ),
                    [{"c": corpus, **relation.model_dump()} for relation in relations],
                )
            for doc_id in sorted(paired):
                connection.execute(
                    sql("UPDATE trust_document SET paired = 1 WHERE corpus = :c AND doc_id = :d"),
                    {"c": corpus, "d": doc_id},
                )

    def put_relations(self, corpus: str, relations: Sequence[StoredRelation]) -> None:
        """Insert or replace."""
        if not relations:
            return
        with writing(self._engine) as session:
            session.connection().execute(
                sql(
                    "INSERT INTO trust_relation VALUES "
                    "(:c, :source, :target, :similarity, :weight, :model) "
                    "ON CONFLICT (corpus, source, target) DO UPDATE SET "
                    "similarity = excluded.similarity, weight = excluded.weight, model = excluded.model"
                ),
                [{"c": corpus, **relation.model_dump()} for relation in relations],
            )

    def relations(self, corpus: str) -> list[StoredRelation]:
        """All relations in the order of their ends."""
        with reading(self._engine) as session:
            rows = session.connection().execute(
                sql(
                    "SELECT source, target, similarity, weight, model FROM trust_relation "
                    "WHERE corpus = :c ORDER BY source, target"
                ),
                {"c": corpus},
            )
            return [StoredRelation(**r._asdict()) for r in rows]

    def add_seeds(self, corpus: str, kind: SeedKind, names: Iterable[str]) -> None:
        """Name documents or publishers as trusted; naming them again changes nothing."""
        with writing(self._engine) as session:
            for name in sorted(set(names)):
                session.connection().execute(
                    sql("INSERT INTO trust_seed VALUES (:c, :k, :n) ON CONFLICT DO NOTHING"),
                    {"c": corpus, "k": kind, "n": name},
                )

    def remove_seeds(self, corpus: str, kind: SeedKind, names: Iterable[str]) -> int:
        """No longer name them as trusted; how many were."""
        count = 0
        with writing(self._engine) as session:
            for name in sorted(set(names)):
                found = session.connection().execute(
                    sql("DELETE FROM trust_seed WHERE corpus = :c AND kind = :k AND name = :n"),
                    {"c": corpus, "k": kind, "n": name},
                )
                count += found.rowcount
        return count

    def seeds(self, corpus: str) -> list[tuple[SeedKind, str]]:
        """Kind and name of all seeds, sorted."""
        with reading(self._engine) as session:
            rows = session.connection().execute(
                sql("SELECT kind, name FROM trust_seed WHERE corpus = :c ORDER BY kind, name"), {"c": corpus}
            )
            return [("document" if r.kind == "document" else "publisher", r.name) for r in rows]
