"""BM25 (Lucene variant) from what a full-text table without positions gives: which rows have which word. Such a table
counts a word once a row, so the n-th time that a row has a word it is written as ``word=n``. Scores depend on all rows
that count and are worked out for each query; the numbers are those of the library bm25s, bit for bit (tested).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75
Rows = NDArray[np.int64]
_OTHER = re.compile(r"[^0-9a-z.,\x80-\U0010ffff]")


@lru_cache(maxsize=1 << 16)
def term(word: str, times: int = 1) -> str:
    """A word as the table has it, where a row has it for the ``times``-th time. One to one."""
    plain = _OTHER.sub(lambda match: f"_{ord(match.group())}_", word)
    return plain if times == 1 else f"{plain}={times}"


def terms(words: Sequence[str]) -> str:
    """The words of a row as one text."""
    if len(set(words)) == len(words):
        return " ".join(map(term, words))
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append(term(word, seen[word]))
    return " ".join(found)


def idf(rows: int, frequency: int) -> float:
    """How telling a word is: ``ln(1 + (N - df + 0.5) / (df + 0.5))``; highest for unknown ones."""
    return float(np.log1p((rows - frequency + 0.5) / (frequency + 0.5)))


def scores(postings: Sequence[tuple[Rows, Rows]], lengths: NDArray[np.int32], total: int) -> NDArray[np.float32]:
    """Scores of all rows. *Shape:* (n_rows,), 0 upwards. ``postings``: for each word of the query the rows that have
    it, and how often; ``lengths``: words of each row, *shape* (n_rows,); ``total``: words of all rows.
    """
    found = np.zeros(len(lengths), dtype=np.float32)
    average = total / len(lengths) if len(lengths) else 0.0
    for rows, counts in postings:
        if len(rows):
            weight = math.log(1 + (len(lengths) - len(rows) + 0.5) / (len(rows) + 0.5))
            tempered = K1 * ((1 - B) + B * lengths[rows] / average) + counts
            found[rows] += (np.float64(np.float32(weight)) * (counts / tempered)).astype(np.float32)
    return found
