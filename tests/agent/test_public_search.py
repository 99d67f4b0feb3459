"""Fact checks by Google's interface, Wikipedia and Wikidata, against a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

import pytest

from agent.tools.web.archive import ArchivedCopies
from agent.tools.web.page import read_page, review_page
from agent.tools.web.search import SearchDesk, SearchGiven, make_search
from agent.tools.web.search_engines import GoogleFactChecks, WikidataSearch, WikipediaSearch
from agent.web_ports import DIRECT, Direct
from factdesk.kernel import BackendUnavailable, ConfigError, InputError, TransientError
from tests.agent.web_server import Web, serving

REVIEW = {
    "publisher": {"name": "Harbour Checks", "site": "checks.example"},
    "url": "https://checks.example/library",
    "title": "No, the library did not cost £11 million",
    "reviewDate": "2025-04-02T00:00:00Z",
    "textualRating": "False",
}
CLAIM = {"text": "The Tollgate Library cost £11 million.", "claimant": "a blog", "claimReview": [REVIEW]}


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with serving() as found:
        monkeypatch.setattr("agent.tools.web.json_api.AddressGuard", lambda: found.guard)
        yield found


def test_a_fact_check_is_read_as_the_review_that_it_is(web: Web) -> None:
    web.claims = [CLAIM, {"text": "of no review"}]
    desk = SearchDesk(lambda: GoogleFactChecks("the-key", web.url("")), DIRECT, lambda _: False)
    [address] = desk.pages("tollgate library cost")
    document = read_page(review_page(address, desk.review(address)), date(2026, 2, 1))
    assert document.text.startswith("Harbour Checks rated the claim by a blog as “False”: “The Tollgate Library cost")
    assert (document.publisher, document.published) == ("Harbour Checks", date(2025, 4, 2))
    assert (document.url, document.doc_id[:19]) == (address, "web:checks.example/")
    assert desk.review("https://checks.example/other") == ""
    assert all("the-key" not in line for line in web.asked), "the key stands in no address"


def test_a_review_that_lacks_its_parts_is_no_document(web: Web) -> None:
    web.claims = [{**CLAIM, "claimReview": [{"url": REVIEW["url"]}]}]
    [found] = GoogleFactChecks("the-key", web.url("")).search("x", 10)
    with pytest.raises(InputError, match="a review without"):
        read_page(review_page(found.url, found.review), date(2026, 2, 1))


def test_a_blocked_site_is_left_out_whoever_names_it(web: Web) -> None:
    web.claims = [CLAIM]
    desk = SearchDesk(lambda: GoogleFactChecks("the-key", web.url("")), Direct(), lambda host: host == "checks.example")
    assert desk.pages("tollgate library cost") == ()


def test_keys_are_needed_and_never_told(web: Web) -> None:
    with pytest.raises(ConfigError, match="FACTDESK_WEBSEARCH__API_KEY"):
        make_search("google-factcheck", SearchGiven())
    with pytest.raises(BackendUnavailable, match="403") as error:
        GoogleFactChecks("another-key", web.url("")).search("x", 10)
    assert "another-key" not in str(error.value)


def test_wikipedia_gives_articles(web: Web) -> None:
    web.articles = ["Tollgate Library", "Who? (film)"]
    found = WikipediaSearch(web.url("")).search("tollgate library", 10)
    assert [r.url for r in found] == [web.url("/wiki/Tollgate_Library"), web.url("/wiki/Who%3F_%28film%29")]


def test_wikidata_gives_the_articles_of_its_items(web: Web) -> None:
    web.articles = ["Q42", "Q0", "Q7"]
    found = WikidataSearch(web.url("")).search("tollgate library", 10)
    assert [r.url for r in found] == [web.url("/wiki/Q42"), web.url("/wiki/Q7")]
    web.articles = []
    assert WikidataSearch(web.url("")).search("nothing", 10) == ()


@pytest.mark.parametrize(("path", "error"), [("/good", BackendUnavailable), ("/nowhere", BackendUnavailable)])
def test_what_is_no_such_service_is_told(web: Web, path: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        WikipediaSearch(web.url(path)).search("x", 10)


def test_a_private_address_is_refused(web: Web) -> None:
    with pytest.raises((BackendUnavailable, TransientError)):
        WikipediaSearch(web.url("", "evil.example")).search("x", 10)
    with pytest.raises(ConfigError, match=r"websearch\.url"):
        WikipediaSearch("ftp://x")


def test_archived_copies_are_looked_up_until_the_archive_fails(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent.tools.web.archive.WAYBACK", web.url(""))
    copy = "https://web.archive.org/web/20250304000000/https://news.example/good"
    pages = {"web:a": "https://news.example/good", "web:b": "https://news.example/other"}
    for held in (copy, "javascript:alert(1)", ""):
        told = {"archived_snapshots": {"closest": {"url": held}} if held else {}}
        web.extra["/wayback/available"] = (json.dumps(told).encode(), "application/json")
        copies = ArchivedCopies(DIRECT)
        wanted = {"web:a": copy, "web:b": copy} if held == copy else {}
        assert (copies.of(pages, date(2025, 3, 5)), copies.failures()) == (wanted, ())
    assert "url=https%3A%2F%2Fnews.example%2Fgood&timestamp=20250305" in web.asked[0]
    web.extra["/wayback/available"] = (b"not now", "text/html")
    asked = len(web.asked)
    assert copies.of(pages, date(2025, 3, 5)) == {}
    assert len(web.asked) == asked + 1, "the second page is not asked for"
    [failure] = copies.failures()
    assert (failure.where, failure.deciding) == ("web.archive", False)
