"""BM25 (Lucene variant) over segments that never change, as if they were one index.

A segment keeps which rows have which words how often, and no scores: these depend on all rows that count,
so they are worked out for each query. The numbers are those of the library bm25s, bit for bit (tested).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75
Rows = NDArray[np.int64]
_STARTS, _ROWS, _COUNTS, _LENGTHS = "starts.npy", "rows.npy", "counts.npy", "lengths.npy"


@dataclass(frozen=True)
class Postings:
    """For each word the rows that have it, ascending, and how often; words by number."""

    starts: NDArray[np.int64]
    """*Shape:* (n_words + 1,); word ``i`` has the entries ``starts[i]`` to ``starts[i + 1]``."""
    rows: NDArray[np.int32]
    counts: NDArray[np.unsignedinteger]
    lengths: NDArray[np.int32]
    """Words of each row. *Shape:* (n_rows,)."""

    def of(self, number: int) -> slice:
        """Where a word's entries stand."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))


@dataclass(frozen=True)
class Counted:
    """Postings with their words: sorted, the number of a word being its place."""

    words: Sequence[str]
    postings: Postings


def counted(rows: Iterable[Sequence[str]]) -> Counted:
    """Count the words of each row."""
    seen: dict[str, int] = {}
    flat, lengths = array("q"), array("i")
    for row in rows:
        lengths.append(len(row))
        flat.extend(seen.setdefault(word, len(seen)) for word in row)
    words = sorted(seen)
    rank = np.empty(len(seen), dtype=np.int64)
    rank[[seen[word] for word in words]] = np.arange(len(words))
    each = np.frombuffer(lengths, dtype=np.int32) if lengths else np.zeros(0, dtype=np.int32)
    numbers = rank[np.frombuffer(flat, dtype=np.int64)] if flat else np.zeros(0, dtype=np.int64)
    row_of = np.repeat(np.arange(len(each), dtype=np.int64), each)
    keys, counts = np.unique(numbers * max(len(each), 1) + row_of, return_counts=True)
    word, row = np.divmod(keys, max(len(each), 1))
    return Counted(words, _packed(len(words), word, row, counts, each.copy()))


def joined(parts: Sequence[tuple[Counted, Rows]], total: int) -> Counted:
    """Several postings as one; the arrays say which new row each old one becomes, -1 for none."""
    words = sorted({word for part, _ in parts for word in part.words})
    place = {word: number for number, word in enumerate(words)}
    found: list[tuple[Rows, Rows, Rows]] = []
    lengths = np.zeros(total, dtype=np.int32)
    for part, new in parts:
        old = part.postings
        numbers = np.array([place[word] for word in part.words], dtype=np.int64)
        word = np.repeat(numbers, np.diff(old.starts))
        row = new[np.asarray(old.rows)]
        live = row >= 0
        found.append((word[live], row[live], np.asarray(old.counts)[live].astype(np.int64)))
        lengths[new[new >= 0]] = np.asarray(old.lengths)[new >= 0]
    word, row, counts = (np.concatenate([item[i] for item in found]) for i in range(3))
    present = np.unique(word)
    if len(present) < len(words):
        words = [words[number] for number in present]
        word = np.searchsorted(present, word)
    order = np.lexsort((row, word))
    return Counted(words, _packed(len(words), word[order], row[order], counts[order], lengths))


def _packed(n: int, word: Rows, row: Rows, counts: Rows, lengths: NDArray[np.int32]) -> Postings:
    starts = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(word, minlength=n), out=starts[1:])
    small = int(counts.max(initial=0)) <= np.iinfo(np.uint16).max
    return Postings(starts, row.astype(np.int32), counts.astype(np.uint16 if small else np.uint32), lengths)


def save(folder: Path, postings: Postings) -> None:
    """Write the files, without the words."""
    folder.mkdir()
    np.save(folder / _STARTS, postings.starts, allow_pickle=False)
    np.save(folder / _ROWS, postings.rows, allow_pickle=False)
    np.save(folder / _COUNTS, postings.counts, allow_pickle=False)
    np.save(folder / _LENGTHS, postings.lengths, allow_pickle=False)


def load(folder: Path, entries: int, rows: int) -> Postings:
    """Open the files, memory-mapped. Raises what reading raises, and ``ValueError`` where they disagree."""
    postings = Postings(
        starts=mapped(folder / _STARTS, 1),
        rows=mapped(folder / _ROWS, entries),
        counts=mapped(folder / _COUNTS, entries),
        lengths=mapped(folder / _LENGTHS, rows),
    )
    shapes = (postings.rows.shape, postings.counts.shape, postings.lengths.shape)
    if shapes != ((entries,), (entries,), (rows,)) or not postings.starts.ndim == 1:
        raise ValueError(f"{str(folder)!r} has {shapes!r}, not {entries} entries of {rows} rows")
    return postings


def mapped(path: Path, entries: int) -> NDArray[Any]:
    """An array in a file, memory-mapped; an empty one cannot be, and is read.

    As a plain array, since slices of ``np.memmap`` cost more than what is done with them here.
    """
    return np.asarray(np.load(path, mmap_mode="r" if entries else None, allow_pickle=False))


class Part(Protocol):
    """A segment as this module needs it."""

    @property
    def postings(self) -> Postings: ...

    def word(self, token: str) -> int | None:
        """Number of a word, or ``None``."""
        ...


class Bm25:
    """BM25 over the rows that count."""

    def __init__(
        self, parts: Sequence[Part], order: NDArray[np.int32] | None, *, rows: int, words: int
    ) -> None:
        """``order`` gives each row of all parts its place among those that count, ``rows`` for the others.

        ``rows`` and ``words`` are totals over what counts; ``None`` stands for the order as it is.
        """
        self._parts, self._order, self._rows = tuple(parts), order, rows
        self._average = words / rows if rows else 0.0
        self._bases = [0]
        for part in parts:
            self._bases.append(self._bases[-1] + len(part.postings.lengths))

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """Scores of all rows. *Shape:* (n_rows,), 0 upwards. Repeated tokens count once."""
        scores = np.zeros(self._rows + 1, dtype=np.float32)
        for token in dict.fromkeys(tokens):
            found = self._found(token)
            frequency = self._live(found)
            if not frequency:
                continue
            idf = np.float64(np.float32(math.log(1 + (self._rows - frequency + 0.5) / (frequency + 0.5))))
            for rows, part, entries in found:
                counts = np.asarray(part.counts[entries]).astype(np.float64)
                lengths = part.lengths[part.rows[entries]]
                tempered = K1 * ((1 - B) + B * lengths / self._average) + counts
                scores[rows] += (idf * (counts / tempered)).astype(np.float32)
        return scores[: self._rows]

    def idf(self, token: str) -> float:
        """How telling a token is: ``ln(1 + (N - df + 0.5) / (df + 0.5))``; highest for unknown ones."""
        frequency = self._live(self._found(token))
        return float(np.log1p((self._rows - frequency + 0.5) / (frequency + 0.5)))

    def _found(self, token: str) -> list[tuple[NDArray[np.int32], Postings, slice]]:
        """For each part that has the token: places of its rows, and where its entries stand."""
        found = []
        for base, part in zip(self._bases, self._parts, strict=False):
            number = part.word(token)
            if number is None:
                continue
            entries = part.postings.of(number)
            rows = np.asarray(part.postings.rows[entries])
            found.append((rows if self._order is None else self._order[base + rows], part.postings, entries))
        return found

    def _live(self, found: Sequence[tuple[NDArray[np.int32], Postings, slice]]) -> int:
        if self._order is None:
            return sum(len(rows) for rows, _, _ in found)
        return sum(int(np.count_nonzero(rows < self._rows)) for rows, _, _ in found)
