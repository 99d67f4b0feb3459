"""Documents as people have them: files of every kind, links, fact checks; slips that are told before work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from tests.agent.web_server import Web, serving
from tests.factdesk.conftest import CLAIM, Run

pytestmark = pytest.mark.usefixtures("factdesk_home")
FERRY = "The Ondrell ferry carried 84,300 passengers in 2024."


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with serving() as found:
        monkeypatch.setattr("agent.tools.web.fetch.AddressGuard", lambda: found.guard)
        yield found


def test_a_word_document_is_evidence_with_its_place(run: Run, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The harbour office published the figures.")
    document.add_paragraph(FERRY)
    document.save(str(tmp_path / "ferry.docx"))
    found = run("check", FERRY, "--corpus", tmp_path / "ferry.docx", "--json").json()
    assert found["verdict"] == "supported"
    [decisive] = [e for e in found["claims"][0]["evidence"] if e["text"] == FERRY]
    assert decisive["locator"] == "paragraph 2"
    assert "undated, paragraph 2" in run("report", found["certificate_id"]).out


def test_a_link_is_evidence_and_its_page_is_kept(run: Run, web: Web) -> None:
    web.extra["/story"] = PAGE.encode(), "text/html"
    link = web.url("/story")
    found = run("check", CLAIM, "--corpus", link, "--json").json()
    assert found["verdict"] == "supported"
    [cited] = {e["url"] for c in found["claims"] for e in c["evidence"]}
    assert cited == link
    document = next(e["doc_id"] for c in found["claims"] for e in c["evidence"])
    body = run("history", "show", found["certificate_id"], "--certificate").json()["body"]
    sha256 = next(d["sha256"] for d in body["documents"] if d["doc_id"] == document)
    assert run("snapshot", sha256).code == 0
    added = run("corpus", "add", link, web.url("/absent"), "--name", "news")
    assert "1 added" in added.out
    assert "404" in added.err
    assert run("check", CLAIM, "--corpus", "news", "--json").json()["verdict"] == "supported"


def test_a_link_into_the_house_is_refused(run: Run, web: Web) -> None:
    for link in (web.url("/good", "evil.example"), "http://127.0.0.1:1/x", "https://user:pw@news.example/"):
        refused = run("corpus", "add", link)
        assert (refused.code, "was not read" in refused.err) == (3, True), refused.err
    assert web.pages() == []


def test_a_link_is_no_claim_but_one_can_be_chosen_from_its_page(run: Run, web: Web, articles: Path) -> None:
    refused = run("check", web.url("/good"), "--corpus", articles)
    assert refused.code == 3
    assert "--claim-url" in refused.err
    chosen = run("check", "--claim-url", web.url("/good"), "--corpus", articles, "--json", stdin=b"2\n")
    body = chosen.json()
    assert body["claims"][0]["text"].startswith("The refurbishment of the Tollgate Library cost")
    certificate = run("history", "show", body["certificate_id"], "--certificate").json()["body"]
    assert certificate["claim_date"] == "2025-03-04", "the day of the page"
    assert run("check").code == 2
    assert run("check", CLAIM, "--claim-url", web.url("/good")).code == 2


PAGE = f"""<html><head><title>Library reopens</title></head><body><article><h1>Library reopens</h1>
<p>{CLAIM}</p><p>Readers queued at the doors of the old customs house on the first day.</p></article>
</body></html>"""
REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "claimReviewed": FERRY,
    "author": {"@type": "Organization", "name": "Ondrell Checks"},
    "itemReviewed": {"@type": "Claim", "author": {"name": "Mayor Hollis"}, "datePublished": "2025-01-02"},
    "reviewRating": {"@type": "Rating", "alternateName": "False"},
    "datePublished": "2025-02-01",
    "url": "https://checks.example/ferry",
}


@pytest.mark.parametrize("rating", ["False", "True", "Half true"])
def test_a_fact_check_is_a_witness_about_its_claim_and_verifies_it_never(run: Run, tmp_path: Path, rating: str) -> None:
    review = {**REVIEW, "reviewRating": {"alternateName": rating}}
    (tmp_path / "review.json").write_text(json.dumps({"@graph": [review, {"@type": "WebPage"}]}))
    found = run("check", FERRY, "--corpus", tmp_path / "review.json", "--json").json()
    assert found["claims"][0]["state"] != "VERIFIED"
    told = run("corpus", "search", "Ondrell ferry", "--name", tmp_path / "review.json", "--json").json()
    assert told[0]["span"]["publisher"] == "Ondrell Checks"
    assert told[0]["span"]["published"] == "2025-02-01"
    assert rating in told[0]["span"]["text"]


def test_answers_of_the_fact_check_tools_are_read_and_other_json_is_not(run: Run, tmp_path: Path) -> None:
    answer = {
        "claims": [
            {
                "text": FERRY,
                "claimant": "Mayor Hollis",
                "claimDate": "2025-01-02T00:00:00Z",
                "claimReview": [
                    {
                        "publisher": {"name": "Ondrell Checks", "site": "checks.example"},
                        "url": "https://checks.example/ferry",
                        "reviewDate": "2025-02-01T00:00:00Z",
                        "textualRating": "False",
                    },
                    {"publisher": {"site": "other.example"}},
                ],
            }
        ]
    }
    (tmp_path / "tools.json").write_text(json.dumps(answer))
    added = run("corpus", "add", tmp_path / "tools.json")
    assert "1 added" in added.out
    assert "without reviewRating" in added.err
    (tmp_path / "other.json").write_text('{"a": 1}')
    assert "no ClaimReview" in run("corpus", "add", tmp_path / "other.json").err


@pytest.mark.parametrize(
    ("flag", "value", "meant", "code"),
    [
        ("--corpus", "nwes", "news", 3),
        ("--verifier", "onnx:minilm-fct", "minilm-fact", 2),
        ("--verifier", "onx:minilm-fact", "onnx", 2),
        ("--reasoner", "extractve", "extractive", 2),
    ],
)
def test_a_slip_is_told_with_what_was_meant_before_a_model_loads(
    run: Run, articles: Path, monkeypatch: pytest.MonkeyPatch, flag: str, value: str, meant: str, code: int
) -> None:
    run("corpus", "add", articles, "--name", "news")

    def loaded(*_: object, **__: object) -> None:
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("factdesk.checker.FactChecker._load_ahead", loaded)
    monkeypatch.setattr("evidence.retrieval.embedder.OnnxEmbedder.__init__", loaded)
    given = [] if flag == "--corpus" else ["--corpus", "news"]
    found = run("check", CLAIM, *given, flag, value)
    assert found.code == code
    assert f"did you mean {meant!r}?" in found.err


def test_a_word_that_is_near_to_nothing_gets_no_guess(run: Run, tmp_path: Path) -> None:
    found = run("check", CLAIM, "--corpus", tmp_path / "qqqqqqqq")
    assert found.code == 3
    assert "did you mean" not in found.err


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Renovierung der Bibliothek hat 6,2 Millionen Pfund gekostet.", "German"),
        ("La rénovation de la bibliothèque a coûté 6,2 millions de livres.", "French"),
        ("Реконструкция библиотеки стоила шесть миллионов фунтов.", ""),
        (CLAIM, None),
        ("Vrolijk was a pupil of Cas Brandt.", None),
    ],
)
def test_another_language_is_told_and_leaves_the_claim_open(
    run: Run, articles: Path, text: str, language: str | None
) -> None:
    found = run("check", text, "--corpus", articles, "--json")
    told = [f["message"] for f in found.json()["failures"] if f["kind"] == "language"]
    assert bool(told) is (language is not None)
    assert ("factdesk reads English alone" in found.err) is (language is not None)
    if language is not None:
        assert f"in {language or 'another language'};" in told[0] or language == ""
        assert {c["state"] for c in found.json()["claims"]} <= {"UNVERIFIED"}


def test_a_table_of_claims_is_a_batch_and_what_fails_is_not_passed_over(
    run: Run, articles: Path, tmp_path: Path
) -> None:
    table = tmp_path / "claims.csv"
    table.write_text(f'id;Claim;date\n"a";"{CLAIM}";2025-03-01\n;;\nb;{"x" * 30_000};\n', encoding="utf-8")
    made = run("batch", table, "--out", tmp_path / "out", "--corpus", articles, "--workers", "1", "--json")
    assert made.code == 3
    assert "1 line(s) failed" in made.err
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert {(row["line"], row["id"], row["status"]) for row in rows} == {
        (2, "a", "completed"),
        (4, "b", "failed"),
    }
    table.write_text("text\nx\n", encoding="utf-8")
    refused = run("batch", table, "--out", tmp_path / "other", "--corpus", articles)
    assert (refused.code, "must name the columns" in refused.err) == (3, True)


def test_a_report_says_where_it_was_written(run: Run, articles: Path, tmp_path: Path) -> None:
    name = run("check", CLAIM, "--corpus", articles, "--json").json()["certificate_id"]
    done = run("report", name, "--format", "html", "--out", tmp_path / "r.html")
    assert f"written: {tmp_path / 'r.html'}" in done.err
