"""What is PostgreSQL's own: schema steps, triggers that hold, locks, errors, pools. Needs a server."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import String

from factdesk.kernel import BackendUnavailable, ConfigError, InputError
from report.certificate.sealing import SigningCodec
from store.documents import SqlDocumentStore
from store.engine import open_engine, reading, writing
from store.full_text import lexemes, tsquery, tsvector
from store.known_images import KnownImageStore
from store.ledger import Ledger
from store.location import Postgres, exists
from store.postgres import close_pools, from_stored, to_stored
from store.tables import Table
from store.trust import TrustStore
from store.types import StoredClaim, StoredDocument, StoredRelation
from tests.report.builders import make_certificate
from tests.store.test_store_documents import make_document

psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")


@pytest.fixture
def server(postgres: str) -> Postgres:
    return Postgres(postgres)


def run(place: Postgres, *statements: str) -> list[tuple[object, ...]]:
    """As somebody with psql: all in one transaction; rows of the last statement."""
    with psycopg.connect(place.url) as connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_the_database_has_the_tables_of_the_models(server: Postgres) -> None:
    open_engine(server)
    for name, table in Table.metadata.tables.items():
        rows = run(
            server,
            "SELECT column_name, is_nullable, collation_name FROM information_schema.columns "
            f"WHERE table_name = '{name}' ORDER BY ordinal_position",
        )
        assert [(c, n == "YES") for c, n, _ in rows] == [(c.name, c.nullable) for c in table.columns], name
        texts = [isinstance(c.type, String) for c in table.columns]
        assert [collation == "C" for _, _, collation in rows] == texts, "texts are compared as SQLite does"


def test_a_schema_that_fails_half_way_leaves_nothing_behind(server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        broken = ["CREATE TABLE half (x INTEGER)", "CREATE TABLE half (x INTEGER)"]
        patch.setattr("store.schema._statements", lambda _: broken)
        with pytest.raises(BackendUnavailable, match="already exists"):
            open_engine(server)
    assert run(server, "SELECT to_regclass('half'), to_regclass('corpus')") == [(None, None)]
    assert Ledger(open_engine(server), SigningCodec()).count() == 0


def test_all_who_start_at_once_agree_on_one_schema(server: Postgres) -> None:
    """Engines of their own lock each other out as processes do."""
    barrier = threading.Barrier(6)

    def start(number: int) -> int:
        barrier.wait()
        ledger = Ledger(open_engine(server, busy_timeout=30.0 + number), SigningCodec())
        return ledger.append(make_certificate(f"cert-{number}")).envelope.sequence

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(start, range(6))) == list(range(1, 7))


def test_databases_that_are_not_ours(server: Postgres) -> None:
    run(server, "CREATE TABLE document (x INTEGER)")
    with pytest.raises(InputError, match="belongs to another program"):
        open_engine(server)
    run(server, "DROP TABLE document")
    open_engine(server)
    close_pools()
    run(server, "UPDATE factdesk_schema SET version = 99")
    with pytest.raises(InputError, match="has schema 99, this factdesk knows schema"):
        open_engine(server)


def test_a_user_without_rights_to_make_tables_can_work(server: Postgres) -> None:
    """Tables made by their owner; the desks' own user can neither drop triggers nor cut the history."""
    open_engine(server)
    user = f"clerk_{server.url.rpartition('_')[2][:8].split('?')[0]}"
    run(
        server,
        f"CREATE ROLE {user} LOGIN",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {user}",
    )
    clerk = Postgres(server.url.replace("desk@", f"{user}@"))
    try:
        ledger = Ledger(open_engine(clerk), SigningCodec())
        ledger.append(make_certificate("cert-1"))
        assert ledger.search("library")[0].certificate_id == "cert-1"
        for statement in (
            "TRUNCATE ledger CASCADE",
            "DROP TRIGGER ledger_no_update ON ledger",
            "ALTER TABLE ledger DISABLE TRIGGER ALL",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(clerk, statement)
    finally:
        close_pools()
        run(server, f"DROP OWNED BY {user}", f"DROP ROLE {user}")


@pytest.mark.parametrize(
    "statements",
    [
        ("TRUNCATE ledger CASCADE",),
        ("TRUNCATE ledger_link",),
        ("TRUNCATE ledger_head",),
        ("SET session_replication_role = replica", "DELETE FROM ledger_link"),
        ("SET session_replication_role = replica", "UPDATE ledger SET verdict = 'supported'"),
        (
            "CREATE TEMP TABLE ledger AS SELECT 1 AS sequence, NULL::text AS envelope_sha256",
            "INSERT INTO public.ledger SELECT 2, 'forged', created, claim_text, verdict, 0, 0, 0, "
            "body_sha256, NULL, envelope_sha256, '{}' FROM public.ledger",
        ),
    ],
)
def test_no_way_round_the_triggers(server: Postgres, statements: tuple[str, ...]) -> None:
    ledger = Ledger(open_engine(server), SigningCodec())
    ledger.append(make_certificate("cert-1"))
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="append-only"):
        run(server, *statements)
    assert ledger.count() == 1


def test_writers_wait_for_their_area_alone_and_readers_for_none(server: Postgres) -> None:
    engine = open_engine(server, busy_timeout=0.2)
    ledger, store = Ledger(engine, SigningCodec()), SqlDocumentStore(engine)
    first = ledger.append(make_certificate("cert-1"))
    with writing(engine, "ledger") as session:
        session.connection()
        with pytest.raises(InputError, match="is locked by another process; wait"):
            ledger.append(make_certificate("cert-2"))
        assert ledger.get("cert-1") == first
        store.put_documents("news", [make_document("a")])
    assert ledger.append(make_certificate("cert-2")).envelope.sequence == 2


def test_a_reader_sees_one_state_and_writes_nothing(server: Postgres) -> None:
    engine = open_engine(server)
    ledger = Ledger(engine, SigningCodec())
    with reading(engine) as session:
        count = "SELECT COUNT(*) FROM ledger"
        assert session.connection().exec_driver_sql(count).scalar_one() == 0
        ledger.append(make_certificate("cert-1"))
        assert session.connection().exec_driver_sql(count).scalar_one() == 0
    with pytest.raises(InputError, match="read-only"), reading(engine) as session:
        session.connection().exec_driver_sql("DELETE FROM corpus")


def test_a_server_that_is_away(tmp_path: Path) -> None:
    secret = Postgres(f"postgresql://desk:hunter2@/none?host={tmp_path}&connect_timeout=1")
    with pytest.raises(BackendUnavailable, match=r"desk@/none' cannot be reached") as caught:
        open_engine(secret)
    shown = f"{caught.value!r} {secret} {secret!r}"
    assert "hunter2" not in shown
    assert exists(secret)


def test_a_database_that_is_not_there(server: Postgres) -> None:
    there = server.url.split("/fdk_")[0]
    with pytest.raises(BackendUnavailable, match=r"desk@/absent' cannot be reached .*does not exist"):
        open_engine(Postgres(f"{there}/absent?{server.url.partition('?')[2]}"))


def test_connections_cut_by_the_server_are_made_anew(server: Postgres) -> None:
    ledger = Ledger(open_engine(server), SigningCodec())
    ledger.append(make_certificate("cert-1"))
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    assert run(server, kill)
    assert ledger.append(make_certificate("cert-2")).envelope.sequence == 2


def test_one_pool_for_all_who_open_the_same(server: Postgres) -> None:
    engines = []
    threads = [threading.Thread(target=lambda: engines.append(open_engine(server))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(e) for e in engines}) == 1


def test_trust_and_known_images(server: Postgres) -> None:
    engine = open_engine(server)
    SqlDocumentStore(engine).put_documents("c", [make_document("a"), make_document("b")])
    trust = TrustStore(engine)
    claims = [
        StoredClaim(claim_id=f"{d}1", doc_id=d, start=0, end=2, source="s", text="t\0", vector=b"\0\xff") for d in "ab"
    ]
    for claim in claims:
        document = StoredDocument(doc_id=claim.doc_id, row_sha256="r", extraction="e", dropped=0)
        trust.put_document("c", document, [claim])
    assert trust.claims("c") == claims
    near = StoredRelation(source="a1", target="b1", similarity=0.5, weight=0.0, model="")
    trust.put_pairs("c", [near], ["a"])
    scored = near.model_copy(update={"weight": -0.75, "model": "m"})
    trust.put_relations("c", [scored])
    trust.put_pairs("c", [near], ["b"])
    assert trust.relations("c") == [scored], "what is scored stays"
    assert all(d.paired for d in trust.documents("c").values())
    trust.add_seeds("c", "publisher", ["x", "x"])
    trust.add_seeds("c", "publisher", ["x"])
    assert trust.seeds("c") == [("publisher", "x")]
    assert trust.remove_seeds("c", "publisher", ["x", "y"]) == 1
    SqlDocumentStore(engine).remove_documents("c", ["a"])
    assert trust.relations("c") == []
    assert KnownImageStore(engine).revision() == 0


@given(st.text(alphabet=st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("\0\ufdd001"))))
def test_any_text_survives_its_way_through_the_database(text: str) -> None:
    assert "\0" not in to_stored(text)
    assert from_stored(to_stored(text)) == text


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_word_index_gets_letters_and_digits_alone(claim: str, evidence: str) -> None:
    words = lexemes(claim) + lexemes(evidence)
    assert all(w.isalnum() or not w.isascii() for w in words)
    assert not any(c in "'\\\0" for c in "".join(words))
    assert tsvector(claim, evidence).count("':") == len(words)


def test_a_word_with_parts_is_found_as_they_stand() -> None:
    assert tsquery(["6.2", "Läufer"]) == "('6' <-> '2') & ('laufer')"
    assert tsvector("6.2 ÄB", "x") == "'6':1A '2':2A 'ab':3A 'x':5B"


@pytest.mark.parametrize("url", ["", "mysql://x/y", "postgresql://host", "postgresql://h:99999/x", "secret"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ConfigError, match="not one of PostgreSQL") as caught:
        Postgres(url)
    assert not url or url not in str(caught.value)
