"""Claims read by a process beside: the same claims, or none, and never a process left behind."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from agent.intake import compile_claims, parsing_process
from agent.intake.descriptions import find_description
from agent.intake.parsing_process import COMMAND, ParsingProcess, parsing_beside
from factdesk.check.context import Intake
from factdesk.kernel import InputError
from language.nlp.delegation import answered_by
from language.nlp.pipeline import load_nlp, nlp_fingerprint, parse
from language.scenes import place_in

TEXT = "The firm that rebuilt Corbel Bridge was founded in 1961. Ida Holm said that the bridge reopened in May."
ANSWERS_WRONGLY = {
    "nothing": "pass",
    "no JSON": "print('ready', flush=True)",
    "a list": "print('[]', flush=True)",
    "other code": 'print(\'{"code": "elsewhere", "result": "null"}\', flush=True)',
    "not at all": "import time; time.sleep(60)",
}


def forget() -> None:
    """Let each question be asked anew."""
    for function in (nlp_fingerprint, find_description, parse):
        function.cache_clear()


@pytest.fixture(scope="module")
def process() -> Iterator[ParsingProcess]:
    with closing(ParsingProcess(COMMAND)) as started:
        yield started


@pytest.mark.parametrize("has_image", [False, True])
def test_it_reads_what_is_read_here(process: ParsingProcess, has_image: bool) -> None:
    here, fingerprint = compile_claims(TEXT, has_image=has_image), nlp_fingerprint()
    forget()
    with pytest.MonkeyPatch.context() as patch, answered_by(process.ask):
        for module in ("agent.intake.decompose", "language.nlp.pipeline"):
            patch.setattr(f"{module}.load_nlp", lambda: pytest.fail("it was read here"))
        assert compile_claims(TEXT, has_image=has_image) == here
        assert nlp_fingerprint() == fingerprint
    assert len(here.claims) == 2


def test_records_come_back_as_they_are(process: ParsingProcess) -> None:
    claims, scene = [c.text for c in compile_claims(TEXT).claims], "people fleeing Kabul, Afghanistan"
    here = [*map(find_description, claims), place_in(scene)]
    assert here[0] is not None
    assert here[-1] is not None
    forget()
    with pytest.MonkeyPatch.context() as patch, answered_by(process.ask):
        patch.setattr("agent.intake.descriptions.parse", lambda _: pytest.fail("the claim was parsed here"))
        patch.setattr("language.scenes.parse", lambda _: pytest.fail("the scene was parsed here"))
        assert [*map(find_description, claims), place_in(scene)] == here


@pytest.mark.parametrize("wrong", ANSWERS_WRONGLY.values(), ids=ANSWERS_WRONGLY)
def test_without_an_answer_claims_are_read_here(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing_process, "PATIENCE", 1.0)
    here = nlp_fingerprint()
    forget()
    with parsing_beside((sys.executable, "-c", wrong)) as process:
        child = process._process
        intake = Intake(12, has_image=False)
        assert intake(TEXT) == compile_claims(TEXT)
        assert intake.fingerprint() == here
        assert child is not None
        assert child.poll() is not None


def test_a_text_that_is_refused_is_refused_here(process: ParsingProcess) -> None:
    """Last of those that share a process: it ends with the refusal."""
    with answered_by(process.ask), pytest.raises(InputError, match="no words"):
        Intake(12, has_image=False)("***")


def test_a_command_that_cannot_run_and_a_second_close() -> None:
    with parsing_beside(("no-such-program-of-factdesk",)) as process:
        assert process._process is None
        assert Intake(12, has_image=False)(TEXT) == compile_claims(TEXT)
        process.close()


def test_nothing_begins_where_spacy_is_loaded() -> None:
    load_nlp()
    with parsing_beside() as process:
        assert process._process is None


def test_nothing_begins_without_an_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "spacy", raising=False)
    monkeypatch.setattr(sys, "executable", None)
    with parsing_beside() as process:
        assert process._process is None


def test_it_ends_with_its_input() -> None:
    question = json.dumps(["language.nlp.pipeline:nlp_fingerprint", [], {}]).encode() + b"\n"
    done = subprocess.run(COMMAND, input=question, capture_output=True, timeout=600, check=False)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1)
    answers = io.BytesIO()
    parsing_process.serve(io.BytesIO(question), answers)
    assert answers.getvalue() == done.stdout
