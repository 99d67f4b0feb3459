from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import event, inspect
from sqlalchemy.engine import Engine

from factdesk.kernel import FactdeskError, InputError, sha256_text
from report.certificate.sealing import SigningCodec
from store import tables
from store.documents import SqlDocumentStore
from store.engine import open_engine, reading, writing
from store.ledger import Ledger
from store.schema import APPLICATION_ID, SCHEMA_VERSION
from store.tables import Table
from tests.report.builders import make_certificate
from tests.store.test_store_documents import make_document


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def schema(path: Path) -> list[tuple[str, ...]]:
    with closing(connect(path)) as connection:
        return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()


def pragma(engine: Engine, name: str) -> object:
    with reading(engine) as session:
        return session.connection().exec_driver_sql(f"PRAGMA {name}").scalar()


def test_a_new_database_has_its_folder_pragmas_and_schema(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "history.db"
    engine = open_engine(path, busy_timeout=1.5)
    found = {n: pragma(engine, n) for n in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")}
    assert found == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 1500}
    assert pragma(engine, "user_version") == SCHEMA_VERSION
    assert pragma(engine, "application_id") == APPLICATION_ID
    assert [p.name for p in path.parent.iterdir()] == ["history.db"]


def test_odd_file_names(tmp_path: Path) -> None:
    for name in ("a?b&mode=ro#c.db", "file:x.db", ":memory:", "ü %20.db"):
        assert Ledger(open_engine(tmp_path / name), SigningCodec()).count() == 0
        assert (tmp_path / name).is_file()


def test_a_dangling_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    open_engine(tmp_path / "link.db")
    assert (tmp_path / "real.db").is_file()


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    Ledger(open_engine(path), SigningCodec()).append(make_certificate())
    before = schema(path)
    assert Ledger(open_engine(path), SigningCodec()).count() == 1
    assert schema(path) == before


def test_a_schema_that_fails_half_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.db"
    path.touch()
    with monkeypatch.context() as patch:
        patch.setattr("store.schema._statements", lambda _: ["CREATE TABLE half (x)"] * 2)
        with pytest.raises(FactdeskError, match="already exists"):
            open_engine(path)
    assert schema(path) == []
    assert Ledger(open_engine(path), SigningCodec()).count() == 0


def test_the_database_has_the_tables_of_the_models(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "history.db")
    inspector = inspect(engine)
    for name, table in Table.metadata.tables.items():
        found = {c["name"]: (str(c["type"]), c["nullable"]) for c in inspector.get_columns(name)}
        assert found == {c.name: (str(c.type), c.nullable) for c in table.columns}, name
    others = set(inspector.get_table_names()) - Table.metadata.tables.keys()
    assert {name.split("_")[1] for name in others} == {"words"}, "the word index and nothing else"


@pytest.mark.parametrize("empty_file", [False, True])
def test_all_who_start_at_once_agree_on_one_database(tmp_path: Path, empty_file: bool) -> None:
    """Threads with connections of their own lock each other out as processes do, and meet more closely."""
    path = tmp_path / "new" / "history.db"
    path.parent.mkdir()
    if empty_file:
        path.touch()
    barrier = Barrier(8)

    def start(number: int) -> int:
        barrier.wait()
        ledger = Ledger(open_engine(path, busy_timeout=30.0), SigningCodec())
        return ledger.append(make_certificate(f"cert-{number}")).envelope.sequence

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(start, range(8))) == list(range(1, 9))
    assert [p.name for p in path.parent.iterdir()] == ["history.db"]


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    assert pragma(open_engine(path), "journal_mode") == "wal"


@pytest.mark.parametrize(
    "content", [b"hello, this is a letter\n" * 100, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, b"x"]
)
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"letter\.txt' is no SQLite database; give another path"):
        open_engine(path)
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["letter.txt"]


def test_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    ledger = Ledger(open_engine(path), SigningCodec())
    for number in range(30):
        ledger.append(make_certificate(f"cert-{number:03d}"))
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="is damaged; restore it from a backup"):
        Ledger(open_engine(path), SigningCodec()).append(make_certificate("cert-999"))


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE checkpoints (x)")
    before = path.read_bytes()
    with pytest.raises(InputError, match="belongs to another program"):
        open_engine(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 98, SCHEMA_VERSION - 1 or -1])
def test_a_schema_of_another_version(tmp_path: Path, version: int) -> None:
    path = tmp_path / "history.db"
    open_engine(path)
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(
        InputError, match=rf"has schema {version}, this factdesk knows schema {SCHEMA_VERSION}; use the"
    ):
        open_engine(path)
    assert path.read_bytes() == before


def test_paths_that_cannot_be_a_database(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        open_engine(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be made"):
        open_engine(tmp_path / "file" / "history.db")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="no regular file"):
        open_engine(tmp_path / "pipe")


def test_a_read_only_file(unprivileged: Path) -> None:
    path = unprivileged / "history.db"
    engine = open_engine(path)
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"history\.db' is read-only; make the file and its folder writable"):
        open_engine(path)
    with pytest.raises(InputError, match="is read-only"):
        Ledger(engine, SigningCodec()).append(make_certificate())
    path.chmod(0o000)
    with pytest.raises(InputError, match="cannot be read"):
        open_engine(path)


def test_a_read_only_folder(unprivileged: Path) -> None:
    folder = unprivileged / "sealed"
    folder.mkdir()
    open_engine(folder / "history.db")
    folder.chmod(0o555)
    (folder / "history.db").chmod(0o644)
    for path in (folder / "history.db", folder / "new.db"):
        with pytest.raises(InputError, match=r"folder .* is read-only"):
            open_engine(path)
    with pytest.raises(InputError, match="cannot be made"):
        open_engine(folder / "sub" / "history.db")
    assert [p.name for p in folder.iterdir()] == ["history.db"]


def test_a_database_locked_for_writing(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    ledger = Ledger(open_engine(path, busy_timeout=0.1), SigningCodec())
    first = ledger.append(make_certificate("cert-1"))
    with closing(connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match=r"history\.db' is locked by another process; wait"):
            ledger.append(make_certificate("cert-2"))
        # Readers are not disturbed, and opening needs no lock.
        assert Ledger(open_engine(path, busy_timeout=0.1), SigningCodec()).get("cert-1") == first
    assert ledger.append(make_certificate("cert-2")).envelope.sequence == 2


def test_a_database_locked_altogether(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    open_engine(path)
    with closing(connect(path)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="is locked by another process"):
            open_engine(path, busy_timeout=0.1)
    open_engine(path, busy_timeout=0.1)


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "history.db")
    store, ledger = SqlDocumentStore(engine), Ledger(engine, SigningCodec())
    store.put_documents("news", [make_document("a", "one")])
    kept = ledger.append(make_certificate("cert-1"))
    pages = pragma(engine, "page_count")

    @event.listens_for(engine, "connect")
    def full(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    documents = [make_document("a", "changed"), make_document("b", "long " * 20_000)]
    with pytest.raises(InputError, match="the disk is full, nothing was written"):
        store.put_documents("news", documents)

    def append_until_full() -> None:
        for number in range(50):
            ledger.append(make_certificate(f"more-{number}"))

    with pytest.raises(InputError, match="the disk is full, nothing was written"):
        append_until_full()
    assert store.document_hashes("news").keys() == {"a"}
    assert store.get_document("news", "a") == make_document("a", "one")
    assert ledger.get("cert-1") == kept
    assert ledger.count() == max(e.sequence for e in ledger.list(limit=100))


def test_a_disk_too_full_for_a_new_database_leaves_no_file(tmp_path: Path) -> None:
    """In a process of its own, whose files cannot grow past 8 kB."""
    code = (
        "import sys; from pathlib import Path; from store.engine import open_engine; "
        "from factdesk.kernel import InputError\n"
        "try: open_engine(Path(sys.argv[1]))\n"
        "except InputError as error: print(error); sys.exit(3)"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(tmp_path / "new" / "history.db")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.returncode == 3, done.stderr
    assert "check the disk and its free space" in done.stdout
    assert list((tmp_path / "new").iterdir()) == []


def test_a_session_that_fails_writes_nothing(engine: Engine) -> None:
    def interrupted() -> None:
        with writing(engine) as session:
            session.add(tables.CorpusRow(name="half", updated="now"))
            session.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert SqlDocumentStore(engine).list_corpora() == ()


def test_every_error_is_ours_and_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(b"x" * 5000)
    for path in (tmp_path, tmp_path / "letter", tmp_path / "letter" / "x"):
        with pytest.raises(FactdeskError) as caught:
            open_engine(path)
        message = str(caught.value)
        assert "\n" not in message
        assert repr(str(path))[1:-1].removesuffix("/x") in message
        assert caught.value.exit_code == 3


def test_hashes_are_over_the_text() -> None:
    assert make_document("a", "one").sha256 == sha256_text("one")


def test_importing_the_store_loads_no_model() -> None:
    code = (
        "import sys, store.ledger, store.documents\n"
        "print([m for m in ('torch', 'transformers', 'spacy', 'onnxruntime', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).resolve().parents[2]
    )
    assert done.stdout.strip() == "[]", done.stderr
