"""A large index: segments, removals and merges change nothing that is found."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence.index import binary_vectors as codes
from evidence.index import bm25
from evidence.index import corpus_index as index
from evidence.index import merge as index_merge
from evidence.index.corpus_index import CorpusIndex
from evidence.index.format import PENDING, IndexDamaged, current_generation
from evidence.index.merge import chosen
from evidence.index.sync import IndexRoot
from evidence.retriever_factory import make_retriever
from evidence.types import Document, Query
from factdesk.kernel import Fingerprint, sha256_text
from tests.evidence.memory_store import CountingEmbedder, MemoryStore, document

WORDS = [
    "tram", "mill", "lake", "fire", "book", "river", "bridge", "school", "harbour", "museum", "council",
    "algae", "riders", "opened", "closed", "burned", "flooded", "painted", "counted", "moved",
]  # fmt: skip


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
    monkeypatch.setattr(index_merge, "ONE_SEGMENT", 12)
    monkeypatch.setattr("evidence.index.sync.ONE_SEGMENT", 12)
    monkeypatch.setattr(index_merge, "BATCH_SPANS", 80)
    monkeypatch.setattr(index, "EXACT_UP_TO", 12)
    monkeypatch.setattr(index, "CANDIDATES", 15)


def assert_same(left: CorpusIndex, right: CorpusIndex) -> None:
    """Everything that can be asked of an index, bit for bit."""
    rows = range(len(left))
    assert left.spans(rows) == right.spans(rows)
    assert left.documents() == right.documents()
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


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_what_is_found_does_not_depend_on_the_segments(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, random_ = tmp_path_factory.mktemp("index"), random.Random(seed)
    store = MemoryStore("c", [drawn(n, random_) for n in range(random_.randint(1, 60))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "EXACT_UP_TO", 12)
        patch.setattr(index, "CANDIDATES", 15)
        with pytest.MonkeyPatch.context() as steps:
            steps.setattr(index_merge, "ONE_SEGMENT", 12)
            steps.setattr("evidence.index.sync.ONE_SEGMENT", 12)
            steps.setattr(index_merge, "BATCH_SPANS", 20)
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
        assert len(right.segments) == 1
        assert_same(left, right)


def grown(root: IndexRoot, store: MemoryStore, documents: int = 80) -> CorpusIndex:
    random_ = random.Random(5)
    store.put_documents("c", [drawn(n, random_) for n in range(documents)])
    root.sync(store, "c")
    return root.open("c")


def test_an_update_and_a_removal_leave_large_segments_alone(tmp_path: Path, small_steps: None) -> None:
    store, embedder = MemoryStore(), CountingEmbedder(Drawn())
    root = IndexRoot(tmp_path, embedder)
    before = grown(root, store)
    [large] = before.segments
    assert (before.exact, len(before) > 120) == (False, True)
    embedder.texts.clear()
    store.put_documents("c", [document("d050", "The lake flooded the school."), document("new", "A fire.")])
    done = root.sync(store, "c")
    assert (done.embedded, len(embedder.texts), done.reused) == (2, 2, done.spans - 2)
    after = root.open("c")
    assert after.segments[0].name == large.name
    assert len(after.segments) == 2
    assert {s.text for s in after.spans(range(len(after))) if s.doc_id == "d050"} == {
        "The lake flooded the school."
    }
    store.remove_documents("c", ["d050", "d051"])
    embedder.texts.clear()
    root.sync(store, "c")
    gone = root.open("c")
    assert embedder.texts == []
    assert gone.segments[0].name == large.name
    assert not {"d050", "d051"} & {s.doc_id for s in gone.spans(range(len(gone)))}
    assert "d050" in {s.doc_id for s in after.spans(range(len(after)))}, "a reader keeps what it opened"


def test_a_killed_sync_goes_on_where_it_was(
    tmp_path: Path, small_steps: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_merge, "BATCH_SPANS", 20)

    class Dies(CountingEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if len(self.texts) > 60:
                raise KeyboardInterrupt
            return super().embed(texts)

    random_ = random.Random(7)
    store = MemoryStore("c", [drawn(n, random_) for n in range(100)])
    with pytest.raises(KeyboardInterrupt):
        IndexRoot(tmp_path, Dies(Drawn())).sync(store, "c")
    assert current_generation(tmp_path / "c") is None, "nothing half is ever read"
    assert len((tmp_path / "c" / PENDING).read_text(encoding="utf-8").split()) >= 3
    embedder = CountingEmbedder(Drawn())
    root = IndexRoot(tmp_path, embedder)
    done = root.sync(store, "c")
    assert done.embedded == len(embedder.texts) == done.spans - done.reused
    assert done.reused >= 60
    assert not (tmp_path / "c" / PENDING).exists()
    plain = IndexRoot(tmp_path / "plain", Drawn())
    plain.sync(store, "c")
    assert_same(root.open("c"), plain.open("c"))


def test_an_altered_large_segment_is_not_copied(tmp_path: Path, small_steps: None) -> None:
    store, root = MemoryStore(), IndexRoot(tmp_path, Drawn())
    before = grown(root, store)
    path = before.segments[0].folder / "vectors.npy"
    data = bytearray(path.read_bytes())
    data[-4:] = b"\x00\x00\x00\x00"
    path.write_bytes(data)
    random_ = random.Random(9)
    store.put_documents("c", [drawn(n, random_) for n in range(500, 800)])
    done = root.sync(store, "c")
    assert (done.rebuilt, done.reused) == (True, 0)


@pytest.mark.parametrize("name", ["places.npy", "order.npy", "dead.npy"])
@pytest.mark.parametrize("how", ["cut", "gone", "garbage"])
def test_a_damaged_generation_is_made_anew(tmp_path: Path, small_steps: None, name: str, how: str) -> None:
    store, root = MemoryStore(), IndexRoot(tmp_path, Drawn())
    grown(root, store)
    store.remove_documents("c", ["d001"])
    root.sync(store, "c")
    generation = current_generation(tmp_path / "c")
    assert generation is not None
    path = generation / name
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(data[: len(data) // 2] if how == "cut" else b"\xff" * (len(data) + 1))
    with pytest.raises(IndexDamaged):
        root.open("c")
    assert root.sync(store, "c").documents == 79
    assert len(root.open("c").documents()) == 79


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
    found = [seen.get(timeout=60) for _ in readers]
    for reader in readers:
        reader.join(timeout=60)
        assert reader.exitcode == 0
    for rounds, texts in found:
        assert rounds >= 2
        assert set(texts) <= {f"The marker says {n}." for n in range(15)}
        assert "The marker says 14." in texts


@given(
    sizes=st.lists(st.integers(1, 400_000), max_size=12),
    fresh=st.integers(0, 100_000),
)
def test_there_are_never_many_segments(sizes: list[int], fresh: int) -> None:
    merged = chosen(sizes, sizes, fresh)
    left = [n for i, n in enumerate(sizes) if i not in merged]
    left += [sum(sizes[i] for i in merged) + fresh] if merged or fresh else []
    left.sort()
    total = 0
    for n in left:
        assert n > total, "each is larger than all smaller ones together"
        total += n


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.lists(st.sampled_from(WORDS), max_size=12), min_size=1, max_size=30))
def test_bm25_has_the_numbers_of_bm25s(rows: list[list[str]]) -> None:
    import bm25s

    vocabulary = {word: n for n, word in enumerate(sorted({word for row in rows for word in row}))}
    if not vocabulary:
        return
    model = bm25s.BM25(method="lucene", k1=bm25.K1, b=bm25.B)
    ids = [[vocabulary[word] for word in row] for row in rows]
    model.index((ids, vocabulary), create_empty_token=False, show_progress=False)
    counted = bm25.counted(rows)

    class Whole:
        postings = counted.postings

        def word(self, token: str) -> int | None:
            return vocabulary.get(token)

    assert counted.words == sorted(vocabulary)
    ours = bm25.Bm25([Whole()], None, rows=len(rows), words=sum(map(len, rows)))
    for query in (list(vocabulary)[:3], list(vocabulary)[::-1]):
        assert (ours.scores(query) == model.get_scores(query)).all()


@given(seed=st.integers(0, 100), count=st.integers(1, 40))
def test_codes_find_the_nearest_by_bits_whatever_the_parts(seed: int, count: int) -> None:
    random_ = np.random.default_rng(seed)
    vectors = random_.standard_normal((60, 70)).astype(np.float32)
    wanted = random_.standard_normal(70).astype(np.float32)
    live = random_.random(60) > 0.3
    parts = [codes.codes_of(part) for part in np.split(vectors, [7, 40])]
    found = codes.nearest(parts, wanted, live, count)
    differing = ((vectors > 0) != (wanted > 0)).sum(axis=1)
    limit = np.sort(differing[live])[min(count, live.sum()) - 1]
    assert found.tolist() == np.flatnonzero(live & (differing <= limit)).tolist()
