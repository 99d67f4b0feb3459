"""Known images in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.engine import Engine
from sqlmodel import col, delete, func, select

from evidence.types import KnownImage
from store.engine import reading, upsert, writing
from store.tables import KnownImageChangeRow, KnownImageRow

_MANY = 500
"""Ids in one query."""


class KnownImageStore:
    """The index of known images, one transaction a method. Raises ``InputError`` when it cannot serve."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, images: Sequence[KnownImage]) -> int:
        """Insert or replace; how many."""
        if not images:
            return 0
        rows = [_to_row(known) for known in images]
        with writing(self._engine) as session:
            statement = upsert(self._engine, KnownImageRow)
            columns = {name: statement.excluded[name] for name in rows[0] if name != "image_id"}
            statement = statement.on_conflict_do_update(index_elements=["image_id"], set_=columns)
            session.exec(statement, params=rows)
        return len(rows)

    def get(self, image_id: str) -> KnownImage | None:
        """One image by its whole id."""
        with reading(self._engine) as session:
            row = session.get(KnownImageRow, image_id)
        return _to_image(row) if row is not None else None

    def ids(self, beginning: str = "") -> tuple[str, ...]:
        """Ids that begin so, sorted."""
        with reading(self._engine) as session:
            query = select(KnownImageRow.image_id).order_by(col(KnownImageRow.image_id))
            if beginning:
                query = query.where(col(KnownImageRow.image_id).startswith(beginning, autoescape=True))
            return tuple(session.exec(query))

    def page(self, limit: int, offset: int = 0) -> tuple[KnownImage, ...]:
        """Images by day of publication, newest first, then by name; undated ones last."""
        with reading(self._engine) as session:
            order = (col(KnownImageRow.published).desc().nulls_last(), col(KnownImageRow.name))
            rows = session.exec(select(KnownImageRow).order_by(*order).offset(offset).limit(limit)).all()
        return tuple(_to_image(row) for row in rows)

    def count(self) -> int:
        """How many there are."""
        with reading(self._engine) as session:
            return session.exec(select(func.count()).select_from(KnownImageRow)).one()

    def revision(self) -> int:
        """Grows with every picture that is added or removed."""
        with reading(self._engine) as session:
            return session.exec(select(KnownImageChangeRow.revision)).one()

    def hashes(self) -> tuple[tuple[str, bytes], ...]:
        """Ids with their hashes, by id: what a hash index is built from."""
        with reading(self._engine) as session:
            query = select(KnownImageRow.image_id, KnownImageRow.hashes).order_by(col(KnownImageRow.image_id))
            return tuple((image_id, hashes) for image_id, hashes in session.exec(query))

    def features(self, ids: Sequence[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Ids with their local features, by id; of ``ids`` where they are given."""
        for part in [None] if ids is None else [ids[n : n + _MANY] for n in range(0, len(ids), _MANY)]:
            with reading(self._engine) as session:
                query = select(KnownImageRow.image_id, KnownImageRow.features)
                if part is not None:
                    query = query.where(col(KnownImageRow.image_id).in_(part))
                yield from session.exec(query.order_by(col(KnownImageRow.image_id)))

    def vectors(self) -> tuple[tuple[str, bytes], ...]:
        """Ids with their CLIP vectors, by id; those without one are left out."""
        with reading(self._engine) as session:
            query = select(KnownImageRow.image_id, KnownImageRow.vector).order_by(col(KnownImageRow.image_id))
            return tuple((image_id, vector) for image_id, vector in session.exec(query) if vector)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove images; how many there were."""
        with writing(self._engine) as session:
            found = session.exec(delete(KnownImageRow).where(col(KnownImageRow.image_id).in_(ids)))
        return int(found.rowcount)


def _to_row(known: KnownImage) -> dict[str, str | int | bytes | None]:
    """Column values of a known image."""
    fields = known.model_dump()
    for name in ("published", "taken"):
        fields[name] = fields[name].isoformat() if fields[name] else None
    return fields


def _to_image(row: KnownImageRow) -> KnownImage:
    """The domain record of a row, validated."""
    return KnownImage.model_validate(row.model_dump())
