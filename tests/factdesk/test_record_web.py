"""Checks with the web, recorded and replayed: the command line against a little web on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factdesk.corpora.stored import Corpora
from factdesk.kernel import sha256_text
from tests.agent.web_server import GOOD, Web, serving
from tests.factdesk.conftest import CLAIM, Run
from tests.factdesk.test_cold_start import modules_after, tops

ROOM = "A new reading room for children was added on the first floor of the Tollgate Library."


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """SearXNG and pages on loopback; only a test can put this guard in the place of the real one."""
    with serving() as found:
        monkeypatch.setattr("agent.tools.web.fetch.AddressGuard", lambda: found.guard)
        monkeypatch.setenv("FACTDESK_WEBSEARCH__PROVIDER", "searxng")
        monkeypatch.setenv("FACTDESK_WEBSEARCH__URL", f"http://127.0.0.1:{found.port}")
        yield found


def body_of(run: Run, result: Any) -> Any:
    return run("history", "show", result["certificate_id"], "--certificate").json()["body"]


def from_web(result: Any) -> list[Any]:
    return [e for c in result["claims"] for e in c["evidence"] if e["doc_id"].startswith("web:")]


def test_a_page_is_evidence_with_exact_spans_and_a_snapshot_that_stays(run: Run, web: Web, home: Path) -> None:
    web.results = [web.url("/good"), web.url("/secret/page", "b.example"), web.url("/huge", "c.example")]
    result = run("check", ROOM, "--web", "--json").json()
    assert result["verdict"] == "supported"
    found = from_web(result)
    assert found
    body = body_of(run, result)
    [document] = [d for d in body["documents"] if d["doc_id"].startswith("web:")]
    assert (document["published"], document["url"]) == ("2025-03-04", web.url("/good"))
    kept = run("snapshot", document["sha256"], "--json").json()
    assert sha256_text(kept["text"]) == document["sha256"]
    assert all(kept["text"][e["start"] : e["end"]] == e["text"] for e in found)
    assert run("snapshot", kept["body_sha256"], "--raw").out == GOOD
    assert run("snapshot", "0" * 64).code == 3
    assert run("snapshot", "%").code == 3
    reasons = {f["kind"] for f in result["failures"]}
    assert {"robots", "size"} <= reasons
    assert not any(f["deciding"] for f in result["failures"])
    names = {f["name"] for f in body["fingerprints"]}
    assert {"websearch:searxng", "fetch:httpx", "page:trafilatura"} <= names
    assert str(web.port) not in json.dumps(body["settings"]), "the instance's address is the user's own"


def test_the_archived_copy_of_a_cited_page_stands_in_certificate_report_and_recording(
    run: Run, web: Web, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = "https://web.archive.org/web/20250304000000/https://news.example/good"
    told = {"archived_snapshots": {"closest": {"url": copy}}}
    web.results, web.extra["/wayback/available"] = [web.url("/good")], (json.dumps(told).encode(), "application/json")
    monkeypatch.setattr("agent.tools.web.archive.WAYBACK", web.url(""))
    monkeypatch.setattr("agent.tools.web.json_api.AddressGuard", lambda: web.guard)
    monkeypatch.setenv("FACTDESK_WEBSEARCH__ARCHIVE", "true")
    tape = tmp_path / "run.jsonl.zst"
    result = run("check", ROOM, "--web", "--record", str(tape), "--json").json()
    documents = {d["doc_id"]: d for d in body_of(run, result)["documents"]}
    assert {d.get("archived") for name, d in documents.items() if name.startswith("web:")} == {copy}
    assert not any("archived" in d for name, d in documents.items() if not name.startswith("web:"))
    name = result["certificate_id"]
    assert f'href="{copy}"' in run("report", name, "--format", "html").out
    assert f"archived copy: {copy}" in run("report", name).out
    kept = tmp_path / "certificate.json"
    kept.write_text(run("history", "show", name, "--certificate").out, encoding="utf-8")
    assert run("verify", str(kept), "--rerun").code == 0
    asked = len(web.asked)
    assert run("replay", str(tape)).code == 0
    assert len(web.asked) == asked


def test_corpus_and_web_are_ranked_together(run: Run, web: Web, home: Path) -> None:
    web.results = [web.url("/good")]
    evidence = run("check", CLAIM, "--web", "--json").json()["claims"][0]["evidence"]
    kinds = {e["doc_id"].startswith("web:") for e in evidence}
    assert kinds == {True, False}


def test_a_page_that_gives_orders_is_not_obeyed(run: Run, web: Web) -> None:
    """No corpus at all: whatever is certified would have to come from that page."""
    web.results = [web.url("/orders")]
    result = run("check", CLAIM, "--web", "--json").json()
    assert "/orders" in web.pages()
    assert from_web(result)
    assert result["verdict"] == "not_enough_evidence"
    assert result["shown"] == []
    assert {c["state"] for c in result["claims"]} == {"UNVERIFIED"}
    text = run("check", CLAIM, "--web", "--mode", "debug").out
    assert "[VERIFIED]" not in text


def test_sites_are_left_out_by_list(run: Run, web: Web, home: Path) -> None:
    hosts = ("news.example", "www.facebook.com", "x.com", "www.politifact.com")
    web.results = [web.url("/good", host) for host in hosts]

    def asked(*flags: str) -> set[str]:
        web.asked.clear()
        run("check", CLAIM, "--web", "--json", *flags).json()
        return {line.split(" ")[0] for line in web.asked if line.endswith(" /good")}

    assert asked() == {"news.example", "www.politifact.com"}
    assert asked("--block", "fact-checkers", "--block", "news.example") == set()
    blocked = run("check", CLAIM, "--block", "harrowmere-courier.example", "--json").json()
    urls = {e["url"] or "" for c in blocked["claims"] for e in c["evidence"]}
    assert urls
    assert not any("harrowmere-courier.example" in url for url in urls)


@pytest.mark.parametrize(
    ("flags", "there"),
    [
        ((), True),
        (("--as-of", "2025-03-04"), True),
        (("--as-of", "2025-03-03"), False),
        (("--window", "2y", "--as-of", "2026-03-04"), True),
        (("--window", "2y", "--as-of", "2027-03-05"), False),
        (("--window", "30d"), False),
    ],
)
def test_dates_bound_the_evidence(run: Run, web: Web, flags: tuple[str, ...], there: bool) -> None:
    web.results = [web.url("/good")]
    assert bool(from_web(run("check", ROOM, "--web", "--json", *flags).json())) is there


def test_a_wrong_window_or_engine_is_wrong_usage(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = run("check", CLAIM, "--window", "two years")
    assert (wrong.code, "2y" in wrong.err) == (2, True)
    monkeypatch.setenv("FACTDESK_WEBSEARCH__PROVIDER", "searxng")
    lacking = run("check", CLAIM, "--web")
    assert (lacking.code, "websearch.url" in lacking.err) == (2, True)


def test_without_a_network_the_corpus_answers_and_one_line_says_so(run: Run, web: Web, home: Path) -> None:
    alone = run("check", CLAIM, "--json").json()
    web.search_status = 503
    outcome = run("check", CLAIM, "--web", "--json")
    result = outcome.json()
    assert outcome.err.count("the web was not reachable") == 1
    assert len(outcome.err.strip().splitlines()) == 1
    assert [(c["state"], c["reason"]) for c in result["claims"]] == [(c["state"], c["reason"]) for c in alone["claims"]]
    [failure] = result["failures"]
    assert (failure["where"], failure["deciding"]) == ("web.search", False)
    assert "not reachable" in run("history", "show", result["certificate_id"]).out


def test_a_recorded_web_check_is_replayed_without_anything(
    run: Run, web: Web, home: Path, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.results = [
        web.url("/good"),
        web.url("/flaky"),
        web.url("/to-loopback"),
        web.url("/orders", "o.example"),
    ]
    file = tmp_path / "run.jsonl.zst"
    image = repository / "examples" / "images" / "sign.png"
    flags = ("--web", "--image", image, "--max-seconds", "500", "--as-of", "2026-01-01")
    first = run("check", CLAIM, *flags, "--record", file, "--json").json()
    assert from_web(first)
    web.asked.clear()
    web.results = []
    monkeypatch.setattr(Corpora, "open", lambda *a, **k: pytest.fail("a replay opened the corpora"))
    monkeypatch.setenv("FACTDESK_MODE", "debug")
    monkeypatch.setenv("FACTDESK_WEBSEARCH__RESULTS", "1")
    monkeypatch.setenv("FACTDESK_HOME", str(tmp_path / "elsewhere"))
    again = run("replay", file, "--json")
    assert again.json()["body_sha256"] == first["body_sha256"]
    assert {**again.json(), "certificate_id": ""} == {**first, "certificate_id": ""}
    assert "the certificate body is the recorded one" in again.err
    assert web.asked == []
    assert run("history", "list", "--json").json() == []
    assert run("check", CLAIM, "--record", file).code == 2


def test_the_default_path_loads_nothing_for_the_web(home: Path, tmp_path: Path, repository: Path) -> None:
    loaded = modules_after(home, tmp_path / "modules.json", repository, "check", CLAIM, "--json")
    assert not tops(loaded) & {"langchain", "langchain_community", "ddgs", "primp", "httpcore", "protego"}
    ours = {"guard", "http", "fetch", "robots", "page", "searxng", "ddgs_search", "websearch", "retry"}
    assert not {f"agent.tools.{name}" for name in ours} & loaded


def test_a_published_fact_check_is_a_witness_that_can_be_replayed_without_the_key(
    run: Run, web: Web, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.tools.web.json_api.AddressGuard", lambda: web.guard)
    monkeypatch.setenv("FACTDESK_WEBSEARCH__PROVIDER", "google-factcheck")
    monkeypatch.setenv("FACTDESK_WEBSEARCH__URL", web.url(""))
    monkeypatch.setenv("FACTDESK_WEBSEARCH__API_KEY", "the-key")
    review = {"publisher": {"name": "Harbour Checks"}, "url": "https://checks.example/a", "textualRating": "False"}
    web.claims = [{"text": "The Tollgate Library cost £11 million.", "claimReview": [review]}]
    told = "Harbour Checks rated the claim that the Tollgate Library cost £11 million as false."
    result = run("check", told, "--web", "--record", str(home / "r.zst"), "--json").json()
    found = from_web(result)
    assert found[0]["text"].startswith("Harbour Checks rated the claim as “False”")
    body = body_of(run, result)
    assert "websearch:google-factcheck" in {f["name"] for f in body["fingerprints"]}
    assert "the-key" not in json.dumps(body)
    monkeypatch.delenv("FACTDESK_WEBSEARCH__API_KEY")
    web.claims = []
    assert run("replay", str(home / "r.zst")).code == 0
