"""Caps and deadlines on check, ask and batch: less is done, and the certificate says so."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from factdesk.cli.batch import _stopping
from tests.factdesk.conftest import CLAIM, Run

QUESTION = "Who designed the Tollgate Library?"
LATE = "time allowed"
TWO = f"{CLAIM} The Tollgate Library reopened on 14 March 2025."


def body(run: Run, result: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = run("history", "show", result["certificate_id"], "--certificate").json()["body"]
    return found


@pytest.mark.parametrize(
    ("command", "flags", "cap", "says"),
    [
        (("check", CLAIM), ("--max-seconds", "0.001"), ("max_seconds", 0.001), LATE),
        (("check", CLAIM, "--method", "tree"), ("--max-seconds", "0.001"), ("max_seconds", 0.001), LATE),
        (("check", CLAIM, "--method", "subq"), ("--max-seconds", "0.001"), ("max_seconds", 0.001), LATE),
        (("check", CLAIM), ("--max-pairs", "7"), ("max_pairs", 7), "7 verifier pairs"),
        (("check", TWO), ("--max-claims", "1"), ("max_claims", 1), "left out (at most 1)"),
        (("ask", QUESTION), ("--max-seconds", "0.001"), ("max_seconds", 0.001), LATE),
        (("ask", QUESTION), ("--max-pairs", "7"), ("max_pairs", 7), "7 verifier pairs"),
    ],
)
def test_past_a_cap_less_is_done_and_the_certificate_says_so(
    run: Run, home: Path, command: tuple[str, ...], flags: tuple[str, ...], cap: tuple[str, float], says: str
) -> None:
    result = run(*command, *flags, "--json").json()
    found = body(run, result)
    assert found["caps"][cap[0]] == cap[1]
    assert found["settings"]["caps"][cap[0]] == cap[1]
    said = [*found["trimmed"], *(f["message"] for f in found["failures"])]
    assert any(says in text for text in said), said
    if cap[0] == "max_claims":
        assert (len(found["claims"]), found["trimmed_claims"]) == (1, 1)
        return
    assert all(d["state"] == "UNVERIFIED" for d in found["decisions"])
    assert any(f["kind"] == "budget" and f["deciding"] for f in found["failures"])
    if cap[0] == "max_pairs":
        assert sum(s["assessment"]["passes"] for c in found["claims"] for s in c["spans"]) <= 7


def test_caps_hold_for_each_claim_of_a_batch(run: Run, home: Path, tmp_path: Path) -> None:
    claims = tmp_path / "claims.jsonl"
    claims.write_text("".join(json.dumps(r) + "\n" for r in ({"claim": CLAIM}, {"question": QUESTION})), "utf-8")
    out = tmp_path / "out"
    flags = ("--max-seconds", "0.001", "--max-tokens", "50", "--workers", "1", "--json")
    summary = run("batch", claims, "--out", out, *flags).json()
    assert (summary["completed"], summary["verdicts"]) == (2, {"not_enough_evidence": 2})
    for path in out.glob("certificates/*/*.json"):
        found = json.loads(path.read_text(encoding="utf-8"))["body"]
        assert (found["caps"]["max_seconds"], found["caps"]["max_tokens"]) == (0.001, 50)
        assert any(f["kind"] == "budget" for f in found["failures"])


def test_a_batch_that_is_to_stop_is_told_so() -> None:
    with _stopping(0.5) as stop:
        assert not stop()
        time.sleep(0.51)
        assert stop()
    with _stopping(None) as stop:
        assert not stop()
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
