"""Measure PostgreSQL as one index for many desks: its full-text search, and codes of one bit a dimension.

    python -m evaluation.programs.measure_postgres postgresql://desk@/scratch?host=/tmp/pg --sentences 1000000

Sentences of 20 words by Zipf's law and vectors are drawn, as in ``measure_index``. The database should be empty; its
table ``sentences`` is dropped at the end. No extension is needed: the distance of two codes is the ``bit_count`` of
their difference, in SQL, and the nearest are compared exactly here.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.programs.measure_index import DIMENSION, WORDS, word_of

if TYPE_CHECKING:
    import psycopg

BLOCK = 20_000
"""Sentences drawn at once."""
COMMON = 50
"""Rank of the most frequent word that is searched for."""
LENGTH = 20
"""Words of a sentence."""
NEAREST = 4_000
"""Sentences whose vectors are compared exactly."""
MADE = """
CREATE TABLE sentences (id integer PRIMARY KEY, body text NOT NULL, code bit(384) NOT NULL, vector bytea NOT NULL)
"""
WORDED = "ALTER TABLE sentences ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('simple', body)) STORED"
BY_WORDS = """
SELECT id, ts_rank(words, asked) AS score FROM sentences, to_tsquery('simple', %s) AS asked
WHERE words @@ asked ORDER BY score DESC, id LIMIT 100
"""
BY_CODE = """
SELECT id, vector FROM sentences ORDER BY bit_count(code # %s::bit(384)), id LIMIT 4000
"""


def drawn(count: int, seed: int = 0) -> Iterator[tuple[int, str, str, bytes]]:
    """Id, text, code and vector (halves) of each sentence."""
    random = np.random.default_rng(seed)
    known = [word_of(n) for n in range(COMMON, WORDS)]
    shares = np.cumsum(1.0 / np.arange(COMMON, WORDS))
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        words = np.searchsorted(shares, random.random((size, LENGTH)) * shares[-1])
        vectors = random.standard_normal((size, DIMENSION)).astype(np.float16)
        for row, (numbers, vector) in enumerate(zip(words.tolist(), vectors, strict=True)):
            yield start + row, " ".join(known[n] for n in numbers), code_of(vector), vector.tobytes()


def code_of(vector: np.ndarray) -> str:
    """One bit a dimension, as SQL writes it."""
    return f"{int.from_bytes(np.packbits(vector > 0).tobytes(), 'big'):0{DIMENSION}b}"


def timed(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _load(connection: psycopg.Connection, count: int) -> None:
    connection.execute(MADE)
    with connection.cursor().copy("COPY sentences FROM STDIN") as copy:
        for number, text, code, vector in drawn(count):
            copy.write_row((number, text, code, vector))
    connection.commit()


def _worded(connection: psycopg.Connection) -> None:
    connection.execute(WORDED)
    connection.execute("CREATE INDEX ON sentences USING gin (words)")
    connection.execute("ANALYZE sentences")
    connection.commit()


def _worded_like(connection: psycopg.Connection, asked: str) -> None:
    connection.execute(BY_WORDS, (asked,)).fetchall()


def _nearest(connection: psycopg.Connection, asked: np.ndarray) -> None:
    found = connection.execute(BY_CODE, (code_of(asked),), binary=True).fetchall()
    vectors = np.frombuffer(b"".join(vector for _, vector in found), dtype=np.float16).reshape(len(found), DIMENSION)
    np.argsort(-(vectors.astype(np.float32) @ asked), kind="stable")[:100]


def _quantiles(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return {"p50_ms": round(cuts[9] * 1000, 1), "p95_ms": round(cuts[18] * 1000, 1)}


def measured(connection: psycopg.Connection, count: int, queries: int) -> dict[str, object]:
    """Times and sizes."""
    found: dict[str, object] = {"sentences": count, "load_s": round(timed(lambda: _load(connection, count)), 1)}
    found["words_s"] = round(timed(lambda: _worded(connection)), 1)
    random = np.random.default_rng(1)
    asked = [text.split() for _, text, _, _ in drawn(queries, seed=2)]
    rare = [" | ".join(dict.fromkeys(words[:8])) for words in asked]
    found["words"] = _quantiles([timed(partial(_worded_like, connection, q)) for q in rare])
    vectors = random.standard_normal((queries, DIMENSION)).astype(np.float32)
    found["codes"] = _quantiles([timed(partial(_nearest, connection, v)) for v in vectors])
    more = "INSERT INTO sentences (id, body, code, vector) VALUES (%s, %s, %s, %s)"
    rows = [(count + n, *rest) for n, *rest in drawn(1000, seed=3)]
    found["insert_1000_s"] = round(timed(lambda: connection.cursor().executemany(more, rows)), 2)
    connection.commit()
    size = connection.execute("SELECT pg_total_relation_size('sentences')").fetchone()
    found["disk_mb"] = round(size[0] / 1e6) if size else None
    return found


def main() -> None:
    """Print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=20)
    given = parser.parse_args()
    import psycopg

    with psycopg.connect(given.url) as connection:
        try:
            json.dump(measured(connection, given.sentences, given.queries), sys.stdout, indent=2)
        finally:
            connection.rollback()
            connection.execute("DROP TABLE IF EXISTS sentences")
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
