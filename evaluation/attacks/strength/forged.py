"""Points 4 and 7: certificates that were forged, and files that ``verify`` must answer for within bounds."""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

from evaluation.attacks.strength.flooding import COUNCIL, FALSE, LISTED
from evaluation.attacks.strength.trial import Desk, Trial

LIMIT = 60.0
"""Seconds for a call of ``verify`` on hostile files."""


def _recorded(desk: Desk) -> dict[str, Any]:
    """A refuted certificate of this desk's history."""
    from report.certificate.sealing import to_text

    report = desk.check(FALSE, [COUNCIL], record=True, sources=LISTED)
    return dict(json.loads(to_text(report.certificate)))


def _forged(desk: Desk) -> dict[str, Any]:
    """The same as verified, hashed anew, without a signature."""
    from factdesk.kernel import sha256_bytes
    from report.certificate.canonical import canonical
    from report.certificate.integrity import envelope_sha256
    from report.types import Envelope

    data = _recorded(desk)
    decision = data["body"]["decisions"][0]
    decision |= {"state": "VERIFIED", "label": "entailed", "rule": "verified", "score": 0.99}
    data["body"]["verdict"] = "supported"
    envelope = data["envelope"] | {"key_id": None, "signature": None}
    envelope["body_sha256"] = sha256_bytes(canonical(data["body"]))
    envelope["envelope_sha256"] = envelope_sha256(Envelope.model_validate(envelope))
    return {"body": data["body"], "envelope": envelope}


def _file(desk: Desk, data: dict[str, Any]) -> str:
    from report.certificate.canonical import canonical

    path = desk.place() / "certificate.json"
    path.write_bytes(canonical(data))
    return str(path)


def _edited(desk: Desk) -> str:
    name = _file(desk, _forged(desk))
    said = [
        desk.command(*words, name).output for words in (["report"], ["export", "--claimreview"], ["history", "show"])
    ]
    return "shown as verified" if any("[VERIFIED" in text or '"True"' in text for text in said) else ""


def _honest(desk: Desk) -> str:
    found = desk.command("report", _file(desk, _recorded(desk)))
    return "" if "[BLOCKED" in found.output else f"its badge is not shown: {found.output[:80]}"


def _columns(desk: Desk) -> str:
    _recorded(desk)
    with closing(sqlite3.connect(desk.folder / "home" / "factdesk.sqlite")) as database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        database.execute("UPDATE ledger SET claim_text = 'forged words', verdict = 'supported'")
        database.commit()
    listed = desk.command("history", "list").output
    return "" if "forged words" not in listed and "supported" not in listed else "the altered column is shown"


def _listed(desk: Desk) -> str:
    claim = _recorded(desk)["body"]["claim_text"]
    return "" if claim in desk.command("history", "list").output else "the history does not list it"


def _imported(desk: Desk) -> str:
    lines = desk.command("history", "export").output.splitlines()
    at = next(n for n, line in enumerate(lines) if '"envelope"' in line)
    lines[at] = json.dumps(_forged(desk))
    path = desk.place() / "history.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = desk.command("history", "import", str(path), home=desk.place())
    return "" if found.exception is not None else "taken over without a key"


def _moved(desk: Desk) -> str:
    _recorded(desk)
    folder = desk.place()
    desk.command("history", "export", str(folder / "history.jsonl"))
    desk.command("keys", "export", "--out", str(folder / "desk.pem"))
    names = [str(folder / name) for name in ("history.jsonl", "desk.pem")]
    found = desk.command("history", "import", names[0], "--key", names[1], home=desk.place())
    return "" if found.exception is None else str(found.exception)


def _bundle(desk: Desk) -> Path:
    identifier = str(_recorded(desk)["envelope"]["certificate_id"])
    path = desk.place() / "good.zip"
    desk.command("export", identifier, "--bundle", str(path))
    return path


def _two_forms(desk: Desk) -> str:
    path = _bundle(desk)
    path.write_bytes(Path(_file(desk, _forged(desk))).read_bytes() + path.read_bytes())
    return (
        "" if desk.command("verify", str(path)).exit_code or desk.command("verify", str(path)).exception else "accepted"
    )


def _one_form(desk: Desk) -> str:
    found = desk.command("verify", str(_bundle(desk)))
    return "" if found.exit_code == 0 and found.exception is None else f"refused: {found.output[:80]}"


def _hostile(desk: Desk) -> list[Path]:
    folder, good = desk.place(), _bundle(desk)
    data = _recorded(desk)
    (folder / "list.json").write_text(json.dumps({**data, "envelope": data["envelope"] | {"key_id": []}}), "utf-8")
    (folder / "deep.json").write_text('{"body":' + "[" * 50_000, "utf-8")
    damaged = bytearray(good.read_bytes())
    damaged[60:90] = bytes(30)
    (folder / "damaged.zip").write_bytes(damaged)
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("certificate.json", b"[" * 200_000_000)
    os.mkfifo(folder / "fifo")
    return [*sorted(folder.iterdir()), Path("/dev/zero")]


def _answers(desk: Desk, *options: str) -> str:
    from report.certificate.keys import Keyring
    from report.verification.files import Known, verify_files

    known = Known(keys=Keyring(desk.folder / "home" / "keys").known())
    files, good = _hostile(desk), _bundle(desk)
    start = time.monotonic()
    found = verify_files([*files, good], known, rerun="--rerun" in options).files
    if time.monotonic() - start > LIMIT:
        return f"took {time.monotonic() - start:.0f} s"
    held = [c.integrity.ok for file in found for c in file.certificates]
    return "" if held == [False] * len(files) + [True] else f"answers {held}"


def _rerun(desk: Desk) -> str:
    return _answers(desk, "--rerun")


TRIALS = (
    Trial(4, "a decision edited, hashed anew, the signature dropped", _edited, _honest, quick=True),
    Trial(4, "columns altered beside the signed text", _columns, _listed),
    Trial(4, "an unsigned forgery in an imported history", _imported, _moved),
    Trial(4, "a forged text before a good bundle in one file", _two_forms, _one_form, quick=True),
    Trial(
        7, "a list for a name, endless depth, a damaged bundle, 200 MB unpacked, a fifo, /dev/zero", _answers, _one_form
    ),
    Trial(7, "the same with --rerun", _rerun, _one_form),
)
"""Every forgery."""
