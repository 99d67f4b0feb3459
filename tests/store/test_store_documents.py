from __future__ import annotations

from datetime import date, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from evidence.types import Document, DocumentStore
from factdesk.kernel import InputError, sha256_text
from store.documents import SqlDocumentStore, document_hash


def make_document(doc_id: str, text: str = "A text.", **fields: Any) -> Document:
    return Document(
        **{"doc_id": doc_id, "title": f"Title {doc_id}", "text": text, "sha256": sha256_text(text), **fields}
    )


FULL = make_document(
    "full",
    "Ünïcode \U0001f600\r\nwith\x00odd\u2028ends ",
    url="https://news.example/full",
    publisher="Tollgate Post",
    published=date(2024, 5, 5),
    retrieved=date(2026, 1, 30),
    source="news/full.md",
    media_type="text/markdown",
)


@pytest.fixture
def store(engine: Engine) -> SqlDocumentStore:
    return SqlDocumentStore(engine)


def test_it_is_a_document_store(store: SqlDocumentStore) -> None:
    port: DocumentStore = store
    assert port.list_corpora() == ()


def test_what_goes_in_comes_out(store: SqlDocumentStore) -> None:
    plain = make_document("plain", "")
    result = store.put_documents("news", [FULL, plain])
    assert (result.added, result.unchanged, result.replaced, result.skipped) == (2, 0, 0, ())
    assert store.get_document("news", "full") == FULL
    assert list(store.iter_documents("news")) == [FULL, plain]
    assert store.get_document("news", "none") is None
    assert store.get_document("other", "full") is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_is_kept_exactly(store: SqlDocumentStore, text: str) -> None:
    store.put_documents("news", [make_document("x", text)])
    found = store.get_document("news", "x")
    assert found is not None
    assert found.text == text


def test_putting_again_is_idempotent(store: SqlDocumentStore) -> None:
    store.put_documents("news", [FULL, make_document("b")])
    before = store.list_corpora()
    later = FULL.model_copy(update={"retrieved": date(2026, 2, 1)})
    result = store.put_documents("news", [later, make_document("b"), make_document("c")])
    assert (result.added, result.unchanged, result.replaced) == (1, 2, 0)
    assert store.get_document("news", "full") == FULL
    assert store.put_documents("news", [FULL]).unchanged == 1
    assert [c.documents for c in (*before, *store.list_corpora())] == [2, 3]


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "B", "sha256": sha256_text("B")},
        {"title": "x"},
        {"url": "x"},
        {"publisher": None},
        {"published": None},
        {"source": "x"},
        {"media_type": "x"},
    ],
)
def test_changed_text_or_metadata_replaces(store: SqlDocumentStore, changes: dict[str, Any]) -> None:
    changed = FULL.model_copy(update=changes)
    store.put_documents("news", [FULL])
    before = store.document_hashes("news")
    result = store.put_documents("news", [changed])
    assert (result.added, result.unchanged, result.replaced) == (0, 0, 1)
    assert store.get_document("news", "full") == changed
    assert store.document_hashes("news") != before
    assert store.document_hashes("news") == {"full": document_hash(changed)}


def test_two_documents_with_one_id(store: SqlDocumentStore) -> None:
    other = make_document("full", "other", source="copy.md")
    result = store.put_documents("news", [FULL, FULL, other])
    assert (result.added, result.unchanged) == (1, 0)
    assert result.skipped == (("copy.md", "another document has the id 'full'"),)
    assert store.get_document("news", "full") == FULL


def test_all_or_nothing(store: SqlDocumentStore) -> None:
    wrong = make_document("b", "text").model_copy(update={"text": "tampered"})
    with pytest.raises(InputError, match="'b' has the hash"):
        store.put_documents("news", [make_document("a"), wrong])
    assert store.list_corpora() == ()


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x1b[0m", "x" * 201])
def test_corpus_names(store: SqlDocumentStore, name: str) -> None:
    with pytest.raises(InputError, match="printable"):
        store.put_documents(name, [])


def test_an_empty_id_is_refused(store: SqlDocumentStore) -> None:
    with pytest.raises(InputError, match="empty doc_id"):
        store.put_documents("news", [make_document("")])


def test_many_documents_come_in_the_order_of_their_ids(store: SqlDocumentStore) -> None:
    ids = [f"d{number:05d}" for number in range(501)]
    store.put_documents("news", [make_document(i) for i in reversed(ids)])
    store.put_documents("other", [make_document("d00000")])
    found = [d.doc_id for d in store.iter_documents("news")]
    assert found == ids
    assert all(a < b for a, b in pairwise(store.document_hashes("news")))
    half_read = store.iter_documents("news")
    next(half_read)
    assert store.remove_documents("news", ids[1:]) == 500


def test_some_documents_at_once(store: SqlDocumentStore) -> None:
    ids = [f"d{number:05d}" for number in range(450)]
    store.put_documents("news", [FULL, *(make_document(i) for i in ids)])
    store.put_documents("other", [make_document("theirs")])
    found = store.get_documents("news", ["theirs", "none", "full", *ids, *ids])
    assert found == {"full": FULL, **{i: make_document(i) for i in ids}}
    assert store.get_documents("news", []) == {}
    assert store.get_documents("none", ids[:2]) == {}


def test_removing(store: SqlDocumentStore) -> None:
    store.put_documents("news", [make_document(i) for i in "abc"])
    store.put_documents("other", [make_document("a")])
    assert store.remove_documents("news", ["a", "a", "none", "c"]) == 2
    assert [d.doc_id for d in store.iter_documents("news")] == ["b"]
    assert store.remove_documents("none", ["a"]) == 0
    assert store.drop_corpus("news") is True
    assert store.drop_corpus("news") is False
    assert list(store.iter_documents("news")) == []
    assert [c.name for c in store.list_corpora()] == ["other"]


def test_corpora_in_numbers(store: SqlDocumentStore) -> None:
    store.put_documents("b", [])
    store.put_documents("a", [make_document(i) for i in "xyz"])
    store.set_span_count("a", 42)
    store.put_documents("a", [make_document("new")])
    assert [(c.name, c.documents, c.spans) for c in store.list_corpora()] == [("a", 4, 42), ("b", 0, 0)]
    with pytest.raises(InputError, match="no corpus 'c'"):
        store.set_span_count("c", 1)
    with pytest.raises(InputError, match="-1"):
        store.set_span_count("a", -1)


def test_each_change_gives_a_corpus_another_state(store: SqlDocumentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the clock says: changes may come within its tick, or after it was set back."""

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Stopped:
            return cls(2026, 1, 1, tzinfo=tz)

    monkeypatch.setattr("store.documents.datetime", Stopped)
    assert store.state("news") == ""
    states = []
    for change in (
        lambda: store.put_documents("news", []),
        lambda: store.put_documents("news", [FULL, make_document("a")]),
        lambda: store.put_documents("news", [FULL.model_copy(update={"title": "x"})]),
        lambda: store.put_documents("news", [FULL]),
        lambda: store.remove_documents("news", ["a"]),
    ):
        change()
        states.append(store.state("news"))
    assert sorted(set(states)) == states
    for nothing in (
        lambda: store.put_documents("news", [FULL]),
        lambda: store.put_documents("other", [FULL]),
        lambda: store.remove_documents("news", ["a"]),
        lambda: store.set_span_count("news", 3),
    ):
        nothing()
        assert store.state("news") == states[-1]
