"""Known images in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.engine import Engine
from sqlmodel import col, delete, func, select

from evidence.types import KnownImage
from store.engine import fetched, reading, store_rows, writing
from store.tables import KnownImageChangeRow, KnownImageRow

_ID = col(KnownImageRow.image_id)
_MANY = 500
"""Ids in one query."""


class KnownImageStore:
    """The index of known images, one transaction a method. Raises ``InputError`` when it cannot serve."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, images: Sequence[KnownImage]) -> int:
        """Insert or replace; how many."""
        store_rows(self._engine, KnownImageRow, [known.model_dump() for known in images], replace=True)
        return len(images)

    def get(self, image_id: str) -> KnownImage | None:
        """One image by its whole id."""
        with reading(self._engine) as session:
            row = session.get(KnownImageRow, image_id)
        return _to_image(row) if row is not None else None

    def many(self, ids: Sequence[str]) -> dict[str, KnownImage]:
        """Those of some images that are there, by their ids."""
        rows = fetched(self._engine, select(KnownImageRow).where(_ID.in_(ids)))
        return {row.image_id: _to_image(row) for row in rows}

    def ids(self, beginning: str = "") -> tuple[str, ...]:
        """Ids that begin so, sorted."""
        begins = _ID.startswith(beginning, autoescape=True)
        return tuple(fetched(self._engine, select(KnownImageRow.image_id).where(begins).order_by(_ID)))

    def page(self, limit: int, offset: int = 0) -> tuple[KnownImage, ...]:
        """Images by day of publication, newest first, then by name; undated ones last."""
        order = (col(KnownImageRow.published).desc().nulls_last(), col(KnownImageRow.name))
        rows = fetched(self._engine, select(KnownImageRow).order_by(*order).offset(offset).limit(limit))
        return tuple(_to_image(row) for row in rows)

    def count(self) -> int:
        """How many there are."""
        return fetched(self._engine, select(func.count()).select_from(KnownImageRow))[0]

    def revision(self) -> int:
        """Grows with every picture that is added or removed."""
        return fetched(self._engine, select(KnownImageChangeRow.revision))[0]

    def hashes(self) -> tuple[tuple[str, bytes], ...]:
        """Ids with their hashes, by id: what a hash index is built from."""
        return tuple(fetched(self._engine, select(KnownImageRow.image_id, KnownImageRow.hashes).order_by(_ID)))

    def features(self, ids: Sequence[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Ids with their local features, by id; of ``ids`` where they are given."""
        query = select(KnownImageRow.image_id, KnownImageRow.features).order_by(_ID)
        parts = (
            [query] if ids is None else [query.where(_ID.in_(ids[n : n + _MANY])) for n in range(0, len(ids), _MANY)]
        )
        for part in parts:
            yield from fetched(self._engine, part)

    def vectors(self) -> tuple[tuple[str, bytes], ...]:
        """Ids with their CLIP vectors, by id; those without one are left out."""
        found = fetched(self._engine, select(KnownImageRow.image_id, KnownImageRow.vector).order_by(_ID))
        return tuple((image_id, vector) for image_id, vector in found if vector)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove images; how many there were."""
        with writing(self._engine) as session:
            found = session.exec(delete(KnownImageRow).where(col(KnownImageRow.image_id).in_(ids)))
        return int(found.rowcount)


def _to_image(row: KnownImageRow) -> KnownImage:
    """The domain record of a row, validated."""
    return KnownImage.model_validate(row.model_dump())
