"""Claims read by a process beside: the same claims, or none, and never a process left behind."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from agent.intake import compile_claims
from agent.intake import descriptions as bridging
from agent.intake import worker_process as beside
from agent.intake.worker_process import COMMAND, ParsingProcess
from factdesk.check.context import Intake
from factdesk.kernel import InputError
from language.nlp.pipeline import load_nlp, nlp_fingerprint

TEXT = "The firm that rebuilt Corbel Bridge was founded in 1961. Ida Holm said that the bridge reopened in May."
ANSWERS_WRONGLY = {
    "nothing": "pass",
    "no JSON": "print('ready', flush=True)",
    "a list": "print('[]', flush=True)",
    "other code": 'print(\'{"code": "elsewhere", "claims": "{}"}\', flush=True)',
    "not at all": "import time; time.sleep(60)",
}


@pytest.fixture(scope="module")
def process() -> Iterator[ParsingProcess]:
    with ParsingProcess(COMMAND) as started:
        yield started


@pytest.mark.parametrize("has_image", [False, True])
def test_it_reads_what_is_read_here(process: ParsingProcess, has_image: bool) -> None:
    found = process.compile_claims(TEXT, 12, has_image=has_image)
    assert found == compile_claims(TEXT, nlp=load_nlp(), has_image=has_image)
    assert found is not None
    assert len(found.claims) == 2
    assert process.fingerprint() == nlp_fingerprint()


def test_what_a_claim_describes_comes_along(process: ParsingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    found = process.compile_claims(TEXT, 1, has_image=False)
    assert found is not None
    here = {c.text: bridging._find_description(c.text) for c in found.claims}
    assert any(here.values())
    bridging.find_description.cache_clear()
    monkeypatch.setattr(bridging, "load_nlp", lambda: pytest.fail("the claim was parsed again"))
    assert {claim: bridging.find_description(claim) for claim in here} == here


@pytest.mark.parametrize("wrong", ANSWERS_WRONGLY.values(), ids=ANSWERS_WRONGLY)
def test_without_an_answer_claims_are_read_here(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "PATIENCE", 1.0)
    with ParsingProcess((sys.executable, "-c", wrong)) as process:
        child = process._process
        intake = Intake(12, has_image=False, beside=process)
        assert intake(TEXT) == compile_claims(TEXT, nlp=load_nlp())
        assert intake.fingerprint() == nlp_fingerprint()
        assert child is not None
        assert child.poll() is not None


def test_a_text_that_is_refused_is_refused_here(process: ParsingProcess) -> None:
    """Last of those that share a process: it ends with the refusal."""
    with pytest.raises(InputError, match="no words"):
        Intake(12, has_image=False, beside=process)("***")


def test_a_command_that_cannot_run_and_a_second_close() -> None:
    process = ParsingProcess(("no-such-program-of-factdesk",))
    assert process.fingerprint() is None
    process.close()
    process.close()
    assert process.compile_claims(TEXT, 12, has_image=False) is None


def test_nothing_begins_where_spacy_is_loaded() -> None:
    load_nlp()
    assert ParsingProcess()._process is None


def test_nothing_begins_without_an_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "spacy", raising=False)
    monkeypatch.setattr(sys, "executable", None)
    assert ParsingProcess()._process is None


def test_it_ends_with_its_input() -> None:
    question = json.dumps(["agent.intake.worker_process:read_fingerprint", []]).encode() + b"\n"
    done = subprocess.run(COMMAND, input=question, capture_output=True, timeout=600, check=False)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1)
    answers = io.BytesIO()
    beside.serve(io.BytesIO(question), answers)
    assert answers.getvalue() == done.stdout
