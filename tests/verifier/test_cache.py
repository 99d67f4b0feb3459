"""The score cache: same scores, bounded, and never in the way."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import ConfigError
from verifier.backends.factory import make_verifier
from verifier.backends.score_cache import ScoreCache, cached, model_key, pair_key
from verifier.types import NLIScores, PairText

MODEL = model_key("test", "1")
OTHER = model_key("test", "2")


def made_up(pair: tuple[str, str]) -> NLIScores:
    """Scores that follow from the pair alone, to six places as the models give them."""
    digest = pair_key(pair)
    entailment = round(int.from_bytes(digest[:4]) / 2**33, 6)
    contradiction = round(int.from_bytes(digest[4:8]) / 2**33, 6)
    neutral = round(1 - entailment - contradiction, 6)
    return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


class Counting:
    """A raw scorer that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[NLIScores]:
        self.asked += pairs
        return [made_up(pair) for pair in pairs]


def numbered(count: int, start: int = 0) -> list[tuple[str, str]]:
    return [(f"premise {n}", f"claim {n}") for n in range(start, start + count)]


def rows(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        [count] = connection.execute("SELECT count(*) FROM scores").fetchone()
    finally:
        connection.close()
    return int(count)


@given(st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), max_size=8))
def test_repetitions_are_scored_once_and_order_stays(pairs: list[tuple[str, str]]) -> None:
    counting = Counting()
    assert cached(counting, None, MODEL)(pairs) == [made_up(pair) for pair in pairs]
    assert counting.asked == list(dict.fromkeys(pairs))


@given(st.text(max_size=6), st.text(max_size=6), st.text(max_size=6), st.text(max_size=6))
def test_no_two_pairs_share_a_key(a: str, b: str, c: str, d: str) -> None:
    assert (pair_key((a, b)) == pair_key((c, d))) is ((a, b) == (c, d))


def test_the_second_time_nothing_is_scored(tmp_path: Path) -> None:
    cache, counting = ScoreCache(tmp_path / "deep" / "scores.sqlite"), Counting()
    score = cached(counting, cache, MODEL)
    pairs = [*numbered(5), ("a\ud800", "lone surrogate"), ("", "")]
    first = score(pairs)
    assert cache.stats == (0, 7, 0)
    assert score([*reversed(pairs), ("new", "pair")])[:-1] == first[::-1]
    assert cache.stats == (7, 8, 0)
    assert counting.asked == [*pairs, ("new", "pair")]
    cache.close()
    again = ScoreCache(cache.path)
    assert cached(counting, again, MODEL)(pairs) == first
    assert again.stats == (7, 0, 0)
    assert again.get(OTHER, pairs) == {}, "scores belong to their model"


def test_many_pairs_in_one_call(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    pairs = numbered(2500)
    cache.put(MODEL, {pair: made_up(pair) for pair in pairs})
    assert cache.get(MODEL, pairs) == {pair: made_up(pair) for pair in pairs}


def test_past_the_bound_the_oldest_go(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite", max_rows=10)
    for pair in numbered(25):
        cache.put(MODEL, {pair: made_up(pair)})
    assert rows(cache.path) == 10
    assert set(cache.get(MODEL, numbered(25))) == set(numbered(10, 15))
    cache.put(MODEL, {pair: made_up(pair) for pair in numbered(40)})
    assert rows(cache.path) <= 10
    with pytest.raises(ConfigError, match="max_rows=0"):
        ScoreCache(tmp_path / "scores.sqlite", max_rows=0)


@pytest.mark.parametrize("damage", ["no database", "cut short", "overwritten", "other tables", "older version"])
def test_a_broken_file_is_made_anew(tmp_path: Path, damage: str) -> None:
    path, pairs = tmp_path / "scores.sqlite", numbered(400)
    before = ScoreCache(path)
    before.put(MODEL, {pair: made_up(pair) for pair in pairs})
    before.close()
    if damage == "no database":
        path.write_bytes(b"this is no database at all" * 100)
    elif damage == "cut short":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif damage == "overwritten":
        data = bytearray(path.read_bytes())
        data[4096:] = bytes(len(data) - 4096)
        path.write_bytes(data)
    else:
        connection = sqlite3.connect(path)
        if damage == "other tables":
            connection.executescript("DROP TABLE scores; CREATE TABLE scores (something TEXT)")
        else:
            connection.execute("PRAGMA user_version = 0")
        connection.close()
    cache, counting = ScoreCache(path), Counting()
    score = cached(counting, cache, MODEL)
    assert score(pairs) == [made_up(pair) for pair in pairs]
    assert counting.asked == pairs
    assert score(pairs) == [made_up(pair) for pair in pairs]
    assert counting.asked == pairs, "the new file keeps scores again"
    assert cache.stats.failures == 0
    assert (tmp_path / "scores.sqlite.broken").exists() is (damage != "older version")


def test_damage_while_it_is_open(tmp_path: Path) -> None:
    cache, counting = ScoreCache(tmp_path / "scores.sqlite"), Counting()
    score = cached(counting, cache, MODEL)
    score(numbered(300))
    for file in tmp_path.glob("scores.sqlite*"):
        file.write_bytes(b"\xff" * file.stat().st_size)
    for _ in range(3):
        assert score(numbered(300)) == [made_up(pair) for pair in numbered(300)]
    assert cache.get(MODEL, numbered(300)), "it works again"


@pytest.mark.parametrize("change", ["entailment = 0.99", "entailment = 7.0", "neutral = 'x'", "checksum = 'x'"])
def test_a_row_that_was_changed_counts_as_absent(tmp_path: Path, change: str) -> None:
    cache, counting = ScoreCache(tmp_path / "scores.sqlite"), Counting()
    score = cached(counting, cache, MODEL)
    score(numbered(3))
    connection = sqlite3.connect(cache.path)
    connection.execute(f"UPDATE scores SET {change}")
    connection.commit()
    connection.close()
    assert score(numbered(3)) == [made_up(pair) for pair in numbered(3)]
    assert counting.asked == numbered(3) * 2
    assert set(cache.get(MODEL, numbered(3))) == set(numbered(3)), "the rows were put right"


def test_scores_of_one_pair_cannot_be_moved_to_another(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    one, other = numbered(2)
    cache.put(MODEL, {one: made_up(one)})
    connection = sqlite3.connect(cache.path)
    connection.execute("UPDATE scores SET pair = ?", (pair_key(other),))
    connection.commit()
    connection.close()
    assert cache.get(MODEL, [one, other]) == {}


def test_a_place_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for path in (tmp_path / "file" / "scores.sqlite", tmp_path):
        cache, counting = ScoreCache(path), Counting()
        score = cached(counting, cache, MODEL)
        assert score(numbered(2)) == score(numbered(2))
        assert counting.asked == numbered(2) * 2
        assert cache.stats.failures == 4


def test_a_file_that_another_process_holds_is_passed_over(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite", busy_seconds=0.0)
    cache.put(MODEL, {pair: made_up(pair) for pair in numbered(2)})
    holder = sqlite3.connect(cache.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    counting = Counting()
    assert cached(counting, cache, MODEL)(numbered(4)) == [made_up(pair) for pair in numbered(4)]
    assert counting.asked == numbered(2, 2), "reading goes on beside a writer"
    assert cache.stats.failures == 1
    holder.execute("ROLLBACK")
    holder.close()
    assert not list(tmp_path.glob("*.broken")), "a busy file is no broken one"


def test_threads_share_one_cache(tmp_path: Path) -> None:
    cache, wrong = ScoreCache(tmp_path / "scores.sqlite"), []
    score = cached(Counting(), cache, MODEL)

    def work(start: int) -> None:
        for _ in range(5):
            pairs = numbered(20, start)
            if score(pairs) != [made_up(pair) for pair in pairs]:
                wrong.append(start)

    threads = [threading.Thread(target=work, args=(start,)) for start in range(0, 60, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache.stats.failures == 0
    assert rows(cache.path) == 70


def score_in_a_process(path: str, start: int) -> tuple[list[NLIScores], int]:
    cache = ScoreCache(Path(path), busy_seconds=30.0)
    score = cached(Counting(), cache, MODEL)
    found: list[NLIScores] = []
    for number in range(start, start + 60, 10):
        found += score(numbered(10, number))
    return found, cache.stats.failures


@pytest.mark.parametrize("broken", [False, True])
def test_processes_share_one_file(tmp_path: Path, broken: bool) -> None:
    path = tmp_path / "scores.sqlite"
    if broken:
        path.write_bytes(b"no database " * 500)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.starmap(score_in_a_process, [(str(path), 0), (str(path), 30)])
    for start, (found, _failures) in zip((0, 30), results, strict=True):
        assert found == [made_up(pair) for pair in numbered(60, start)]
    if not broken:
        assert [failures for _, failures in results] == [0, 0]
        assert set(ScoreCache(path).get(MODEL, numbered(90))) == set(numbered(90))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_a_cache_opened_before_a_fork_serves_the_child(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.sqlite")
    cache.put(MODEL, {pair: made_up(pair) for pair in numbered(3)})
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=lambda: queue.put(cache.get(MODEL, numbered(3))))
    child.start()
    assert queue.get() == {pair: made_up(pair) for pair in numbered(3)}
    child.join()
    assert cache.get(MODEL, numbered(3)) == {pair: made_up(pair) for pair in numbered(3)}


def test_the_shipped_verifier_assesses_alike_with_and_without(tmp_path: Path) -> None:
    pairs = [
        PairText(claim="The bridge reopened in May 2024.", premise="The bridge was opened again in May 2024."),
        PairText(claim="Rents rose by 4 percent.", premise="Rents climbed 3.2% in May."),
        PairText(claim="Rents rose by 4 percent.", premise="The library has a new roof."),
    ]
    cache = ScoreCache(tmp_path / "scores.sqlite")
    plain = make_verifier().assess(pairs)
    assert make_verifier(cache=cache).assess(pairs) == plain
    scored = cache.stats.misses
    assert cache.stats.hits == 0
    assert make_verifier(cache=cache).assess(pairs[::-1]) == plain[::-1]
    assert cache.stats == (scored, scored, 0)


def test_a_score_put_in_without_the_desks_secret_counts_as_absent(tmp_path: Path) -> None:
    path, secret = tmp_path / "scores.sqlite", b"s" * 32
    pair, forged = (
        ("The hall is closed.", "The hall is open."),
        NLIScores(entailment=1.0, neutral=0.0, contradiction=0.0),
    )
    own, foreign = ScoreCache(path, secret=secret), ScoreCache(path, secret=b"t" * 32)
    for other in (foreign, ScoreCache(path)):
        other.put(MODEL, {pair: forged})
        assert own.get(MODEL, [pair]) == {}
        assert other.get(MODEL, [pair]) == {pair: forged}
    own.put(MODEL, {pair: forged})
    assert ScoreCache(path, secret=secret).get(MODEL, [pair]) == {pair: forged}
