"""An index that grows: steps, removals and kills change nothing that is found."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence.domains import allowed
from evidence.index import binary_vectors as codes
from evidence.index import bm25, writer
from evidence.index import corpus_index as index
from evidence.index.corpus_index import CorpusIndex
from evidence.index.database import verified
from evidence.index.sync import IndexRoot
from evidence.retriever_factory import make_retriever
from evidence.types import Document, Query
from factdesk.kernel import BackendUnavailable, Fingerprint, sha256_text
from tests.evidence.memory_store import CountingEmbedder, MemoryStore, document

WORDS = [
    "tram",
    "mill",
    "lake",
    "fire",
    "book",
    "river",
    "bridge",
    "school",
    "harbour",
    "museum",
    "council",
    "algae",
    "riders",
    "opened",
    "closed",
    "burned",
    "flooded",
    "painted",
    "counted",
    "moved",
]


class Drawn:
    """Vectors drawn from a text's hash: what the index does with them needs no model."""

    dimension = 70

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(name="drawn", version="1", sha256="0" * 64)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = np.empty((len(texts), self.dimension), dtype=np.float32)
        for i, text in enumerate(texts):
            vector = np.random.default_rng(int(sha256_text(text)[:16], 16)).standard_normal(self.dimension)
            found[i] = vector / np.linalg.norm(vector)
        return found


def drawn(number: int, random_: random.Random) -> Document:
    sentences = [
        f"The {random_.choice(WORDS)} {random_.choice(WORDS)} by the {random_.choice(WORDS)} of 20{n}."
        for n in range(10, 10 + random_.randint(0, 4))
    ]
    return document(f"d{number:03}", " ".join(sentences), title=f"About the {random_.choice(WORDS)}")


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is for a hundred thousand spans and more, from a dozen on."""
    monkeypatch.setattr("evidence.index.sync.CHECKED_UP_TO", 12)
    monkeypatch.setattr(writer, "BATCH_SPANS", 80)
    monkeypatch.setattr(index, "EXACT_UP_TO", 12)
    monkeypatch.setattr(index, "CANDIDATES", 15)


def assert_same(left: CorpusIndex, right: CorpusIndex) -> None:
    """Everything that can be asked of an index, bit for bit."""
    rows = range(len(left))
    assert left.spans(rows) == right.spans(rows)
    assert (left.hashes(), left.places()) == (right.hashes(), right.places())
    assert (left.vectors(rows) == right.vectors(rows)).all()
    mask = np.arange(len(left)) % 3 > 0
    vectors = Drawn().embed(WORDS)
    for word, vector in zip(WORDS[::4], vectors[::4], strict=True):
        assert left.idf(word) == right.idf(word)
        assert (left.bm25_scores([word, "20"]) == right.bm25_scores([word, "20"])).all()
        assert (left.cosines(vector) == right.cosines(vector)).all()
        for bounds in (None, mask):
            found, other = left.candidates(vector, bounds), right.candidates(vector, bounds)
            assert all((a == b).all() for a, b in zip(found, other, strict=True))
    for spec in ("hybrid", "dense", "bm25"):
        for text in ("a fire at the mill", "riders counted in 2011"):
            query = Query(text=text, limit=9)
            hits = [make_retriever(spec, each, Drawn()).retrieve(query) for each in (left, right)]
            assert hits[0] == hits[1]


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_what_is_found_does_not_depend_on_the_steps(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, random_ = tmp_path_factory.mktemp("index"), random.Random(seed)
    store = MemoryStore("c", [drawn(n, random_) for n in range(random_.randint(1, 60))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "EXACT_UP_TO", 12)
        patch.setattr(index, "CANDIDATES", 15)
        with pytest.MonkeyPatch.context() as steps:
            steps.setattr("evidence.index.sync.CHECKED_UP_TO", 12)
            steps.setattr(writer, "BATCH_SPANS", 20)
            root = IndexRoot(folder / "steps", Drawn())
            root.sync(store, "c")
            for _ in range(random_.randint(1, 4)):
                some = random_.sample(range(70), random_.randint(0, 6))
                store.put_documents("c", [drawn(n, random_) for n in some])
                store.remove_documents("c", [f"d{n:03}" for n in random_.sample(range(70), 5)])
                result = root.sync(store, "c")
                assert result.documents == len(store.document_hashes("c"))
        at_once = IndexRoot(folder / "once", Drawn())
        at_once.sync(store, "c")
        left, right = root.open("c"), at_once.open("c")
        assert verified(folder / "steps" / "c").documents == verified(folder / "once" / "c").documents
        assert_same(left, right)


def grown(root: IndexRoot, store: MemoryStore, documents: int = 80) -> CorpusIndex:
    random_ = random.Random(5)
    store.put_documents("c", [drawn(n, random_) for n in range(documents)])
    root.sync(store, "c")
    return root.open("c")


def test_an_update_and_a_removal_embed_nothing_else(tmp_path: Path, small_steps: None) -> None:
    store, embedder = MemoryStore(), CountingEmbedder(Drawn())
    root = IndexRoot(tmp_path, embedder)
    before = grown(root, store)
    old = before.spans(range(len(before)))
    assert (before.exact, len(before) > 120) == (False, True)
    embedder.texts.clear()
    store.put_documents("c", [document("d050", "The lake flooded the school."), document("new", "A fire.")])
    done = root.sync(store, "c")
    assert (done.embedded, len(embedder.texts), done.reused) == (2, 2, done.spans - 2)
    after = root.open("c")
    assert {s.text for s in after.spans(range(len(after))) if s.doc_id == "d050"} == {"The lake flooded the school."}
    store.remove_documents("c", ["d050", "d051"])
    embedder.texts.clear()
    root.sync(store, "c")
    gone = root.open("c")
    assert embedder.texts == []
    assert not {"d050", "d051"} & {s.doc_id for s in gone.spans(range(len(gone)))}
    assert "d050" in {s.doc_id for s in after.spans(range(len(after)))}, "a reader keeps what it opened"
    assert before.spans(range(len(before))) == old
    assert verified(tmp_path / "c").documents == 79


def test_a_killed_sync_goes_on_where_it_was(tmp_path: Path, small_steps: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BATCH_SPANS", 20)

    class Dies(CountingEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if len(self.texts) > 60:
                raise KeyboardInterrupt
            return super().embed(texts)

    random_ = random.Random(7)
    store = MemoryStore("c", [drawn(n, random_) for n in range(100)])
    with pytest.raises(KeyboardInterrupt):
        IndexRoot(tmp_path, Dies(Drawn())).sync(store, "c")
    with pytest.raises(BackendUnavailable, match="not finished"):
        IndexRoot(tmp_path, Drawn()).open("c")
    store.put_documents("c", [document("d001", "The mill moved."), document("zzz", "A new fire.")])
    store.remove_documents("c", ["d002"])
    embedder = CountingEmbedder(Drawn())
    root = IndexRoot(tmp_path, embedder)
    done = root.sync(store, "c")
    assert done.embedded == len(embedder.texts) == done.spans - done.reused
    assert (done.rebuilt, done.reused >= 50) == (False, True)
    plain = IndexRoot(tmp_path / "plain", Drawn())
    plain.sync(store, "c")
    assert_same(root.open("c"), plain.open("c"))


def _write_until_killed(folder: Path, documents: list[Document]) -> None:
    writer.BATCH_SPANS = 20
    IndexRoot(folder, Drawn()).sync(MemoryStore("c", documents), "c")


@pytest.mark.parametrize("after", [0.0, 0.004, 0.008, 0.016, 0.03, 0.06])
def test_kill_9_at_any_moment_leaves_the_old_index_or_the_new_one(tmp_path: Path, after: float) -> None:
    root, random_ = IndexRoot(tmp_path, Drawn()), random.Random(13)
    old = [drawn(n, random_) for n in range(60)]
    root.sync(MemoryStore("c", old), "c")
    new = [drawn(n, random_) for n in range(30, 230)]
    process = multiprocessing.get_context("fork").Process(target=_write_until_killed, args=(tmp_path, new))
    process.start()
    process.join(timeout=after)
    process.kill()
    process.join()
    found = set(root.open("c").hashes())
    assert found in ({d.doc_id for d in old}, {d.doc_id for d in new})
    done = root.sync(MemoryStore("c", new), "c")
    assert (done.rebuilt, done.documents, verified(tmp_path / "c").documents) == (False, 200, 200)


def _read(folder: Path, stop: object, seen: object) -> None:
    root, texts, rounds, last = IndexRoot(folder, Drawn()), set(), 0, False
    while not last:
        last = stop.is_set()  # type: ignore[attr-defined]
        opened = root.open("c")
        hits = make_retriever("hybrid", opened, Drawn()).retrieve(Query(text="the marker of the day"))
        texts |= {hit.span.text for hit in hits if "marker" in hit.span.text}
        opened.close()
        rounds += 1
    seen.put((rounds, sorted(texts)))  # type: ignore[attr-defined]


def test_readers_go_on_while_another_process_writes(tmp_path: Path, small_steps: None) -> None:
    """Each opens the index again and again; what it sees is one state or the next, never a mixture."""
    store, root = MemoryStore(), IndexRoot(tmp_path, Drawn())
    random_ = random.Random(3)
    store.put_documents("c", [document("mark", "The marker says 0.")])
    grown(root, store, 60)
    context = multiprocessing.get_context("fork")
    stop, seen = context.Event(), context.Queue()
    readers = [context.Process(target=_read, args=(tmp_path, stop, seen)) for _ in range(2)]
    for reader in readers:
        reader.start()
    for n in range(1, 15):
        store.put_documents("c", [document("mark", f"The marker says {n}."), drawn(100 + n, random_)])
        root.sync(store, "c")
    stop.set()
    found = [seen.get(timeout=600) for _ in readers]
    for reader in readers:
        reader.join(timeout=600)
        assert reader.exitcode == 0
    for rounds, texts in found:
        assert rounds >= 2
        assert set(texts) <= {f"The marker says {n}." for n in range(15)}
        assert "The marker says 14." in texts


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.lists(st.sampled_from(WORDS), max_size=12), min_size=1, max_size=30))
def test_bm25_has_the_numbers_of_bm25s(rows: list[list[str]]) -> None:
    import bm25s

    vocabulary = {word: n for n, word in enumerate(sorted({word for row in rows for word in row}))}
    if not vocabulary:
        return
    model = bm25s.BM25(method="lucene", k1=bm25.K1, b=bm25.B)
    ids = [[vocabulary[word] for word in row] for row in rows]
    model.index((ids, vocabulary), create_empty_token=False, show_progress=False)
    lengths = np.array([len(row) for row in rows], dtype=np.int32)
    for query in (list(vocabulary)[:3], list(vocabulary)[::-1]):
        counts = [np.array([row.count(word) for row in rows]) for word in query]
        postings = [(np.flatnonzero(each), each[each > 0]) for each in counts]
        assert (bm25.scores(postings, lengths, int(lengths.sum())) == model.get_scores(query)).all()


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.lists(st.text(max_size=4) | st.sampled_from(WORDS), max_size=9), min_size=1, max_size=20))
def test_the_table_gives_back_which_row_has_which_word_how_often(rows: list[list[str]]) -> None:
    """Whatever the words: those of FTS5's query language, and what its tokeniser would split or fold."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(files("evidence.index").joinpath("schema.sql").read_text(encoding="utf-8"))
        rows = [[word for word in row if word] for row in rows]
        for number, row in enumerate(rows):
            connection.execute("INSERT INTO terms(rowid, words) VALUES (?, ?)", (number, bm25.terms(row)))
        for word in {word for row in rows for word in row}:
            for times in (1, 2, 3):
                query = "SELECT rowid FROM terms WHERE terms MATCH ?"
                found = connection.execute(query, (f'"{bm25.term(word, times)}"',)).fetchall()
                assert [n for (n,) in found] == [n for n, r in enumerate(rows) if r.count(word) >= times]


SITES = ["news.example", "a.news.example", "notnews.example", "xnews.example", "", "example"]


DAYS = st.dates(min_value=date(2020, 1, 1), max_value=date(2020, 1, 9)) | st.none()
PUBLISHERS = st.sampled_from(["The Times", "times", None, "news.example"])


@settings(max_examples=10, deadline=None)
@given(
    kept=st.lists(st.tuples(st.sampled_from(SITES), PUBLISHERS, DAYS), min_size=1, max_size=8),
    only=st.lists(st.sampled_from([*SITES, "%", "the times", "https://www.news.example/x"]), max_size=2),
    block=st.lists(st.sampled_from([*SITES, "_imes", "Times"]), max_size=2),
    start=DAYS,
    end=DAYS,
)
def test_an_index_filters_as_documents_in_no_index_are(
    kept: list[tuple[str, str | None, date | None]],
    only: list[str],
    block: list[str],
    start: date | None,
    end: date | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    documents = [
        document(f"d{n}", "The tram.", url=f"https://{host}/{n}" if host else None, publisher=publisher, published=day)
        for n, (host, publisher, day) in enumerate(kept)
    ]
    root = IndexRoot(tmp_path_factory.mktemp("index"), Drawn())
    root.sync(MemoryStore("c", documents), "c")
    query = Query(
        text="x", only_domains=tuple(only), block_domains=tuple(block), published_from=start, published_to=end
    )
    with closing(root.open("c")) as found:
        mask = found.mask(query)
    expected = [allowed(d, query) for d in documents]
    assert mask is None if not (only or block or start or end) else mask.tolist() == expected


@given(seed=st.integers(0, 100), count=st.integers(1, 40))
def test_codes_find_the_nearest_by_bits(seed: int, count: int) -> None:
    random_ = np.random.default_rng(seed)
    vectors = random_.standard_normal((60, 70)).astype(np.float32)
    wanted = random_.standard_normal(70).astype(np.float32)
    live = random_.random(60) > 0.3
    parts = codes.unpacked(codes.packed(vectors[:7]) + codes.packed(vectors[7:]), 70)
    found = codes.nearest(parts, wanted, live, count)
    differing = ((vectors > 0) != (wanted > 0)).sum(axis=1)
    limit = np.sort(differing[live])[min(count, live.sum()) - 1]
    assert found.tolist() == np.flatnonzero(live & (differing <= limit)).tolist()
