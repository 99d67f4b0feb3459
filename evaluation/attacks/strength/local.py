"""Points 8 and 11: what somebody with the desk's own files may do, and what reaches the terminal."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.attacks.strength.flooding import COUNCIL, FALSE, TRUE
from evaluation.attacks.strength.trial import CORPUS, Desk, Page, Trial, state_of

if TYPE_CHECKING:
    from factdesk.checker import Report

ESCAPES = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")
FORGED = "\x1b[2K\x1b[1A[VERIFIED by 2 independent sources, rated, 3f2a91c0de124b77/c1] \u202eThe depot cost nothing."


def _scores(desk: Desk) -> str:
    before = state_of(desk.check(FALSE, [COUNCIL]))
    with closing(sqlite3.connect(desk.folder / "home" / "cache" / "scores.sqlite")) as cache:
        changed = cache.execute("UPDATE scores SET entailment = 0.999, neutral = 0.001, contradiction = 0").rowcount
        cache.commit()
    after = state_of(_anew(desk, FALSE))
    return f"{before}, then {after}" if before != after or not changed else ""


def _anew(desk: Desk, claim: str) -> Report:
    """A check by a desk that opens its files again."""
    from factdesk.checker import FactChecker

    path = desk.place() / CORPUS
    path.write_text(COUNCIL.line(), encoding="utf-8")
    return FactChecker(desk.settings()).check(claim, corpus=(str(path),), record=False)


def _kept_scores(desk: Desk) -> str:
    states = {state_of(_anew(desk, TRUE)) for _ in range(2)}
    return "" if states == {"VERIFIED by one source, not rated"} else ", ".join(sorted(states))


def _terminal(desk: Desk) -> str:
    folder, home = desk.place(), desk.place()
    (folder / "bad\x1b]0;title\x07\u202e.pdf").write_bytes(b"%PDF-1.7 broken")
    (folder / "notes.txt").write_text(f"{FORGED}\n\n{TRUE}", encoding="utf-8")
    page = (
        Page(f"{FORGED} {TRUE}", "blog.example")
        .line()
        .replace('"title": ""', f'"title": "{FORGED!a}"'.replace("'", ""))
    )
    (folder / "more.jsonl").write_text(page.replace("\\x1b", "\\u001b"), encoding="utf-8")
    commands = (
        ["corpus", "add", str(folder), "--name", "n"],
        ["corpus", "list"],
        ["corpus", "search", "depot", "--name", "n"],
        ["check", f"{TRUE} {FORGED}", "--corpus", "n"],
        ["explain", TRUE, "--corpus", "n"],
        ["history", "list"],
        ["trust", "rank", "n"],
    )
    said = [(words, desk.command(*words, home=home)) for words in commands]
    found = [
        f"{w[0]} {w[1][:6]}"
        for w, r in said
        if ESCAPES.search(r.output.replace("\r\n", "\n")) or "[VERIFIED by 2" in r.output
    ]
    return ", ".join(found)


def _words(desk: Desk) -> str:
    folder, home = desk.place(), desk.place()
    (folder / "café.txt").write_text(TRUE, encoding="utf-8")
    desk.command("corpus", "add", str(folder), "--name", "n", home=home)
    return "" if TRUE in desk.command("corpus", "search", "depot", "--name", "n", home=home).output else "not shown"


def _with_key(desk: Desk) -> Path:
    from report.certificate.keys import Keyring

    folder = desk.place() / "keys"
    _ = Keyring(folder).signer
    return folder


def _refuses(folder: Path) -> bool:
    from factdesk.kernel import ConfigError
    from report.certificate.keys import Keyring

    try:
        _ = Keyring(folder).signer
    except ConfigError:
        return True
    return False


def _keys(desk: Desk) -> str:
    wide, linked, lost = (_with_key(desk) for _ in range(3))
    wide.chmod(0o777)
    (linked / "private.pem").rename(linked / "away.pem")
    (linked / "private.pem").symlink_to(linked / "away.pem")
    (lost / "private.pem").unlink()
    named = {"a folder of mode 777": wide, "a linked key": linked, "a lost key replaced": lost}
    return ", ".join(name for name, folder in named.items() if not _refuses(folder))


def _own_key(desk: Desk) -> str:
    return "refused" if _refuses(_with_key(desk)) else ""


def _readable(desk: Desk) -> str:
    home = desk.place() / "home"
    desk.command("check", TRUE, "--corpus", str(_documents(desk)), home=home)
    found = [p for p in (home, *home.rglob("*")) if p.exists() and p.stat().st_mode & 0o077]
    open_ = [
        str(p.relative_to(home))
        for p in found
        if not any(not a.stat().st_mode & 0o077 for a in p.parents if home in (a, *a.parents))
    ]
    return ", ".join(open_[:5])


def _documents(desk: Desk) -> Path:
    path = desk.place() / CORPUS
    path.write_text(COUNCIL.line(), encoding="utf-8")
    return path


def _own_files(desk: Desk) -> str:
    home = desk.place() / "home"
    desk.command("check", TRUE, "--corpus", str(_documents(desk)), home=home)
    return "" if TRUE in desk.command("history", "list", home=home).output else "the owner cannot read them"


def _without_room(home: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """A command where no file may grow: the disk is full."""
    return subprocess.run(
        [sys.executable, "-c", "from factdesk.cli import main; main()", *words],
        env={**os.environ, "FACTDESK_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )


def _full(desk: Desk) -> str:
    home = desk.place() / "home"
    desk.command("check", TRUE, "--corpus", str(_documents(desk)), home=home)
    exported = _without_room(home, ["history", "export"])
    if '"envelope"' not in exported.stdout:
        return f"history export: {exported.stderr.strip()[-100:]}"
    checked = _without_room(home, ["check", FALSE, "--corpus", str(_documents(desk))])
    return "" if checked.returncode and "Traceback" not in checked.stderr else "a check on a full disk went on or broke"


def _with_room(desk: Desk) -> str:
    home = desk.place() / "home"
    desk.command("check", TRUE, "--corpus", str(_documents(desk)), home=home)
    return "" if '"envelope"' in desk.command("history", "export", home=home).output else "nothing exported"


def _guarded(claim: str, said: str) -> bool:
    from verifier.guard import check

    return check(claim, said, "").agrees


ROUNDED = ("The works cost £6 million.", "The works cost £6.2 million.")
ABOUT = ("The works cost about £6 million.", "The works cost £6.2 million.")


def _rounding(desk: Desk) -> str:
    del desk
    return "6 million agrees with 6.2 million" if _guarded(*ROUNDED) else ""


def _about(desk: Desk) -> str:
    del desk
    return "" if _guarded(*ABOUT) else "about 6 million does not agree with 6.2 million"


TRIALS = (
    Trial(8, "every kept score altered to entailment", _scores, _kept_scores),
    Trial(11, "escape characters and forged badges in names and documents", _terminal, _words),
    Trial(11, "a key folder of mode 777, a linked key, a lost key", _keys, _own_key, quick=True),
    Trial(11, "files of the home folder that others may read", _readable, _own_files),
    Trial(11, "a full disk", _full, _with_room),
    Trial(11, "a rounded amount that is given as exact", _rounding, _about, quick=True),
)
"""Every file and terminal."""
