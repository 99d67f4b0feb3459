"""The library bm25s as a peer: scores of one fixed set of rows, made anew for every change of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evidence.index.bm25 import K1, B
from factdesk.kernel import BackendUnavailable

PEER = "bm25s"


def scorer(rows: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], Any]:
    """Gives the score of every row for the words of a query; rows are words.

    Raises:
        BackendUnavailable: bm25s is not installed.
    """
    try:
        import bm25s
    except ModuleNotFoundError as error:
        raise BackendUnavailable("bm25s is not installed; run `pip install bm25s`") from error
    model = bm25s.BM25(method="lucene", k1=K1, b=B)
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(word for row in rows for word in row))}
    numbers = [[vocabulary[word] for word in row] for row in rows]
    model.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
    return lambda words: model.get_scores([word for word in dict.fromkeys(words) if word in vocabulary])
