"""Raw scores kept between checks, in a bounded SQLite file that may be lost at any time.

Only what the model says is kept, never a decision: calibration, slot guard and thresholds are
computed anew each time. A row carries a code over its key and its scores, made with a secret of
the desk; a row that does not fit its code counts as absent. Whatever happens to the file, scoring goes
on without it.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import sqlite3
import struct
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from factdesk.kernel import ConfigError, private_file
from verifier.scoring import RawScorer
from verifier.types import NLIScores

LOG = logging.getLogger(__name__)
CACHE_VERSION = 2
"""Raised when rows would mean something else; a file of another version is made anew."""
_BROKEN = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_SCHEMA = """
CREATE TABLE IF NOT EXISTS scores (
    id INTEGER PRIMARY KEY, model BLOB NOT NULL, pair BLOB NOT NULL,
    entailment REAL NOT NULL, neutral REAL NOT NULL, contradiction REAL NOT NULL,
    checksum BLOB NOT NULL, UNIQUE (model, pair))
"""
_CHUNK = 400
"""Keys in one SELECT; SQLite takes at least 999 parameters."""

TextPair = tuple[str, str]
T = TypeVar("T")
_Found = list[tuple[bytes, NLIScores]]


class CacheStats(NamedTuple):
    """Counts since the cache was opened; ``failures`` are calls that had to do without the file."""

    hits: int
    misses: int
    failures: int


def pair_key(pair: TextPair) -> bytes:
    """SHA-256 of a (premise, hypothesis) pair. *Shape:* 32 bytes; no two pairs share their bytes."""
    premise, hypothesis = (text.encode("utf-8", "surrogatepass") for text in pair)
    return hashlib.sha256(b"%d:" % len(premise) + premise + hypothesis).digest()


def model_key(*parts: str) -> str:
    """Hex SHA-256 over all that a raw score depends on: weights, tokenizer, length limit, runtime version."""
    return hashlib.sha256("\n".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()


class ScoreCache:
    """Raw scores by (model, pair). For several threads and processes; no method raises for the file's sake.

    Args:
        path: the SQLite file; made, with its folder, on first use.
        max_rows: most rows that are kept, 1 upwards; past it the oldest go.
        busy_seconds: how long to wait for another process, 0 upwards.
        secret: key of the codes, at most 64 bytes; empty: they guard against damage alone.

    Raises:
        ConfigError: ``max_rows`` is below 1.
    """

    def __init__(self, path: Path, *, max_rows: int = 200_000, busy_seconds: float = 2.0, secret: bytes = b"") -> None:
        if max_rows < 1:
            raise ConfigError(f"max_rows={max_rows!r} is below 1; give how many scores to keep, e.g. 200000")
        self.path = path
        self._max_rows = max_rows
        self._busy = busy_seconds
        self._secret = secret
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inherited: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._hits = self._misses = self._failures = 0

    @property
    def stats(self) -> CacheStats:
        """Hits, misses and failures so far."""
        return CacheStats(self._hits, self._misses, self._failures)

    def get(self, model: str, pairs: Sequence[TextPair]) -> dict[TextPair, NLIScores]:
        """Scores of those pairs that are known for the model (hex key of ``model_key``)."""
        if not pairs:
            return {}
        keys = {pair_key(pair): pair for pair in pairs}
        with self._lock:
            rows: _Found = self._guarded(lambda c: _select(c, bytes.fromhex(model), list(keys), self._secret), [])
            found = {keys[key]: scores for key, scores in rows}
            self._hits += len(found)
            self._misses += len(keys) - len(found)
        return found

    def put(self, model: str, scores: Mapping[TextPair, NLIScores]) -> None:
        """Keep scores, then drop the oldest rows past the bound."""
        if not scores:
            return
        owner = bytes.fromhex(model)
        rows = [_row(owner, pair_key(pair), found, self._secret) for pair, found in scores.items()]
        with self._lock:
            self._guarded(lambda c: _insert(c, rows, self._max_rows), None)

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._lock:
            self._drop_connection()

    def _guarded(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do the work; mend a broken file once and try again; do without on any other trouble."""
        for attempt in ("first", "mended"):
            try:
                return work(self._open())
            except (sqlite3.Error, OSError) as error:
                self._drop_connection()
                if attempt == "first" and _is_broken(error) and self._mend():
                    continue
                self._failures += 1
                level = logging.WARNING if self._failures == 1 else logging.DEBUG
                LOG.log(level, "the score cache %r was passed over: %s", self.path.name, error)
                break
        return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._process != os.getpid():
            # Made before a fork: SQLite forbids using or closing it here, so it is only kept alive.
            if self._connection is not None:
                self._inherited.append(self._connection)
            self._connection, self._process = None, os.getpid()
        if self._connection is None:
            private_file(self.path)
            self._connection = _connect(self.path, self._busy)
            weakref.finalize(self, _close, self._connection, os.getpid())
        return self._connection

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and self._process == os.getpid():
            _close(connection, os.getpid())

    def _mend(self) -> bool:
        """Move a broken file aside, unless another process has done so; whether trying again makes sense."""
        from filelock import FileLock, Timeout  # factdesk-verify keeps no cache and does without it

        try:
            with FileLock(f"{self.path}.lock", timeout=self._busy):
                if _is_sound(self.path, self._busy):
                    return True
                LOG.warning("the score cache %r is damaged and is made anew", self.path.name)
                for suffix in ("-wal", "-shm", ""):
                    with suppress(FileNotFoundError):
                        Path(f"{self.path}{suffix}").replace(f"{self.path}.broken{suffix}")
            return True
        except (OSError, Timeout):
            return False


def cached(score: RawScorer, cache: ScoreCache | None, model: str) -> RawScorer:
    """A scorer that scores each distinct pair once, and none that the cache knows for this model key.

    ``cache=None`` only removes repetitions. Scores and their order are those of ``score``.
    """

    def scorer(pairs: Sequence[TextPair]) -> list[NLIScores]:
        unique = list(dict.fromkeys(pairs))
        known = cache.get(model, unique) if cache is not None else {}
        missing = [pair for pair in unique if pair not in known]
        fresh = dict(zip(missing, score(missing), strict=True)) if missing else {}
        if cache is not None:
            cache.put(model, fresh)
        table = {**known, **fresh}
        return [table[pair] for pair in pairs]

    return scorer


def _connect(path: Path, busy: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=busy, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        [version] = connection.execute("PRAGMA user_version").fetchone()
        if version != CACHE_VERSION:
            _create(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version != CACHE_VERSION:  # still, now that other processes wait
        connection.execute("DROP TABLE IF EXISTS scores")
        connection.execute(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {CACHE_VERSION}")
    connection.execute("COMMIT")


def _close(connection: sqlite3.Connection, process: int) -> None:
    if process == os.getpid():
        with suppress(sqlite3.Error):
            connection.close()


def _select(connection: sqlite3.Connection, model: bytes, keys: Sequence[bytes], secret: bytes) -> _Found:
    found: _Found = []
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK]
        marks = ",".join("?" * len(chunk))
        rows = connection.execute(
            "SELECT pair, entailment, neutral, contradiction, checksum FROM scores "
            f"WHERE model = ? AND pair IN ({marks})",
            (model, *chunk),
        )
        for pair, *values, checksum in rows:
            fits = _are_scores(values) and isinstance(checksum, bytes)
            if fits and hmac.compare_digest(checksum, _checksum(secret, model, pair, *values)):
                entailment, neutral, contradiction = values
                scores = NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)
                found.append((pair, scores))
    return found


def _insert(connection: sqlite3.Connection, rows: Sequence[tuple[object, ...]], most: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # A row that is there but was not found failed its checksum: it is replaced, with a new id.
        connection.executemany(
            "INSERT OR REPLACE INTO scores (model, pair, entailment, neutral, contradiction, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            rows,
        )
        # Ids rise without end; what a replaced row leaves open only makes the bound a little tighter.
        connection.execute("DELETE FROM scores WHERE id <= (SELECT max(id) FROM scores) - ?", (most,))
        connection.execute("COMMIT")
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _row(model: bytes, pair: bytes, scores: NLIScores, secret: bytes) -> tuple[object, ...]:
    values = (scores.entailment, scores.neutral, scores.contradiction)
    return (model, pair, *values, _checksum(secret, model, pair, *values))


def _are_scores(values: Sequence[object]) -> bool:
    return all(isinstance(value, float) and 0.0 <= value <= 1.0 for value in values)


def _checksum(secret: bytes, model: bytes, pair: bytes, *values: float) -> bytes:
    """Keyed BLAKE2b: who can write the file and has no secret of the desk cannot put a score into it."""
    data = model + pair + struct.pack("<3d", *values)
    return hashlib.blake2b(data, key=secret, digest_size=16, person=b"factdesk-scores").digest()


def _is_broken(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _BROKEN


def _is_sound(path: Path, busy: float) -> bool:
    try:
        connection = _connect(path, busy)
        try:
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
            connection.execute("SELECT model, pair, entailment, neutral, contradiction, checksum FROM scores LIMIT 1")
            return bool(found == "ok")
        finally:
            connection.close()
    except sqlite3.Error as error:
        return not _is_broken(error)
