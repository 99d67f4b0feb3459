"""The signed history: heads, supersession, export and import, several processes, a process that is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from factdesk.kernel import CertificateError
from report.certificate.history_file import history_lines, is_history, read_history
from report.certificate.keys import Keyring
from report.certificate.sealing import SigningCodec, parse, seal, to_text
from report.types import Head
from report.verification.findings import Completeness
from report.verification.integrity import verify_chain, verify_integrity
from store.engine import open_engine
from store.ledger import Ledger
from store.location import Place, Postgres
from tests.report.builders import CREATED, make_body, make_certificate
from tests.store.test_store_ledger import raw
from tests.store.workers import PROCESSES, append_signed

REPOSITORY = Path(__file__).resolve().parents[2]
MANY = bool(os.environ.get("FULL_LEDGER"))
"""``FULL_LEDGER=1``: 8 processes append 1,000 certificates (a minute); otherwise 64."""


Places = Callable[[Path], Place]
IN_USE: list[Places] = []
"""Which database belongs to a folder, in the test that runs now."""


@pytest.fixture(autouse=True)
def use_places(places: Places) -> Iterator[None]:
    IN_USE[:] = [places]
    yield
    IN_USE.clear()


def signed(folder: Path) -> Ledger:
    return Ledger(
        open_engine(IN_USE[0](folder), busy_timeout=60.0),
        SigningCodec(Keyring(folder / "keys")),
        folder / "head.json",
    )


def chain(folder: Path, ledger: Ledger | None = None) -> Completeness:
    ledger = ledger or signed(folder)
    kept = ledger.kept_head()
    return verify_chain(
        ledger.texts(),
        head=ledger.head(),
        known=(kept,) if kept else (),
        keys=Keyring(folder / "keys").known(),
        scope="local history",
    )


def test_what_is_appended_is_signed_and_the_head_moves(tmp_path: Path) -> None:
    ledger = signed(tmp_path)
    assert ledger.head() is None
    first = ledger.append(make_certificate("cert-1"))
    second = ledger.append(make_certificate("cert-2"))
    keys = Keyring(tmp_path / "keys").known()
    for text in ledger.texts():
        _, integrity = verify_integrity(text, keys)
        assert (integrity.ok, integrity.signature) == (True, "valid"), integrity.problems
    head = ledger.head()
    assert head == ledger.kept_head()
    assert head is not None
    assert (head.sequence, head.envelope_sha256) == (2, second.envelope.envelope_sha256)
    assert head.first_sha256 == first.envelope.envelope_sha256
    assert chain(tmp_path).ok is True
    assert {e.key_id for e in ledger.list()} == set(keys)


def test_unsigned_certificates_are_read_and_called_unsigned(tmp_path: Path) -> None:
    engine = open_engine(IN_USE[0](tmp_path))
    Ledger(engine, SigningCodec()).append(make_certificate("old-1"))
    ledger = signed(tmp_path)
    ledger.append(make_certificate("new-1"))
    old, new = ledger.texts()
    keys = Keyring(tmp_path / "keys").known()
    assert SigningCodec().load(old).envelope.key_id is None
    assert verify_integrity(old, keys)[1].signature == "unsigned"
    assert not verify_integrity(old, keys)[1].ok
    assert verify_integrity(old, keys, allow_unsigned=True)[1].ok
    assert not verify_integrity(new.replace("reopened", "re-opened"), keys, allow_unsigned=True)[1].ok
    assert [e.key_id is None for e in ledger.list()] == [False, True]
    assert chain(tmp_path).ok is True


def tamper(folder: Path, *statements: str) -> None:
    """Past the triggers, as somebody with the file and the sqlite3 shell, or with psql."""
    place = IN_USE[0](folder)
    if isinstance(place, Postgres):
        psycopg = pytest.importorskip("psycopg")
        find = "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
        with psycopg.connect(place.url, autocommit=True) as connection:
            for name, table in connection.execute(find).fetchall():
                connection.execute(f"DROP TRIGGER {name} ON {table}")
            connection.execute("ALTER TABLE ledger_words DROP CONSTRAINT IF EXISTS ledger_words_sequence_fkey")
            connection.execute("DELETE FROM ledger_words WHERE sequence > 2")
            for statement in statements:
                connection.execute(statement)
        return
    with closing(sqlite3.connect(folder / "history.db", isolation_level=None)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)


def test_cutting_off_the_database_is_noticed(tmp_path: Path) -> None:
    ledger = signed(tmp_path)
    heads: list[str] = []
    for number in range(4):
        ledger.append(make_certificate(f"cert-{number}"))
        head = ledger.head()
        assert head is not None
        heads.append(head.model_dump_json())
    tamper(tmp_path, "DELETE FROM ledger_link WHERE sequence > 2", "DELETE FROM ledger WHERE sequence > 2")
    found = chain(tmp_path)
    assert found.ok is False
    assert any("the end was cut off" in p for p in found.problems), found.problems
    tamper(tmp_path, f"UPDATE ledger_head SET sequence = 2, head_json = '{heads[1]}'")
    found = chain(tmp_path)
    assert found.ok is False
    assert all(p.startswith("a head kept before") for p in found.problems), "only the file outside knows"
    ledger = signed(tmp_path)
    for number in range(5):
        ledger.append(make_certificate(f"late-{number}"))
    found = chain(tmp_path)
    assert found.ok is False, "the kept head stays where it was"
    assert any("another certificate than the head says" in p for p in found.problems)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_link SET key_id = NULL",
        "DELETE FROM ledger_link",
        "INSERT OR REPLACE INTO ledger_link VALUES (1, NULL, NULL)",
        "DELETE FROM ledger_head",
        "UPDATE ledger_head SET sequence = 1",
        "UPDATE ledger_head SET head_json = '{}'",
        "INSERT OR REPLACE INTO ledger_head VALUES (1, 1, '{}')",
        "UPDATE ledger_head SET sequence = 9, head_json = '{}'",
    ],
)
def test_links_and_head_are_append_only(tmp_path: Path, statement: str) -> None:
    ledger = signed(tmp_path)
    ledger.append(make_certificate("cert-1"))
    ledger.append(make_certificate("cert-2"))
    place = IN_USE[0](tmp_path)
    if isinstance(place, Postgres) and "OR REPLACE" in statement:
        column = "sequence" if "link" in statement else "one"
        statement = statement.replace("OR REPLACE ", "") + f" ON CONFLICT ({column}) DO UPDATE SET {column} = 1"
    with pytest.raises(Exception, match="append-only") as caught:
        raw(place, statement)
    assert type(caught.value).__name__ in ("IntegrityError", "IntegrityConstraintViolation")
    assert chain(tmp_path).ok is True


def test_a_recheck_points_to_what_it_replaces(tmp_path: Path) -> None:
    ledger = signed(tmp_path)
    ledger.append(make_certificate("cert-1"))
    again = seal(make_body(), created=CREATED, certificate_id="cert-2", supersedes="cert-1")
    stored = ledger.append(again)
    assert stored.envelope.supersedes == "cert-1"
    assert parse(to_text(stored)) == stored
    new, old = ledger.list()
    assert (new.supersedes, old.superseded_by, old.supersedes, new.superseded_by) == (
        "cert-1",
        "cert-2",
        None,
        None,
    )
    assert [e.certificate_id for e in ledger.list(status="current")] == ["cert-2"]
    assert [e.certificate_id for e in ledger.list(status="superseded")] == ["cert-1"]
    assert ledger.search("library")[0].key_id
    absent = seal(make_body(), created=CREATED, certificate_id="cert-3", supersedes="nothing")
    with pytest.raises(CertificateError, match="no certificate 'nothing' to supersede"):
        ledger.append(absent)


def test_filters(tmp_path: Path) -> None:
    ledger = signed(tmp_path)
    first = ledger.append(make_certificate("cert-1"))
    Keyring(tmp_path / "keys").rotate()
    signed(tmp_path).append(make_certificate("cert-2"))
    assert [e.certificate_id for e in ledger.list(key_id=(first.envelope.key_id or "")[:8])] == ["cert-1"]
    assert ledger.list(key_id="%") == ()
    assert len(ledger.list(state="VERIFIED")) == 2
    assert ledger.list(state="BLOCKED") == ()
    assert chain(tmp_path).ok is True, "certificates of the retired key go on holding"


def export(folder: Path) -> str:
    ledger = signed(folder)
    lines = history_lines(
        ledger.texts(), count=ledger.count(), head=ledger.head(), keys=Keyring(folder / "keys").known()
    )
    return "".join(line + "\n" for line in lines)


def test_export_and_import_lose_nothing(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for number in range(5):
        signed(here).append(make_certificate(f"cert-{number}"))
    text = export(here)
    assert is_history(text)
    assert not is_history(to_text(make_certificate()))
    history = read_history(text)
    assert history.header.count == 5
    other = signed(there)
    assert other.restore(history.texts, history.header.head) == 5
    assert other.restore(history.texts, history.header.head) == 0, "again changes nothing"
    Keyring(there / "keys").add(Keyring(here / "keys").known())
    assert export(there) == text
    assert other.list() == signed(here).list()
    assert other.search("tollgate", limit=9) == signed(here).search("tollgate", limit=9)
    assert other.kept_head() == signed(here).kept_head()
    signed(here).append(make_certificate("cert-5"))
    more = read_history(export(here))
    assert other.restore(more.texts, more.header.head) == 1, "an import goes on where the last one ended"


def test_a_fork_a_gap_and_a_wrong_head_are_not_taken_over(tmp_path: Path) -> None:
    here, fork = tmp_path / "here", tmp_path / "fork"
    for number in range(3):
        signed(here).append(make_certificate(f"cert-{number}"))
        signed(fork).append(make_certificate(f"fork-{number}"))
    history, other = read_history(export(here)), read_history(export(fork))
    target = signed(tmp_path / "target")
    target.restore(history.texts[:2], None)
    wrong: list[tuple[tuple[str, ...], Head | None]] = [
        (other.texts, other.header.head),
        ((*history.texts[:2], other.texts[2]), None),
        (history.texts, other.header.head),
        ((history.texts[0].replace("2024", "2025"),), None),
    ]
    for texts, head in wrong:
        with pytest.raises(CertificateError):
            target.restore(texts, head)
        assert target.count() == 2
    with pytest.raises(CertificateError, match="does not follow"):
        signed(tmp_path / "empty").restore(history.texts[1:], None)


@pytest.mark.parametrize("places", ["sqlite"], indirect=True)  # four do it on PostgreSQL, in test_store_ledger
def test_eight_processes_lose_nothing(tmp_path: Path) -> None:
    each = 125 if MANY else 8
    with ProcessPoolExecutor(8, mp_context=PROCESSES) as pool:
        appended = list(pool.map(append_signed, [str(tmp_path)] * 8, [IN_USE[0](tmp_path)] * 8, range(8), [each] * 8))
    ids = {i for part in appended for i in part}
    found = chain(tmp_path)
    assert len(ids) == 8 * each
    assert (found.ok, found.certificates, found.head) == (True, 8 * each, 8 * each), found.problems
    assert {e.certificate_id for e in signed(tmp_path).list(limit=1000)} == ids
    assert len(Keyring(tmp_path / "keys").known()) == 1


def test_kill_9_during_append_leaves_the_chain_intact(tmp_path: Path) -> None:
    place = IN_USE[0](tmp_path)
    counts = []
    for attempt in range(3):
        process = PROCESSES.Process(target=append_signed, args=(str(tmp_path), place, attempt, 10_000))
        process.start()
        before = counts[-1] if counts else 0
        deadline = time.monotonic() + 600
        while signed(tmp_path).count() < before + 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.017 * attempt)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, "it was at work until then"
        found = chain(tmp_path)
        assert found.ok is True, found.problems
        counts.append(found.certificates)
    assert counts == sorted(set(counts))
    last = signed(tmp_path).append(make_certificate("after-all"))
    assert last.envelope.sequence == counts[-1] + 1
    assert chain(tmp_path).ok is True
