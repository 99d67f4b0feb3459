"""``factdesk ask`` and ``factdesk eval questions`` with the real models on the shipped articles.

Which questions are answered depends on the verifier's weights; what must never be shown does not.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.factdesk.conftest import Run
from verifier.backends.factory import SMALL

QUESTIONS = (
    ("How much did the refurbishment of the Tollgate Library cost?", "£6.2 million"),
    ("By what percentage did children's memberships at the Tollgate Library rise?", "35 percent"),
    ("Who designed the Tollgate Library?", "Walter Dray"),
    ("Who owns Corrin Build?", None),
    ("How many branches do they plan to close before Christmas?", None),
)
SOURCES = (
    "--source",
    "harrowmere-courier.example",
    "--source",
    "radio-pellworth.example",
    "--source",
    "https://north-vale-gazette.example/2025/x",
)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    rows = [{"id": f"q{n}", "question": q, "accept": [a] if a else []} for n, (q, a) in enumerate(QUESTIONS, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_golden_questions_are_answered_rightly_or_not_at_all(run: Run, articles: Path, golden: Path) -> None:
    arguments = ("eval", "questions", golden, "--corpus", articles, *SOURCES, "--json")
    found = run(*arguments).json()
    assert (found["n"], found["answerable"]) == (5, 3)
    assert found["unsupported_exposure"] == 0
    assert found["wrong_exposure"] == 0
    assert found["silent_when_it_should"] == 2
    assert found["right"] >= 1
    again = run(*arguments).json()
    bodies = [[o["body_sha256"] for o in f["outcomes"]] for f in (found, again)]
    assert bodies[0] == bodies[1]


def test_where_two_named_sources_differ_hardly_anything_is_shown(run: Run, repository: Path) -> None:
    """Pairs of reports that differ in other words, of which neither may be preferred."""
    folder = repository / "tests" / "data" / "differing"
    found = run(
        "eval",
        "questions",
        folder / "questions.jsonl",
        "--corpus",
        folder / "corpus",
        "--sources-file",
        folder / "sources.txt",
        "--json",
    ).json()
    assert found["n"] == 16
    assert found["unsupported_exposure"] == 0
    assert found["wrong_exposure"] <= 2


def test_one_sources_word_is_an_answer_and_told_as_its_word(
    run: Run, articles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    question = QUESTIONS[0][0]
    data = run("ask", question, "--corpus", articles, "--json").json()
    [answer] = data["answer"]
    assert (answer["independent"], answer["according_to"]) == (1, "Harrowmere Courier")
    assert "According to Harrowmere Courier: The refurbishment" in " ".join(
        run("report", data["certificate_id"]).out.split()
    )
    assert run("verify", _certificate(run, data["certificate_id"]), "--rerun").code == 0


def _certificate(run: Run, name: str) -> Path:
    path = Path(f"{name}.json").absolute()
    path.write_text(run("history", "show", name, "--certificate").out, encoding="utf-8")
    return path


def test_where_two_sources_are_asked_for_one_documents_word_is_no_answer(run: Run, articles: Path) -> None:
    question = QUESTIONS[0][0]
    found = run("ask", question, "--corpus", articles, "--answer-sources", "2", "--json")
    data = found.json()
    assert (data["answered"], data["answer"]) == (False, [])
    assert "--source SITE" in data["why_not"]
    assert {c["rule"] for c in data["check"]["claims"]} & {"own_word"}
    assert all(c["state"] != "VERIFIED" for c in data["check"]["claims"])


def first_answer(run: Run, articles: Path) -> dict[str, Any]:
    for question, _ in QUESTIONS[:3]:
        found: dict[str, Any] = run("ask", question, "--corpus", articles, *SOURCES, "--json").json()
        if found["answered"]:
            return found
    pytest.fail("none of the plain questions was answered")


def test_an_answer_is_certified_found_again_and_verified_by_a_stranger(
    run: Run, articles: Path, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = first_answer(run, articles)
    schema = json.loads((repository / "docs/schemas/answer-1.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, schema)
    for part in data["answer"]:
        assert part["sources"]
        assert part["independent"] >= 1
    name = data["certificate_id"]
    entries = run("history", "search", "Tollgate", "--json").json()
    assert name in {e["certificate_id"] for e in entries}
    listed = run("history", "show", name, "--json").json()
    assert listed["answer"] == data["answer"]
    text = run("report", name).out
    assert "Question" in text
    assert data["answer"][0]["text"].rstrip(".") in text
    certificate = json.loads(run("history", "show", name, "--certificate").out)
    jsonschema.validate(
        certificate, json.loads((repository / "docs/schemas/certificate-1.json").read_text(encoding="utf-8"))
    )
    assert certificate["body"]["asked"]["question"] == data["question"]
    assert run("export", name, "--claimreview").code == 3

    monkeypatch.chdir(tmp_path)
    assert run("export", name, "--bundle", "out.zip").code == 0
    own = run("verify", "out.zip", "--rerun", "--json").json()
    assert [own[k]["ok"] for k in ("integrity", "completeness", "reverified")] == [True, True, True]
    assert any("whose own word" in n or "own word was enough" in n for n in own["reverified"]["notes"])

    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "stranger"))
    unknown = run("verify", "out.zip", "--rerun")
    assert unknown.code == 5
    assert "(--key out.zip)" in unknown.out
    assert run("verify", "out.zip", "--key", "out.zip", "--rerun").code == 0
    for member in ("report.html", "claims.csv"):
        forge(Path("out.zip"), Path("forged.zip"), member)
        broken = run("verify", "forged.zip", "--key", "out.zip")
        assert broken.code == 5
        assert member in broken.out


def forge(path: Path, target: Path, member: str) -> None:
    """A copy of a bundle with a byte added to one file."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b" " if name == member else b""))


def test_a_fit_altered_and_signed_again_fails_the_rerun(run: Run, articles: Path) -> None:
    from factdesk.checker import open_ledger
    from factdesk.settings import load_settings
    from report.policy.fingerprints import policy_record
    from report.verification.files import make_tools
    from report.verification.rerun import reverify

    name = first_answer(run, articles)["certificate_id"]
    certificate = open_ledger(load_settings()).get(name)
    tools = make_tools(SMALL)
    assert reverify(certificate, tools, policy_record()).ok is True
    asked = certificate.body.asked
    assert asked is not None
    fits = tuple(f.model_copy(update={"answer_text": "£1"}) for f in asked.fits)
    body = certificate.body.model_copy(update={"asked": asked.model_copy(update={"fits": fits})})
    found = reverify(certificate.model_copy(update={"body": body}), tools, policy_record())
    assert found.ok is False
    assert any("does not fit the question" in p for p in found.problems)


def test_flags_that_make_no_sense_for_a_question_are_refused(run: Run, articles: Path) -> None:
    assert run("ask", "Who?", "--image", "x.png", "--corpus", articles).code == 2
    assert run("ask", " ", "--corpus", articles).code == 3
