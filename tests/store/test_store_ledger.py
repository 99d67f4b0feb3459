from __future__ import annotations

import sqlite3
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.engine import Engine

from factdesk.kernel import CertificateError, ConfigError, InputError
from report.certificate.integrity import integrity_problems
from report.certificate.sealing import SigningCodec, seal, to_text
from store.engine import open_engine, writing
from store.ledger import Ledger
from store.location import Place, Postgres
from tests.report.builders import make_body, make_certificate, make_refuted_certificate
from tests.store.workers import PROCESSES, append_many


def raw(place: Place, statement: str) -> list[tuple[Any, ...]]:
    """Past all our code, as somebody with the sqlite3 shell or psql."""
    if isinstance(place, Postgres):
        psycopg = pytest.importorskip("psycopg")
        with psycopg.connect(place.url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


def test_append_fills_in_the_place(ledger: Ledger) -> None:
    first, second = ledger.append(make_certificate("cert-1")), ledger.append(make_certificate("cert-2"))
    assert (first.envelope.sequence, first.envelope.previous_sha256) == (1, None)
    assert (second.envelope.sequence, second.envelope.previous_sha256) == (2, first.envelope.envelope_sha256)
    assert first.body == second.body == make_certificate().body
    assert not integrity_problems(second)
    assert ledger.get("cert-1") == first
    assert ledger.get("cert-2") == second
    assert ledger.count() == 2


def test_the_stored_text_is_canonical(ledger: Ledger, place: Place) -> None:
    sealed = ledger.append(make_certificate("cert-1"))
    assert raw(place, "SELECT certificate_json FROM ledger") == [(to_text(sealed),)]


def test_four_processes_lose_nothing(place: Place) -> None:
    with ProcessPoolExecutor(4, mp_context=PROCESSES) as pool:
        appended = list(pool.map(append_many, [place] * 4, range(4), [8] * 4))
    ledger = Ledger(open_engine(place), SigningCodec())
    entries = ledger.list(limit=1000)
    assert [e.sequence for e in entries] == list(range(32, 0, -1))
    assert {e.certificate_id for e in entries} == {i for ids in appended for i in ids}
    previous = None
    for entry in reversed(entries):
        certificate = ledger.get(entry.certificate_id)
        assert certificate.envelope.previous_sha256 == previous
        previous = certificate.envelope.envelope_sha256


def as_postgres(statement: str) -> str:
    """PostgreSQL's way to put a row over another one."""
    if "OR REPLACE" not in statement:
        return statement
    over = "DO UPDATE SET certificate_json = excluded.certificate_json"
    return f"{statement.replace('OR REPLACE ', '')} ON CONFLICT (sequence) {over}"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger SET verdict = 'supported'",
        "UPDATE ledger SET certificate_json = '{}' WHERE sequence = 1",
        "DELETE FROM ledger",
        "DELETE FROM ledger WHERE sequence = 2",
        "INSERT OR REPLACE INTO ledger SELECT * FROM ledger WHERE sequence = 1",
        "INSERT OR REPLACE INTO ledger SELECT 3, certificate_id, created, claim_text, verdict, verified, "
        "unverified, blocked, body_sha256, envelope_sha256, envelope_sha256, '{}' FROM ledger "
        "WHERE sequence = 2",
        "INSERT INTO ledger SELECT 4, 'new', created, claim_text, verdict, verified, unverified, blocked, "
        "body_sha256, envelope_sha256, envelope_sha256, '{}' FROM ledger WHERE sequence = 2",
        "INSERT INTO ledger SELECT 3, 'new', created, claim_text, verdict, verified, unverified, blocked, "
        "body_sha256, previous_sha256, envelope_sha256, '{}' FROM ledger WHERE sequence = 2",
    ],
)
def test_the_history_is_append_only(ledger: Ledger, place: Place, statement: str) -> None:
    if isinstance(place, Postgres):
        statement = as_postgres(statement)
    ledger.append(make_certificate("cert-1"))
    ledger.append(make_certificate("cert-2"))
    before = raw(place, "SELECT * FROM ledger")
    with pytest.raises(Exception, match="the history is append-only") as caught:
        raw(place, statement)
    assert type(caught.value).__name__ in ("IntegrityError", "IntegrityConstraintViolation")
    assert raw(place, "SELECT * FROM ledger") == before
    assert ledger.append(make_certificate("cert-3")).envelope.sequence == 3


def test_what_was_changed_past_the_triggers_is_not_handed_out(ledger: Ledger, place: Place) -> None:
    ledger.append(make_certificate("cert-1"))
    raw(place, "DROP TRIGGER ledger_no_update" + (" ON ledger" if isinstance(place, Postgres) else ""))
    raw(place, "UPDATE ledger SET certificate_json = replace(certificate_json, 'May 2024', 'May 2025')")
    with pytest.raises(CertificateError, match=r"'cert-1' does not hold: .*body hash"):
        ledger.get("cert-1")


def test_refused_certificates_leave_no_gap(ledger: Ledger) -> None:
    first = ledger.append(make_certificate("cert-1"))
    forged = make_certificate("cert-2").model_copy(update={"body": make_body(claim_text="Another.")})
    for certificate, reason in (
        (first, "already has number 1"),
        (make_certificate("cert-1"), "already has a certificate 'cert-1'"),
        (forged, "body hash"),
    ):
        with pytest.raises(CertificateError, match=reason):
            ledger.append(certificate)
    assert ledger.append(make_certificate("cert-2")).envelope.sequence == 2


def test_get_by_beginning(ledger: Ledger) -> None:
    for certificate_id in ("aaaa1111", "aaaa2222", "bbbb", "bbbb3333", "Aaaa_%"):
        ledger.append(make_certificate(certificate_id.replace("_%", "9999")))
    assert ledger.get("aaaa1").envelope.certificate_id == "aaaa1111"
    assert ledger.get("bbbb").envelope.certificate_id == "bbbb"
    assert ledger.get("bbbb3").envelope.certificate_id == "bbbb3333"
    with pytest.raises(InputError, match=r"'aaaa' is the beginning of several ids \(aaaa1111, aaaa2222\)"):
        ledger.get("aaaa")
    for unknown in ("cccc", "aaa_1", "%", "aaaa*", "' OR 1=1 --", "\x00", "\U0010ffff"):
        with pytest.raises(InputError, match="has no certificate"):
            ledger.get(unknown)
    with pytest.raises(InputError, match="empty"):
        ledger.get("")


def test_list_newest_first_with_filters(ledger: Ledger) -> None:
    ledger.append(make_certificate("cert-1"))
    refuted = make_refuted_certificate()
    ledger.append(seal(refuted.body, created="2026-02-01T00:00:00Z", certificate_id="cert-2"))
    ledger.append(seal(make_body(), created="2026-02-02T00:00:00Z", certificate_id="cert-3"))

    def ids(**options: Any) -> list[str]:
        return [e.certificate_id for e in ledger.list(**options)]

    assert ids() == ["cert-3", "cert-2", "cert-1"]
    assert ids(limit=1, offset=1) == ["cert-2"]
    assert ids(verdict="refuted") == ["cert-2"]
    assert ids(since=date(2026, 2, 1)) == ["cert-3", "cert-2"]
    assert ids(since=date(2026, 2, 3)) == []
    (entry,) = ledger.list(verdict="refuted")
    assert (entry.verified, entry.unverified, entry.blocked) == (0, 0, 0)
    assert (entry.doubt, entry.verdict) == ("unsigned", "not_enough_evidence")
    assert entry.claim_text == refuted.body.claim_text
    wrongs: tuple[dict[str, Any], ...] = ({"limit": 0}, {"limit": 1001}, {"offset": -1})
    for wrong in wrongs:
        with pytest.raises(ConfigError, match="out of range"):
            ledger.list(**wrong)


def test_search(ledger: Ledger) -> None:
    ledger.append(make_certificate("cert-1"))
    refuted = make_refuted_certificate()
    ledger.append(seal(refuted.body, created="2026-02-01T00:00:00Z", certificate_id="cert-2"))

    def ids(words: str) -> list[str]:
        return [e.certificate_id for e in ledger.search(words)]

    assert ids("never") == ["cert-2"]
    assert ids("LIBRÄRY never") == ["cert-2"]
    assert ids("books never") == []
    assert sorted(ids("tollgate")) == ["cert-1", "cert-2"], "in the deciding evidence"
    assert ids("neighbours") == ["cert-2"], "the rumour decides nothing in cert-1"
    assert len(ledger.search("tollgate", limit=1)) == 1


@pytest.mark.parametrize(
    "words",
    [
        'never"',
        '"never',
        "never AND",
        "NOT never",
        "never OR books",
        "NEAR(never books)",
        "claim:never",
        "never*",
        "{claim}: never",
        "^never",
        "never') UNION SELECT 1 --",
        "never\x00OR",
        "-never + (",
        '""" never """',
        "ne\ud800ver",
    ],
)
def test_hostile_words_are_plain_words(ledger: Ledger, words: str) -> None:
    refuted = make_refuted_certificate()
    ledger.append(seal(refuted.body, created="2026-02-01T00:00:00Z", certificate_id="cert-2"))
    ledger.append(make_certificate("cert-1"))
    assert {e.certificate_id for e in ledger.search(words)} <= {"cert-2"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.text(max_size=60))
def test_any_words_are_searched_or_refused(ledger: Ledger, words: str) -> None:
    try:
        ledger.search(words)
    except InputError as error:
        assert "word" in str(error)  # noqa: PT017


@pytest.mark.parametrize("words", ["", "  ", '"', "!!! ***", "a " * 33])
def test_no_words_or_too_many(ledger: Ledger, words: str) -> None:
    with pytest.raises(InputError, match="word"):
        ledger.search(words)


@pytest.mark.parametrize("places", ["sqlite"], indirect=True)
def test_search_survives_a_ledger_row_it_does_not_know(ledger: Ledger, engine: Engine) -> None:
    """PostgreSQL refuses such a row by its foreign key."""
    ledger.append(make_certificate("cert-1"))
    with writing(engine) as session:
        session.connection().exec_driver_sql("INSERT INTO ledger_words (rowid, claim) VALUES (99, 'library')")
    assert [e.certificate_id for e in ledger.search("library")] == ["cert-1"]
