"""BM25 (Lucene variant) by bm25s: made once, saved, and opened memory-mapped."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from evidence.quickimport import without

if TYPE_CHECKING:
    from bm25s import BM25

K1 = 1.2
B = 0.75


def _class() -> type[BM25]:
    """bm25s without jax, numba, scipy and progress bars, none of which is needed here."""
    with without("jax", "jax.lax", "numba", "scipy", "scipy.sparse", "tqdm", "tqdm.auto"):
        import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return cast("type[BM25]", bm25s.BM25)


def build(folder: Path, rows: Sequence[Sequence[str]]) -> bool:
    """Write the index of these token lists; ``False`` (and no folder) where there is not one token."""
    vocabulary = {
        token: number for number, token in enumerate(sorted({token for row in rows for token in row}))
    }
    if not vocabulary:
        return False
    ids = [[vocabulary[token] for token in row] for row in rows]
    model = _class()(method="lucene", k1=K1, b=B)
    model.index((ids, vocabulary), create_empty_token=False, show_progress=False)
    model.save(str(folder), show_progress=False)
    return True


class Bm25:
    """A saved index, memory-mapped."""

    def __init__(self, folder: Path | None, rows: int) -> None:
        """``folder=None`` stands for an index without a single token. Raises what reading raises."""
        self._rows = rows
        self._model = None if folder is None else _class().load(str(folder), mmap=True, show_progress=False)

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """Scores of all rows. *Shape:* (n_rows,), 0 upwards. Repeated tokens count once."""
        known = [token for token in dict.fromkeys(tokens) if self._model and token in self._model.vocab_dict]
        if self._model is None or not known:
            return np.zeros(self._rows, dtype=np.float32)
        return np.asarray(self._model.get_scores(known), dtype=np.float32)

    def idf(self, token: str) -> float:
        """How telling a token is: ``ln(1 + (N - df + 0.5) / (df + 0.5))``; highest for unknown ones."""
        number = None if self._model is None else self._model.vocab_dict.get(token)
        frequency = 0
        if self._model is not None and number is not None:
            ends = self._model.scores["indptr"]
            frequency = int(ends[number + 1] - ends[number])
        return float(np.log1p((self._rows - frequency + 0.5) / (frequency + 0.5)))
