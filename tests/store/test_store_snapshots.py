"""Snapshots of pages: kept once, found by hash, never changed."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import text as sql

from evidence.types import Document
from factdesk.kernel import CertificateError, InputError, sha256_bytes, sha256_text
from store.engine import open_engine, writing
from store.location import Place, Postgres
from store.snapshots import Snapshot, SnapshotStore


def snapshot(text: str, body: bytes = b"<p>\xff\x00", doc_id: str = "web:a/1") -> Snapshot:
    document = Document(
        doc_id=doc_id,
        title="A",
        text=text,
        sha256=sha256_text(text),
        url="http://a.example/1",
        retrieved=date(2026, 1, 2),
    )
    return Snapshot(document=document, body=body, charset="utf-8")


def test_what_is_kept_comes_back_as_it_was(place: Place) -> None:
    kept = [snapshot("one é 🦊"), snapshot("two", b"other")]
    store = SnapshotStore(open_engine(place))
    store.keep(kept)
    store.keep(kept)
    again = SnapshotStore(open_engine(place))
    assert again.find(sha256_text("one é 🦊")) == (kept[0],)
    assert again.find(sha256_text("two")[:8]) == (kept[1],)
    assert again.find(sha256_bytes(b"other")) == (kept[1],)
    assert again.find("0" * 64) == ()


def test_the_first_snapshot_of_a_text_stays(place: Place) -> None:
    store = SnapshotStore(open_engine(place))
    store.keep([snapshot("one", b"first")])
    store.keep([snapshot("one", b"second"), snapshot("one", b"third", "web:b/2")])
    assert [s.body for s in store.find(sha256_text("one"))] == [b"first", b"third"]


def test_wrong_hashes_and_short_ones_are_refused(place: Place) -> None:
    store = SnapshotStore(open_engine(place))
    good = snapshot("one")
    wrong = good.model_copy(update={"document": good.document.model_copy(update={"sha256": "0" * 64})})
    with pytest.raises(InputError, match="not its text's"):
        store.keep([good, wrong])
    assert store.find(good.document.sha256) == ()
    for short in ("", "%", "abc"):
        with pytest.raises(InputError, match="too short"):
            store.find(short)
    assert store.find("%" * 10) == ()


def test_a_snapshot_cannot_be_changed_unseen(place: Place) -> None:
    engine = open_engine(place)
    store = SnapshotStore(engine)
    store.keep([snapshot("one")])
    with pytest.raises(Exception, match="never changed"), writing(engine) as session:
        session.connection().execute(sql("UPDATE snapshot SET url = 'http://b.example'"))
    there = isinstance(place, Postgres)
    with writing(engine) as session:
        drop = "DROP TRIGGER snapshot_no_update" + (" ON snapshot" if there else "")
        session.connection().execute(sql(drop))
        broken = "'\\x00'" if there else "x'00'"
        session.connection().execute(sql(f"UPDATE snapshot SET body_zlib = {broken}"))
    with pytest.raises(CertificateError, match="damaged"):
        store.find(sha256_text("one"))
