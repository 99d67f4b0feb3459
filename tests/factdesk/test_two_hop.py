"""A claim whose evidence lies in two documents, with the shipped models, and the script that measures it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluation.programs import measure_methods
from report.certificate.keys import Keyring, PrivateKey
from report.certificate.signing import PublicKey
from report.policy.fingerprints import policy_record
from report.verification.files import make_tools
from report.verification.findings import Reverified, Tools
from report.verification.integrity import verify_integrity
from report.verification.rerun import reverify
from tests.factdesk.conftest import Run
from tests.report.forging import at, read, resigned, text_of, with_leaf
from verifier.backends.factory import SMALL

pytestmark = pytest.mark.usefixtures("home")
CLAIM = "The firm that repaired the front of Aldmoor Library has been in business since 1938."


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """The two documents that a claim needs."""
    folder = tmp_path_factory.mktemp("desk")
    for name in ("aldmoor-library.md", "builders-dinner.md"):
        source = repository / "tests" / "data" / "two-hop-unseen" / "corpus" / name
        (folder / name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def test_the_tree_learns_the_name_and_no_badge_rests_on_it(run: Run, desk: Path) -> None:
    result = run("check", CLAIM, "--corpus", str(desk), "--method", "tree", "--mode", "mixed", "--json").json()
    named = [e for e in result["qa_pairs"] if e["question"].startswith("Taking Brackle Stonework for ")]
    assert named
    assert named[0]["depth"] > 0
    assert result["proposal"]["label"] == "supported"
    assert result["verdict"] == "not_enough_evidence"


@dataclass(frozen=True)
class Made:
    """A signed certificate of a chain that learned a name, its key, and what verifies it."""

    text: str
    key: PrivateKey
    known: dict[str, PublicKey]
    tools: Tools

    def forged(self, path: tuple[str | int, ...], value: Any) -> str:
        """One field altered, signed again with the true key."""
        return text_of(resigned(with_leaf(read(self.text), path, value), self.key))

    def verdicts(self, text: str) -> tuple[bool, Reverified]:
        """Whether integrity holds, and the re-run."""
        certificate, integrity = verify_integrity(text, self.known)
        assert certificate is not None
        return integrity.ok, reverify(certificate, self.tools, policy_record())


@pytest.fixture(scope="module")
def made(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Of the shipped settings."""
    return make(desk, tmp_path_factory.mktemp("made"))


def make(desk: Path, home: Path, **caps: int) -> Made:
    """Check the claim by a chain."""
    from factdesk.checker import FactChecker, open_ledger
    from factdesk.settings import load_settings

    settings = load_settings(home=home, verifier=SMALL, caps=caps)
    body = FactChecker(settings).check(CLAIM, corpus=[str(desk)]).certificate.body
    assert body.proposal is not None
    assert body.proposal.label == "supported"
    ring = Keyring(settings.paths.keys)
    [text] = open_ledger(settings).texts()
    return Made(text, ring.signer, ring.known(), make_tools(SMALL))


def test_both_statements_stand_in_the_certificate_and_their_scores_are_recomputed(made: Made) -> None:
    body = read(made.text)["body"]
    bridge = body["bridges"][0]
    assert bridge["name"] == "Brackle Stonework"
    assert bridge["first_hop"]["text"] == "Brackle Stonework repaired the front of Aldmoor Library."
    assert bridge["second_hop"]["text"] == "Brackle Stonework has been in business since 1938."
    answer = next(a for a in body["answers"] if a["question_id"] == bridge["question_id"])
    assert answer["label"] == "entailed"
    sound, again = made.verdicts(made.text)
    assert sound
    assert again.ok is True
    assert again.max_score_diff == 0.0
    assert not [n for n in again.notes if "are taken as recorded" in n]
    assert sum(len(b[p]["spans"]) for b in body["bridges"] for p in ("first_hop", "second_hop") if b[p]) >= 2
    bare = read(made.text)
    bare["body"]["bridges"] = []
    _, without = made.verdicts(text_of(resigned(bare, made.key)))
    assert without.ok is False, "an answer stands on two statements that were taken away"


@pytest.mark.parametrize("part", ["first_hop", "second_hop"])
@pytest.mark.parametrize("kind", ["raw", "calibrated"])
def test_a_score_of_a_statement_altered_and_signed_with_the_true_key_fails_the_rerun(
    made: Made, part: str, kind: str
) -> None:
    path = ("body", "bridges", 0, part, "spans", 0, "assessment", kind, "entailment")
    before = at(read(made.text), path)
    sound, again = made.verdicts(made.forged(path, round(before - 0.02, 6)))
    assert sound, "the signature is the true one, so integrity cannot notice"
    assert again.ok is False
    assert again.max_score_diff is not None
    assert again.max_score_diff >= 0.0199


def test_a_sentence_past_the_cap_stands_in_the_reading_and_is_put_again(desk: Path, tmp_path: Path) -> None:
    made = make(desk, tmp_path / "own", max_spans_per_claim=2)
    rest = read(made.text)["body"]["bridges"][0]["second_hop"]
    places = [i for i, s in enumerate(rest["spans"]) if "span" in s]
    assert places, "the cap left nothing out"
    sound, again = made.verdicts(made.text)
    assert sound
    assert again.ok is True, again.problems
    assert again.max_score_diff == 0.0
    path = ("body", "bridges", 0, "second_hop", "spans", places[0], "span")
    span = at(read(made.text), path)
    text = "The moon is made of green cheese."
    sound, again = made.verdicts(made.forged(path, {**span, "text": text, "end": span["start"] + len(text)}))
    assert sound
    assert again.ok is False
    for field, value in (("text", span["text"] + "x"), ("kind", "ocr"), ("span_id", "x"), ("start", -1)):
        assert not made.verdicts(made.forged((*path, field), value))[0], field


def test_an_answer_that_is_not_what_its_statements_say_fails_the_rerun(made: Made) -> None:
    body = read(made.text)["body"]
    question = body["bridges"][0]["question_id"]
    place = next(i for i, a in enumerate(body["answers"]) if a["question_id"] == question)
    for field, value in (("label", "contradicted"), ("score", 0.77)):
        sound, again = made.verdicts(made.forged(("body", "answers", place, field), value))
        assert sound
        assert again.ok is False
        assert [p for p in again.problems if "has another label or score than what it rests on" in p]
    sound, again = made.verdicts(made.forged(("body", "bridges", 0, "second_hop"), None))
    assert again.ok is False, "the rest was asked for, so it cannot be left out"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("name",), "Drummel Roofing"),
        (("question_id",), "q99"),
        (("second_hop", "text"), "Brackle Stonework was never heard of."),
        (("first_hop", "text"), "Somebody repaired the front of Aldmoor Library."),
        (("second_hop", "spans", 0, "span_id"), "elsewhere#0.0"),
    ],
)
def test_statements_that_do_not_belong_to_claim_and_question_fail_integrity(
    made: Made, path: tuple[str | int, ...], value: str
) -> None:
    assert made.verdicts(made.text)[0]
    assert not made.verdicts(made.forged(("body", "bridges", 0, *path), value))[0]


def test_the_table_of_methods_is_made_and_taken_up_again(
    tmp_path: Path,
    repository: Path,
    desk: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    claims = tmp_path / "claims.jsonl"
    rows = (repository / "tests" / "data" / "two-hop-unseen" / "claims.jsonl").read_text(encoding="utf-8")
    claims.write_text("\n".join(rows.splitlines()[:2]) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    given = (str(out), f"two={claims}:{desk}", "--methods", "tree", "subq", "--veracity", "standard")
    monkeypatch.setattr(sys, "argv", ["measure_methods", *given])
    measure_methods.main()
    first = capsys.readouterr().out
    cell = json.loads((out / "two-tree-standard.json").read_text(encoding="utf-8"))
    assert cell["gold"] == ["supported", "refuted"]
    assert len(cell["said"]) == 2
    assert "| tree | standard |" in first
    assert "tree against subq, standard:" in first
    changed = {**cell, "said": ["failed", "failed"]}
    (out / "two-tree-standard.json").write_text(json.dumps(changed), encoding="utf-8")
    measure_methods.main()
    again = capsys.readouterr().out
    assert "0.000 (0.00 to 0.00)" in again, "a cell that is there is read, not run again"
