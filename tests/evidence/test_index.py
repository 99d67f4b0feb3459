"""The index on disk: incremental, swapped in one step, mended when damaged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from evidence.index.format import LOCK, POINTER, IndexDamaged, current_generation, describe_all, read_manifest
from evidence.index.sync import IndexRoot
from evidence.retrieval.embedder import OnnxEmbedder
from evidence.retriever_factory import make_retriever
from evidence.segmentation.spans import spans_of
from evidence.types import Query
from factdesk.kernel import BackendUnavailable, Fingerprint
from tests.evidence.memory_store import CountingEmbedder, MemoryStore, document

TRAM = document("tram", "The tram opened in May. It carries 12,000 riders.", title="Tram line four")
FIRE = document("fire", "A fire broke out at the mill. Nobody was hurt.", title="Fire at the mill")
LAKE = document("lake", "The lake is closed because of algae.", title="Lake Brennick", published="2024-05-01")


@pytest.fixture(scope="module")
def onnx() -> OnnxEmbedder:
    return OnnxEmbedder(threads=1)


@pytest.fixture
def embedder(onnx: OnnxEmbedder) -> CountingEmbedder:
    return CountingEmbedder(onnx)


def segment_of(folder: Path) -> Path:
    """The only segment of a small index."""
    generation = current_generation(folder)
    assert generation is not None
    [name] = read_manifest(generation).segments
    return folder / name


def files_of(folder: Path) -> dict[str, bytes]:
    segment = segment_of(folder)
    return {
        str(path.relative_to(segment)): path.read_bytes()
        for path in segment.rglob("*")
        if path.is_file() and path.suffix != ".sqlite"
    }


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
    changed = document(
        "fire", "A fire broke out at the mill. Two people were hurt.", title="Fire at the mill"
    )
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


def test_an_index_does_not_depend_on_how_it_came_about(tmp_path: Path, embedder: CountingEmbedder) -> None:
    at_once, bit_by_bit = IndexRoot(tmp_path / "a", embedder), IndexRoot(tmp_path / "b", embedder)
    at_once.sync(MemoryStore("c", [FIRE, LAKE, TRAM]), "c")
    store = MemoryStore("c", [TRAM])
    for step in (LAKE, document("x", "Something else."), FIRE):
        bit_by_bit.sync(store, "c")
        store.put_documents("c", [step])
    store.remove_documents("c", ["x"])
    bit_by_bit.sync(store, "c")
    left, right = files_of(tmp_path / "a" / "c"), files_of(tmp_path / "b" / "c")
    del left["manifest.json"], right["manifest.json"]
    assert left == right


def folders(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


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
    assert folders(tmp_path / "c") == sorted([reader.generation.name, reader.segments[0].name])
    assert [span.doc_id for span in root.open("c").spans([0])] == ["tram"]
    # What a kill without any clean-up leaves: half a generation that no pointer names.
    (tmp_path / "c" / "gen-half").mkdir()
    (tmp_path / "c" / "gen-half" / "vectors.npy").write_bytes(b"half")
    assert len(root.open("c")) == 2
    assert root.sync(store, "c").documents == 2
    assert not (tmp_path / "c" / "gen-half").exists()


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


@pytest.mark.parametrize(
    "victim",
    ["spans.sqlite", "vectors.npy", "codes.npy", "manifest.json", "bm25/rows.npy", "generation", POINTER],
)
@pytest.mark.parametrize("how", ["cut", "gone", "garbage"])
def test_a_damaged_index_is_made_anew(
    tmp_path: Path, embedder: CountingEmbedder, victim: str, how: str
) -> None:
    store = MemoryStore("c", [TRAM, FIRE])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    generation = current_generation(tmp_path / "c")
    assert generation is not None
    places = {POINTER: tmp_path / "c" / POINTER, "generation": generation / "manifest.json"}
    path = places.get(victim, segment_of(tmp_path / "c") / victim)
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(data[: len(data) // 2] if how == "cut" else b"\xff" * (len(data) + 1))
    with pytest.raises(BackendUnavailable):
        root.open("c")
    assert root.sync(store, "c").changed
    assert len(root.open("c")) == 4


def test_altered_bytes_are_not_reused(tmp_path: Path, embedder: CountingEmbedder) -> None:
    store = MemoryStore("c", [TRAM])
    root = IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    vectors = segment_of(tmp_path / "c") / "vectors.npy"
    data = bytearray(vectors.read_bytes())
    data[-4:] = b"\x00\x00\x80\x3f"
    vectors.write_bytes(data)
    store.put_documents("c", [FIRE])
    embedder.texts.clear()
    done = root.sync(store, "c")
    assert (done.rebuilt, done.embedded, done.reused) == (True, 4, 0)


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


@pytest.mark.parametrize("altered", [False, True])
def test_vectors_of_an_index_before_version_4_are_taken_over(
    tmp_path: Path, embedder: CountingEmbedder, altered: bool
) -> None:
    """It was one folder with a manifest of its own; embedding is what takes long, so it is not done again."""
    store, root = MemoryStore("c", [TRAM, FIRE]), IndexRoot(tmp_path, embedder)
    root.sync(store, "c")
    folder, old = tmp_path / "c", tmp_path / "c" / "gen-old"
    segment = segment_of(folder)
    old.mkdir()
    for name in ("spans.sqlite", "vectors.npy"):
        shutil.copy(segment / name, old / name)
    manifest = {
        "index_version": "3", "segment_version": "1", "tokens_version": "1", "has_bm25": True, "spans": 4,
        "documents": 2, "dimension": 384, "embedder": embedder.fingerprint.model_dump(),
        "files": {name: file.model_dump() for name, file in describe_all(old).items()},
    }  # fmt: skip
    (old / "manifest.json").write_text(json.dumps(manifest))
    if altered:
        data = bytearray((old / "vectors.npy").read_bytes())
        data[-4:] = b"\x00\x00\x80\x3f"
        (old / "vectors.npy").write_bytes(data)
    (folder / POINTER).write_text("gen-old\n")
    shutil.rmtree(segment)
    before = embedder.texts.copy()
    embedder.texts.clear()
    with pytest.raises(BackendUnavailable):
        root.open("c")
    done = root.sync(store, "c")
    assert (done.rebuilt, done.embedded, done.reused) == (True, 4 if altered else 0, 0 if altered else 4)
    assert embedder.texts == (before if altered else [])
    index = root.open("c")
    assert np.allclose(index.vectors(range(4)), embedder.inner.embed(before))


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
    assert root.drop("c")
    assert not root.drop("c")


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

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("evidence.index.format.flush", full)  # a segment comes first
    with pytest.raises(BackendUnavailable, match="No space left"):
        root.sync(store, "c")
    assert len(root.open("c")) == 2
    assert len(folders(tmp_path / "c")) == 2
    shutil.rmtree(tmp_path / "c")
