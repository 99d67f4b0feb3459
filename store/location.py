"""Where the tables lie: a SQLite file, or a PostgreSQL database by its URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from factdesk.kernel import ConfigError

SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True)
class Postgres:
    """A PostgreSQL database. Its URL may hold a password, so it shows itself by :attr:`name` alone."""

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            whole = parts.scheme in SCHEMES and len(parts.path) > 1 and (parts.port or 1) > 0
        except ValueError:
            whole = False
        if not whole:
            raise ConfigError(
                "the address of the database is not one of PostgreSQL (not shown: it may hold a password); "
                "write it as postgresql://user@host/name, or leave it out for SQLite"
            )

    @property
    def name(self) -> str:
        """The address without password and options."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        user = f"{parts.username}@" if parts.username else ""
        return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"

    def __str__(self) -> str:
        return self.name


Place: TypeAlias = Path | Postgres


def exists(place: Place) -> bool:
    """Whether there is something to read; a server is taken to be there until it is asked."""
    return isinstance(place, Postgres) or place.is_file()
