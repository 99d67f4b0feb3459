"""The index on disk: incremental, swapped in one step, mended when damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from evidence.index import database
from evidence.index.database import FILE, LOCK, IndexDamaged, verified
from evidence.index.sync import IndexRoot
from evidence.retrieval.embedder import OnnxEmbedder
from evidence.retriever_factory import make_retriever
from evidence.segmentation.spans import spans_of
from evidence.types import Document, Query
from factdesk.kernel import BackendUnavailable, Fingerprint
from tests.evidence.memory_store import CountingEmbedder, MemoryStore, document

TRAM = document("tram", "The tram opened in May. It carries 12,000 riders.", title="Tram line four")
FIRE = document("fire", "A fire broke out at the mill. Nobody was hurt.", title="Fire at the mill")
LAKE = document("lake", "The lake is closed because of algae.", title="Lake Brennick", published="2024-05-01")


@pytest.fixture
def embedder(onnx: OnnxEmbedder) -> CountingEmbedder:
    return CountingEmbedder(onnx)


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of an index, to be altered."""
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        yield connection


def test_rows_give_back_the_spans(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store = MemoryStore("c", [TRAM, FIRE, LAKE])
    root = IndexRoot(tmp_path, embedder)
    done = root.sync(store, "c")
    assert (done.documents, done.spans, done.embedded, done.changed) == (3, 5, 5, True)
    index = root.open("c")
    assert index.spans(range(5)) == [*spans_of(FIRE), *spans_of(LAKE), *spans_of(TRAM)]
    assert [span.doc_id for span in index.spans([4, 0])] == ["tram", "fire"]
    assert index.hashes() == store.document_hashes("c")


def test_only_new_and_changed_text_is_embedded(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store = MemoryStore("c", [TRAM, FIRE])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    embedder.texts.clear()
    assert not root.sync(store, "c").changed
    assert embedder.texts == []
    seen: list[tuple[int, int]] = []
    changed = document("fire", "A fire broke out at the mill. Two people were hurt.", title="Fire at the mill")
    store.put_documents("c", [changed, LAKE])
    done = root.sync(store, "c", progress=lambda now, total: seen.append((now, total)))
    assert sorted(embedder.texts) == [
        "Fire at the mill. Two people were hurt.",
        "Lake Brennick. The lake is closed because of algae.",
    ]
    assert (done.embedded, done.reused, done.rebuilt, seen) == (2, 3, False, [(2, 2)])
    store.remove_documents("c", ["tram"])
    embedder.texts.clear()
    assert root.sync(store, "c").documents == 2
    assert embedder.texts == []
    store.put_documents("c", [LAKE.model_copy(update={"publisher": "Lake News"})])
    root.sync(store, "c")
    assert embedder.texts == []
    assert root.open("c").spans([2])[0].publisher == "Lake News"


class Asked(MemoryStore):
    """Counts how often all hashes were asked for; ``late`` is put in between a state and the hashes."""

    asked = 0
    late: tuple[Document, ...] = ()

    def document_hashes(self, corpus: str) -> dict[str, str]:
        self.asked += 1
        return super().document_hashes(corpus)

    def state(self, corpus: str) -> str:
        before = self.asked
        found = super().state(corpus)
        self.asked, late, self.late = before, self.late, ()
        if late:
            self.put_documents(corpus, late)
        return found


def test_a_corpus_in_a_known_state_is_not_compared_again(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store, root = Asked("c", [TRAM, FIRE]), IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    assert [root.sync(store, "c").changed for _ in range(3)] == [False] * 3
    assert store.asked == 1
    made = root.open("c").manifest
    with opened(tmp_path / "c") as connection:  # as after a change that was taken back
        database.write_manifest(connection, made.model_copy(update={"store_state": "another"}))
    assert [root.sync(store, "c").changed for _ in range(2)] == [False] * 2
    assert (store.asked, root.open("c").manifest) == (2, made)


def test_what_comes_while_an_index_is_compared_is_seen_the_next_time(
    tmp_path: Path, embedder: CountingEmbedder
) -> None:
    store, root = Asked("c", [TRAM]), IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    store.put_documents("c", [FIRE])
    store.state("c")
    store.late = (LAKE,)
    for _ in range(3):
        root.sync(store, "c")
    assert root.open("c").hashes() == store.document_hashes("c")


class Interrupted(CountingEmbedder):
    """Dies in the middle of embedding, as a killed process would."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise KeyboardInterrupt


def test_an_interrupted_sync_leaves_the_old_index(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store = MemoryStore("c", [TRAM])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    reader = root.open("c")
    store.put_documents("c", [FIRE])
    with pytest.raises(KeyboardInterrupt):
        IndexRoot(tmp_path, Interrupted(embedder.inner)).sync(store, "c")
    assert [span.doc_id for span in root.open("c").spans([0])] == ["tram"]
    assert len(root.open("c")) == len(reader) == 2
    assert root.sync(store, "c").documents == 2
    assert len(root.open("c")) == 4


def test_a_reader_keeps_its_generation(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store = MemoryStore("c", [TRAM])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    reader = root.open("c")
    retriever = make_retriever("hybrid", reader, embedder)
    before = retriever.retrieve(Query(text="riders of the tram"))
    store.put_documents("c", [FIRE, LAKE])
    root.sync(store, "c")
    assert retriever.retrieve(Query(text="riders of the tram")) == before
    assert len(root.open("c")) == 5


@pytest.mark.parametrize("how", ["cut", "one page", "garbage", "head", "empty", "no table", "no manifest"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, embedder: CountingEmbedder, how: str) -> None:
    store = MemoryStore("c", [TRAM, FIRE])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    path = tmp_path / "c" / FILE
    data = path.read_bytes()
    damaged = {
        "cut": data[: len(data) // 2],
        "one page": data[:-8192],
        "garbage": b"\xff" * len(data),
        "head": b"\xff" * 100 + data[100:],
        "empty": b"",
    }
    if how in damaged:
        path.write_bytes(damaged[how])
    else:
        with opened(tmp_path / "c") as connection:
            connection.execute("DROP TABLE manifest" if how == "no table" else "UPDATE manifest SET json = '{'")
    with pytest.raises(IndexDamaged):
        root.open("c")
    done = root.sync(store, "c")
    assert (done.changed, done.rebuilt) == (True, True)
    assert len(root.open("c")) == 4


ALTERATIONS = [
    "UPDATE spans SET text = replace(text, 'May', 'June')",
    "UPDATE spans SET frame = 'fiction'",
    "UPDATE vectors SET vector = zeroblob(1536)",
    "DELETE FROM vectors WHERE row = 0",
    "UPDATE documents SET sha256 = ''",
    "UPDATE documents SET rows = rows - 1",
    "UPDATE packed SET codes = zeroblob(length(codes))",
    "DELETE FROM packed",
    "UPDATE spans SET row = 9, document = 9 WHERE row = 1",
    "DELETE FROM terms WHERE rowid = 1",
    "UPDATE terms_content SET c0 = replace(c0, 'tram', 'mill')",
    "DELETE FROM terms_data WHERE id > 10",
]


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_what_was_altered_is_noticed_and_not_reused(
    tmp_path: Path, embedder: CountingEmbedder, alteration: str
) -> None:
    store = MemoryStore("c", [TRAM])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    assert verified(tmp_path / "c").spans == 2
    with opened(tmp_path / "c") as connection:
        connection.execute(alteration)
    with pytest.raises(IndexDamaged):
        verified(tmp_path / "c")
    store.put_documents("c", [FIRE])
    done = root.sync(store, "c")
    assert (done.rebuilt, done.embedded, done.reused) == (True, 4, 0)
    assert verified(tmp_path / "c").spans == 4


@pytest.mark.parametrize(
    "alteration",
    [
        "UPDATE vectors SET vector = x'00'",
        "UPDATE vectors SET vector = zeroblob(1537)",
        "DELETE FROM vectors WHERE row = 1",
        "DELETE FROM packed",
        "UPDATE documents SET rows = 1",
    ],
)
def test_what_cannot_be_asked_is_told(tmp_path: Path, embedder: CountingEmbedder, alteration: str) -> None:
    root = IndexRoot(tmp_path, embedder)
    root.sync(MemoryStore("c", [TRAM]), "c")
    with opened(tmp_path / "c") as connection:
        connection.execute(alteration)
    with pytest.raises(IndexDamaged, match="doctor --fix"):
        make_retriever("hybrid", root.open("c"), embedder).retrieve(Query(text="the tram"))


class OtherWeights(CountingEmbedder):
    """Same vectors, other name: stands for another model."""

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(name="other", version="1", sha256="0" * 64)


def test_another_embedder_means_another_index(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store = MemoryStore("c", [TRAM])
    IndexRoot(tmp_path, embedder).sync(store, "c")
    other = OtherWeights(embedder.inner)
    root = IndexRoot(tmp_path, other)
    with pytest.raises(IndexDamaged, match="by other versions"):
        root.open("c")
    done = root.sync(store, "c")
    assert (done.rebuilt, len(other.texts)) == (True, 2)


def test_empty_corpora_and_texts_without_words(tmp_path: Path, embedder: CountingEmbedder) -> None:
    root = IndexRoot(tmp_path, embedder)
    for documents in ([], [document("d", "!!!")]):
        store = MemoryStore("c", documents)
        root.sync(store, "c")
        index = root.open("c")
        make_retriever("hybrid", index, embedder).retrieve(Query(text="anything"))
        assert len(index) == len(documents)


def test_missing_index_and_drop(tmp_path: Path, embedder: CountingEmbedder) -> None:
    root = IndexRoot(tmp_path, embedder)
    with pytest.raises(BackendUnavailable, match="no index yet"):
        root.open("c")
    root.sync(MemoryStore("c", [TRAM]), "c")
    for _ in range(2):
        root.drop("c")
        assert not root.folder("c").exists()


def test_a_second_writer_waits_and_then_says_so(tmp_path: Path, embedder: CountingEmbedder) -> None:
    from filelock import FileLock

    (tmp_path / "c").mkdir()
    with FileLock(tmp_path / "c" / LOCK), pytest.raises(BackendUnavailable, match="another process"):
        IndexRoot(tmp_path, embedder, lock_seconds=0.1).sync(MemoryStore("c", [TRAM]), "c")


def test_a_full_disk_is_told_and_leaves_the_old_index(
    tmp_path: Path, embedder: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore("c", [TRAM])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    store.put_documents("c", [FIRE])

    with opened(tmp_path / "c") as connection:
        [pages] = connection.execute("PRAGMA page_count").fetchone()

    def small(path: Path, mode: str) -> sqlite3.Connection:
        connection = database.connected(path, mode)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr("evidence.index.sync.connected", small)
    store.put_documents("c", [document(f"d{n}", f"{TRAM.text} {n}") for n in range(50)])
    with pytest.raises(BackendUnavailable, match="full"):
        root.sync(store, "c")
    assert len(root.open("c")) == 2
