"""``factdesk`` from end to end with the shipped models."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agent.assessment.corroboration import make_probe
from agent.ports import Bounds
from evidence.ingest import read_paths
from evidence.types import Hit, Query
from factdesk.kernel import Fingerprint
from tests.factdesk.conftest import CLAIM, Run

pytestmark = pytest.mark.usefixtures("home")


def schema(repository: Path) -> Any:
    return json.loads((repository / "docs" / "schemas" / "check-1.json").read_text(encoding="utf-8"))


def test_the_json_holds_to_its_published_schema_and_the_spans_are_exact(
    run: Run, repository: Path, articles: Path
) -> None:
    result = run("check", CLAIM, "--json").json()
    jsonschema.validate(result, schema(repository))
    texts = {d.doc_id: d.text for d in read_paths([articles]).documents}
    evidence = [e for claim in result["claims"] for e in claim["evidence"]]
    assert len(evidence) >= 5
    for item in evidence:
        assert texts[item["doc_id"]][item["start"] : item["end"]] == item["text"]
    assert any("6.2 million" in e["text"] for e in evidence)
    assert 2 <= len(result["qa_pairs"]) <= 6
    assert not result["failures"]


@pytest.mark.usefixtures("models_run_anew")
def test_the_same_check_gives_the_same_body(run: Run) -> None:
    first, second = (run("check", CLAIM, "--json").json() for _ in range(2))
    assert first["body_sha256"] == second["body_sha256"]
    assert first["certificate_id"] != second["certificate_id"]
    bodies = []
    for result in (first, second):
        shown = run("history", "show", result["certificate_id"], "--certificate").json()
        bodies.append(json.dumps(shown["body"], sort_keys=True))
    assert bodies[0] == bodies[1]


def test_the_history_lists_shows_and_finds(run: Run) -> None:
    result = run("check", CLAIM, "--json").json()
    [entry] = run("history", "list", "--json").json()
    assert entry["certificate_id"] == result["certificate_id"]
    assert entry["verdict"] == result["verdict"]
    assert run("history", "show", entry["certificate_id"][:8], "--json").json() == result
    text = run("history", "show", entry["certificate_id"])
    assert text.code == 0
    assert "Tollgate" in text.out
    assert len(run("history", "search", "Tollgate", "--json").json()) == 1
    assert run("history", "search", "zeppelin", "--json").json() == []
    assert run("history", "list", "--verdict", result["verdict"], "--json").json() == [entry]
    assert run("history", "show", "nosuchid").code in (2, 3)


def test_corpora_are_added_listed_searched_and_removed(run: Run, articles: Path) -> None:
    first = run("corpus", "add", articles, "--name", "news", "--json").json()
    again = run("corpus", "add", articles, "--name", "news", "--json").json()
    assert (first["added"], first["unchanged"]) == (6, 0)
    assert (again["added"], again["replaced"], again["unchanged"]) == (0, 0, 6)
    listed = {c["name"]: c for c in run("corpus", "list", "--json").json()}
    assert listed["news"]["documents"] == 6
    assert listed["news"]["spans"] == listed["default"]["spans"] > 20
    hits = run("corpus", "search", "cost of the refurbishment", "--name", "news", "--json").json()
    assert [h["rank"] for h in hits] == list(range(1, len(hits) + 1))
    assert any("6.2 million" in h["span"]["text"] for h in hits)
    gone = hits[0]["span"]["doc_id"]
    assert run("corpus", "remove", "news", gone).code == 0
    left = run("corpus", "search", "cost of the refurbishment", "--name", "news", "--json").json()
    assert left
    assert gone not in {h["span"]["doc_id"] for h in left}
    assert run("corpus", "remove", "news", "--yes").code == 0
    assert "news" not in {c["name"] for c in run("corpus", "list", "--json").json()}
    assert run("corpus", "search", "cost", "--name", "news").code == 3
    assert run("corpus", "remove", "news", "--yes").code == 3


def test_fail_on_turns_a_verdict_into_exit_code_one(run: Run) -> None:
    verdict = run("check", CLAIM, "--json").json()["verdict"]
    others = {"supported", "refuted", "conflicting", "not_enough_evidence"} - {verdict}
    assert run("check", CLAIM, "--fail-on", f"{verdict},conflicting").code == 1
    assert run("check", CLAIM, "--fail-on", ",".join(sorted(others))).code == 0
    wrong = run("check", CLAIM, "--fail-on", "maybe")
    assert wrong.code == 2
    assert "not_enough_evidence" in wrong.err


def test_as_of_leaves_out_what_was_published_later(run: Run) -> None:
    day = "2025-01-01"
    late = run("check", CLAIM, "--json").json()
    early = run("check", CLAIM, "--as-of", day, "--json").json()
    dates = [
        [e["published"] for c in result["claims"] for e in c["evidence"] if e["published"]] for result in (late, early)
    ]
    assert max(dates[0]) > day
    assert dates[1]
    assert max(dates[1]) <= day
    body = run("history", "show", early["certificate_id"], "--certificate").json()["body"]
    assert body["as_of"] == day
    documents = {d["doc_id"]: d["published"] for d in body["documents"]}
    edges = [edge for t in body["trust"] for side in ("supporting", "refuting") for edge in t[side]]
    seen = {edge[end] for edge in edges for end in ("source", "target")}
    assert all((documents.get(d) or "") <= day for d in seen)
    assert seen <= set(documents), "a document that was left out took part in the trust of others"


def test_trust_can_be_switched_off(run: Run) -> None:
    result = run("check", CLAIM, "--trust", "off", "--json").json()
    assert {e["trust"] for c in result["claims"] for e in c["evidence"]} == {None}
    assert not result["failures"]


def test_a_corpus_may_be_a_name_or_a_path_or_several(run: Run, articles: Path, tmp_path: Path) -> None:
    by_path = run("check", CLAIM, "--corpus", articles, "--json").json()
    by_name = run("check", CLAIM, "--corpus", "default", "--json").json()
    assert [e["text"] for e in by_path["claims"][0]["evidence"]] == [
        e["text"] for e in by_name["claims"][0]["evidence"]
    ]
    (tmp_path / "note.txt").write_text(
        "The refurbishment of the Tollgate Library cost £6.2 million, a note says.", encoding="utf-8"
    )
    both = run("check", CLAIM, "--corpus", "default", "--corpus", tmp_path / "note.txt", "--json").json()
    documents = {e["doc_id"] for e in both["claims"][0]["evidence"]}
    assert "note" in documents
    assert len(documents) > 1


def test_a_missing_corpus_is_bad_input(run: Run) -> None:
    missing = run("check", CLAIM, "--corpus", "nowhere")
    assert missing.code == 3
    assert "nowhere" in missing.err
    assert run("history", "list", "--json").json() == []


def test_the_claim_may_come_from_stdin(run: Run) -> None:
    result = run("check", "-", "--json", stdin=("\ufeff" + CLAIM + "\n").encode()).json()
    assert [c["text"] for c in result["claims"]] == [CLAIM]
    broken = run("check", "-", "--json", stdin=b"Caf\xe9 costs 3 pounds.")
    assert broken.code == 3
    assert "UTF-8" in broken.err


@pytest.mark.parametrize(
    ("flag", "value", "known"),
    [
        ("--verifier", "magic", "onnx"),
        ("--method", "magic", "chain"),
        ("--reasoner", "magic", "extractive"),
        ("--veracity", "magic", "standard"),
        ("--retriever", "magic", "hybrid"),
        ("--mode", "loud", "strict"),
        ("--max-claims", "13", "12"),
    ],
)
def test_what_is_unknown_is_wrong_usage_and_names_the_known(run: Run, flag: str, value: str, known: str) -> None:
    outcome = run("check", CLAIM, flag, value)
    assert outcome.code == 2
    assert known in outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""


def test_an_image_is_read_and_certified_with_its_hash(run: Run, repository: Path) -> None:
    image = repository / "examples" / "images" / "sign.png"
    claim = "The sign in the picture says Harrowmere."
    result = run("check", claim, "--image", image, "--json").json()
    body = run("history", "show", result["certificate_id"], "--certificate").json()["body"]
    [picture] = body["images"]
    assert picture["name"] == "sign.png"
    spans = [s for c in body["claims"] for s in c["spans"] if s["span"]["kind"] != "text"]
    assert spans
    for item in spans:
        span = item["span"]
        assert picture["document"]["text"][span["start"] : span["end"]] == span["text"]
    assert any(f["name"].startswith("ocr") or "rapidocr" in f["name"] for f in body["fingerprints"])


def test_doctor_explain_and_the_modes_speak(run: Run) -> None:
    found = run("doctor", "--json").json()
    assert {c["status"] for c in found["checks"]} <= {"ok", "warn"}
    claim, text = "Rents rose by 4 percent.", "Rents climbed 3.2% in May."
    told = run("explain", claim, "--evidence", text, "--json").json()
    assert told["decision"]["state"] != "VERIFIED"
    assert told["assessment"]["guard"]["findings"]
    assert run("explain", "", "--evidence", "x").code == 3


@pytest.mark.usefixtures("default_verifier")
def test_the_demo_shows_each_outcome_records_it_and_can_be_run_again(run: Run, tmp_path: Path) -> None:
    results = run("demo", "--json").json()
    assert [r["verdict"] for r in results] == ["supported", "refuted", "not_enough_evidence"]
    assert len({r["certificate_id"] for r in results}) == len(results)
    assert len(run("history", "list", "--json").json()) == len(results)
    file = tmp_path / "certificate.json"
    file.write_text(run("history", "show", results[0]["certificate_id"], "--certificate").out, encoding="utf-8")
    again = run("verify", file, "--rerun")
    assert again.code == 0, again.err + again.out
    assert "duet" in file.read_text(encoding="utf-8")


def test_eval_claims_measures(run: Run, repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    shutil.copy(repository / "examples" / "claims.jsonl", file)
    report = run("eval", "claims", file, "--limit", "2", "--json").json()
    assert report["n"] == len(report["outcomes"]) == 2
    assert report["wrong_verified"] == 0
    assert all(o["pairs"] > 0 and o["questions"] >= 2 for o in report["outcomes"])
    assert run("history", "list", "--json").json() == []
    (tmp_path / "broken.jsonl").write_text('{"claim": 3}\n', encoding="utf-8")
    broken = run("eval", "claims", tmp_path / "broken.jsonl")
    assert broken.code == 3
    assert "broken.jsonl entry 1 has no 'label'" in broken.err


def test_eval_pairs_measures(run: Run, tmp_path: Path) -> None:
    claim = "The bridge reopened."
    premises = {
        "entailment": "The bridge reopened on 4 May 2024.",
        "contradiction": "The bridge is still closed.",
        "neutral": "The mayor likes cake.",
    }
    rows = [{"premise": p, "hypothesis": claim, "label": label} for label, p in premises.items()]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    report = run("eval", "pairs", file, "--json").json()
    [figures] = report["files"]
    assert figures["n"] == 3
    assert figures["false_verified"] == 0
    assert run("eval", "pairs", tmp_path / "missing.jsonl").code == 3


def test_the_python_facade_gives_what_the_command_line_gives(run: Run) -> None:
    from factdesk import FactChecker

    report = FactChecker.from_config().check(CLAIM)
    assert report.json()["body_sha256"] == run("check", CLAIM, "--json").json()["body_sha256"]
    assert "Tollgate" in report.text()


def test_a_model_folder_that_is_not_there_is_a_missing_backend(run: Run) -> None:
    outcome = run("check", CLAIM, "--verifier", "onnx:nosuch")
    assert outcome.code in (2, 4)
    assert "nosuch" in outcome.err
    assert "Traceback" not in outcome.err


def test_probes_of_trust_stay_within_the_bounds_of_the_check(articles: Path) -> None:
    """With --as-of, a later document must not lend or take trust either."""
    queries: list[Query] = []

    class Recorder:
        fingerprint = Fingerprint(name="recorder", version="1")

        def retrieve(self, query: Query) -> tuple[Hit, ...]:
            queries.append(query)
            return ()

    documents = {d.doc_id: d for d in read_paths([articles]).documents}
    bounds = Bounds(published_to=date(2025, 1, 1), block_domains=("rumour.example",))
    probe = make_probe(Recorder(), documents.get, bounds)
    assert probe(next(iter(documents)))
    assert probe("unknown") == ()
    assert {(q.published_to, q.block_domains) for q in queries} == {(date(2025, 1, 1), ("rumour.example",))}
