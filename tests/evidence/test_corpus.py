"""Corpora: names, and keys of folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence.corpora import check_corpus_name, corpus_key
from evidence.index.sync import IndexRoot
from evidence.ingest import read_paths
from evidence.retrieval.embedder import OnnxEmbedder
from factdesk.kernel import InputError
from tests.evidence.memory_store import CountingEmbedder, MemoryStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "articles"
    root.mkdir()
    (root / "a.txt").write_text("The tram opened in May.", encoding="utf-8")
    (root / "b.md").write_text("---\npublished: soon\n---\nThe mill burned down.", encoding="utf-8")
    (root / "c.png").write_bytes(b"\x89PNG")
    return root


def test_adding_twice_changes_nothing(folder: Path, tmp_path: Path, onnx: OnnxEmbedder) -> None:
    store, embedder = MemoryStore(), CountingEmbedder(onnx)
    indexes, read = IndexRoot(tmp_path / "index", embedder), read_paths([folder])
    first = store.put_documents("news", read.documents)
    indexes.sync(store, "news")
    assert (first.added, first.unchanged, first.replaced) == (2, 0, 0)
    assert [name for name, _ in read.skipped] == ["c.png"]
    assert [name for name, _ in read.notes] == ["b.md"]
    assert "kept without a date" in read.notes[0][1]
    assert len(embedder.texts) == 2
    (folder / "a.txt").write_text("The tram opened in June.", encoding="utf-8")
    again = store.put_documents("news", read_paths([folder]).documents)
    indexes.sync(store, "news")
    assert (again.added, again.unchanged, again.replaced) == (0, 1, 1)
    assert embedder.texts[2:] == ["a. The tram opened in June."]
    assert len(indexes.open("news")) == 2


@pytest.mark.parametrize("name", ["a", "news-2024_v1.2", "x" * 64, "_tmp"])
def test_good_names(name: str) -> None:
    assert check_corpus_name(name) == name


@pytest.mark.parametrize("name", ["", "x" * 65, "a/b", "..", ".hidden", "-x", "naïve", "a b", "a\n", "a.", "a\\b"])
def test_bad_names(name: str) -> None:
    with pytest.raises(InputError, match="corpus name"):
        check_corpus_name(name)


def test_key_follows_content_and_not_place(folder: Path, tmp_path: Path) -> None:
    key = corpus_key([folder])
    folder.rename(tmp_path / "moved")
    moved = tmp_path / "moved"
    assert corpus_key([moved]) == key
    (moved / "c.png").write_bytes(b"other")
    (moved / ".hidden.txt").write_text("x", encoding="utf-8")
    assert corpus_key([moved]) == key
    (moved / "a.txt").write_text("The tram opened in May!", encoding="utf-8")
    changed = corpus_key([moved])
    assert changed != key
    (moved / "a.txt").rename(moved / "d.txt")
    assert corpus_key([moved]) not in (key, changed)
    with pytest.raises(InputError, match="does not exist"):
        corpus_key([tmp_path / "nothing"])
