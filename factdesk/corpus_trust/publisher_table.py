"""Reading a user's table of publishers."""

from __future__ import annotations

import csv
from pathlib import Path

from factdesk.kernel import InputError

_YES, _NO = frozenset({"yes", "true", "1", ""}), frozenset({"no", "false", "0"})


def read_publishers(path: Path) -> tuple[list[str], list[str]]:
    """Publishers that are trusted, and those that are not; both sorted. Raises ``InputError`` for a table without the
    column ``publisher``, a ``trusted`` that is neither yes nor no, a publisher that stands on both sides, and a file
    that is no UTF-8.
    """
    trusted, others = set[str](), set[str]()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if "publisher" not in (reader.fieldnames or ()):
                raise InputError(f"{path.name} has no column 'publisher'; its first line names the columns")
            for number, row in enumerate(reader, 2):
                name, word = (row["publisher"] or "").strip(), (row.get("trusted") or "").strip().lower()
                if word not in _YES | _NO:
                    raise InputError(f"{path.name} line {number}: trusted is {word!r}; write yes or no")
                if name:
                    (trusted if word in _YES else others).add(name)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from error
    both = sorted(trusted & others)
    if both:
        raise InputError(f"{path.name} names {both[0]!r} as trusted and as not; keep one line")
    return sorted(trusted), sorted(others)
