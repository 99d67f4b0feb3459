"""A language model as verifier: calibrated before it certifies, recorded, not believed when it is away."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import Play, Request, good, serve
from tests.factdesk.conftest import Run
from verifier.backends.factory import calibration_folder
from verifier.calibration.probabilities import Calibration, write_calibration
from verifier.types import Thresholds

SPEC = "llm:openai:tiny"
TOWNS = (
    "Arden Brome Calder Dunley Elmore Farrow Gorley Hexton Ilsham Jarvis Kelso Lanver Marden Norley Ostry "
    "Purley Quenby Rothley Selby Tarnby"
)
CLAIM = "The town hall of Arden has 110 seats."


def label(request: Request) -> Play:
    """Reads towns and numbers, as a model would that reads well."""
    passage, claim = request.data["passage"], request.data["claim"]
    town, seats = re.findall(r"of ([A-Z]\w+)", claim), re.findall(r"\d+", claim)
    if not town or f"of {town[0]} " not in passage or not seats:
        return good(label="not_enough_info")
    return good(label="entailed" if seats[0] in passage else "contradicted")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A short page on each town hall."""
    folder = tmp_path / "halls"
    folder.mkdir()
    for n, town in enumerate(TOWNS.split()):
        text = f"The town hall of {town} has {110 + 3 * n} seats. It was built in {1880 + n}.\n"
        (folder / f"{town.lower()}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    """Three labelled claims on each."""
    rows = []
    for n, town in enumerate(TOWNS.split()):
        for found, seats in (("supported", 110 + 3 * n), ("refuted", 310 + 5 * n)):
            claim = f"The town hall of {town} has {seats} seats."
            rows.append({"id": f"{town}-{found}", "claim": claim, "label": found})
        claim = f"The library of {town} has {110 + 3 * n} chairs."
        rows.append({"id": f"{town}-open", "claim": claim, "label": "not_enough_evidence"})
    path = tmp_path / "claims.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch, factdesk_home: Path) -> Any:
    """The address of the model by the environment; two answers on each pair."""

    def put(url: str) -> None:
        monkeypatch.setenv("FACTDESK_LLM__BASE_URL", url)
        monkeypatch.setenv("FACTDESK_LLM__API_KEY", "sk-test")
        monkeypatch.setenv("FACTDESK_LLM__SAMPLES", "2")

    return put


def test_strict_mode_takes_no_language_model_without_a_calibration(run: Run, configured: Any, documents: Path) -> None:
    with serve(label) as server:
        configured(server.url)
        found = run("check", CLAIM, "--corpus", documents, "--verifier", SPEC)
    assert found.code == 2
    assert "no calibration" in found.err
    assert f"factdesk calibrate '{SPEC}'" in found.err
    assert not server.requests, "it is told before anything is asked"


def test_a_calibrated_language_model_certifies_and_its_recording_is_replayed(
    run: Run, configured: Any, documents: Path, claims: Path, tmp_path: Path, factdesk_home: Path
) -> None:
    recording, certificate = tmp_path / "run.fdrec", tmp_path / "c.json"
    with serve(label) as server:
        configured(server.url)
        fitted = run(
            "calibrate", SPEC, "--claims", claims, "--corpus", documents, "--risk", 0.2, "--yes", "--json"
        ).json()
        assert fitted["n"] == 3 * len(TOWNS.split())
        assert fitted["met"] == ["supported", "refuted"]
        assert len(list((factdesk_home / "calibrations").glob("llm_openai_tiny/calibration.json"))) == 1
        asked = len(server.requests)
        found = run("check", CLAIM, "--corpus", documents, "--verifier", SPEC, "--json", "--record", recording).json()
        assert found["verdict"] == "supported"
        assert len(server.requests) > asked
        false = run("check", CLAIM.replace("110", "410"), "--corpus", documents, "--verifier", SPEC, "--json")
        assert false.json()["verdict"] == "refuted"
    replayed = run("replay", recording, "--json")
    assert replayed.code == 0, replayed.err
    assert "the certificate body is the recorded one" in replayed.err
    shown = run("history", "show", found["certificate_id"], "--certificate").json()
    names = [f["name"] for f in shown["body"]["fingerprints"]]
    assert any(name.startswith("verifier:llm:openai:tiny") for name in names), names
    certificate.write_text(json.dumps(shown), encoding="utf-8")
    again = run("verify", certificate, "--rerun")
    assert again.code == 5, again.out
    assert "could not decide" in again.out.lower(), again.out


def test_where_the_model_is_away_a_claim_stays_open_and_says_why(
    run: Run, configured: Any, documents: Path, factdesk_home: Path
) -> None:
    folder = calibration_folder(factdesk_home / "calibrations", SPEC)
    folder.mkdir(parents=True)
    write_calibration(Calibration(), Thresholds(), folder)
    with serve(lambda _: Play(status=500)) as server:
        configured(server.url)
        found = run("check", CLAIM, "--corpus", documents, "--verifier", SPEC, "--json").json()
    assert found["verdict"] == "not_enough_evidence"
    assert any("language model that verifies gave no label" in f["message"] for f in found["failures"])


def test_too_few_claims_are_no_calibration(run: Run, configured: Any, documents: Path, claims: Path) -> None:
    with serve(label) as server:
        configured(server.url)
        found = run("calibrate", SPEC, "--claims", claims, "--corpus", documents, "--limit", 12, "--yes")
    assert found.code == 3
    assert "40 labelled claims" in found.err
    assert not server.requests, "it is told before anything is asked"
