"""Searching: SearXNG and LangChain's DuckDuckGo tool against a server on loopback; pages into documents."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import date

import pytest

from agent.tools.web.ddgs_search import DuckDuckGoSearch
from agent.tools.web.page import MAX_TEXT, read_page
from agent.tools.web.search import SearchDesk, SearchGiven, make_search, shortened
from agent.tools.web.search_engines import SearxngSearch
from agent.web_ports import DIRECT, FetchedPage, SearchResult
from evidence.segmentation.spans import spans_of
from factdesk.kernel import (
    BackendUnavailable,
    ConfigError,
    Fingerprint,
    InputError,
    TransientError,
    sha256_text,
)
from tests.agent.web_server import GOOD, LATIN, Web, serving

TODAY = date(2026, 2, 1)


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


def page(body: bytes, media_type: str = "text/html", charset: str | None = "utf-8") -> FetchedPage:
    url = "http://news.example/story"
    return FetchedPage(url=url, final_url=url, media_type=media_type, charset=charset, body=body)


def desk(web: Web, blocked: tuple[str, ...] = ()) -> SearchDesk:
    return SearchDesk(
        lambda: SearxngSearch(f"http://127.0.0.1:{web.port}"),
        DIRECT,
        lambda host: host in blocked,
        sleep=lambda _: None,
    )


def test_searxng_gives_results_in_its_order_and_no_more_than_asked(web: Web) -> None:
    web.results = [f"http://news.example/{n}" for n in range(15)]
    found = SearxngSearch(f"http://127.0.0.1:{web.port}/").search("tollgate library", 10)
    assert found[0] == SearchResult(url="http://news.example/0", title="a title", snippet="a snippet")
    assert [r.url for r in found] == web.results[:10]


@pytest.mark.parametrize(
    ("status", "error"), [(503, TransientError), (403, BackendUnavailable), (404, BackendUnavailable)]
)
def test_what_searxng_refuses_is_told(web: Web, status: int, error: type[Exception]) -> None:
    web.search_status = status
    with pytest.raises(error, match=str(status)):
        SearxngSearch(f"http://127.0.0.1:{web.port}").search("x", 10)


def test_searxng_that_answers_no_json_or_is_not_there(web: Web) -> None:
    with pytest.raises(BackendUnavailable):
        SearxngSearch(f"http://127.0.0.1:{web.port}/good").search("x", 10)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(TransientError, match="could not be reached"):
        SearxngSearch(f"http://127.0.0.1:{port}").search("x", 10)
    for wrong in ("nonsense", "ftp://x", "http://"):
        with pytest.raises(ConfigError):
            SearxngSearch(wrong)


def test_duckduckgo_is_asked_alone_and_without_a_date(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real LangChain tool, the real ddgs client; only its address is ours."""
    from ddgs.engines.duckduckgo import Duckduckgo

    payloads = []
    real = Duckduckgo.build_payload

    def build(self: Duckduckgo, *arguments: object, **options: object) -> object:
        found = real(self, *arguments, **options)  # type: ignore[arg-type]
        payloads.append(found)
        return found

    monkeypatch.setattr(Duckduckgo, "build_payload", build)
    monkeypatch.setattr(Duckduckgo, "search_url", f"http://127.0.0.1:{web.port}/html/")
    web.results = [f"https://news.example/{n}" for n in range(12)]
    found = DuckDuckGoSearch().search("tollgate library", 10)
    assert len(found) == 10
    assert {r.url for r in found} <= set(web.results)
    assert web.asked == ["POST /html/"]
    assert payloads[0]["q"] == "tollgate library"
    assert not {"df", "timelimit"} & payloads[0].keys()
    web.results = []
    assert DuckDuckGoSearch().search("nothing at all", 10) == ()


def test_duckduckgo_out_of_reach_is_transient(monkeypatch: pytest.MonkeyPatch) -> None:
    from ddgs.engines.duckduckgo import Duckduckgo

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setattr(Duckduckgo, "search_url", f"http://127.0.0.1:{port}/html/")
    with pytest.raises(TransientError, match="DuckDuckGo could not be asked"):
        DuckDuckGoSearch().search("tollgate library", 10)


def test_importing_the_adapter_warns_of_nothing(recwarn: pytest.WarningsRecorder) -> None:
    from agent.tools.web.ddgs_search import _tool

    tool = _tool(10)
    assert (tool.api_wrapper.time, tool.api_wrapper.backend, tool.max_results) == (None, "duckduckgo", 10)
    assert not recwarn.list


def test_unwanted_and_unusable_results_are_left_out(web: Web) -> None:
    good = "http://news.example/a"
    web.results = [
        f"{good}#top",
        good,
        "http://x.com/b",
        "ftp://news.example/c",
        "http://[::1/",
        "javascript:0",
    ]
    assert desk(web, ("x.com",)).pages("tollgate") == (good,)


def test_a_query_is_asked_once_and_trouble_is_tried_again(web: Web) -> None:
    web.results = ["http://news.example/a"]
    found = desk(web)
    assert found.pages("tollgate") == found.pages("  tollgate ") == ("http://news.example/a",)
    assert len(web.asked) == 1
    assert found.failures() == ()


def test_when_the_web_is_down_it_is_said_once_and_not_asked_again(web: Web) -> None:
    web.search_status = 503
    found = desk(web)
    assert [found.pages(q) for q in ("a", "b", "c")] == [(), (), ()]
    assert len(web.asked) == 3  # three tries for the first query, none for the others
    [failure] = found.failures()
    assert (failure.where, failure.kind, failure.deciding) == ("web.search", "unavailable", False)
    assert "the corpus answered alone" in failure.message


def test_searches_are_capped() -> None:
    class Engine:
        fingerprint = Fingerprint(name="engine", version="1")
        asked = 0

        def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
            self.asked += 1
            return ()

    engine = Engine()
    found = SearchDesk(lambda: engine, DIRECT, lambda host: False)
    for n in range(40):
        found.pages(f"query {n}")
    assert engine.asked == 30
    assert [f.kind for f in found.failures()] == ["budget"]


def test_engines_by_name() -> None:
    assert isinstance(make_search("duckduckgo", SearchGiven()), DuckDuckGoSearch)
    assert isinstance(make_search("searxng", SearchGiven("http://127.0.0.1:8080")), SearxngSearch)
    with pytest.raises(ConfigError, match=r"websearch\.url"):
        make_search("searxng", SearchGiven())
    with pytest.raises(ConfigError, match="duckduckgo, searxng"):
        make_search("altavista", SearchGiven())
    assert len(shortened("word " * 200)) <= 300
    assert shortened("a\n b") == "a b"


def test_a_page_becomes_a_document_with_exact_spans() -> None:
    document = read_page(page(GOOD.encode()), TODAY)
    assert document.published == date(2025, 3, 4)
    assert document.retrieved == TODAY
    assert (document.title, document.publisher) == ("Tollgate Library reopens", "Harbour Daily")
    assert document.url == "http://news.example/story", "what a page calls its own address must not count"
    assert document.doc_id.startswith("web:news.example/")
    other = read_page(page(GOOD.replace("6.2", "6.3").encode()), TODAY)
    assert (other.url, other.doc_id != document.doc_id) == (document.url, True)
    assert document.sha256 == sha256_text(document.text)
    assert "Sport" not in document.text
    spans = spans_of(document)
    assert any("£6.2 million" in s.text for s in spans)
    assert all(document.text[s.start : s.end] == s.text for s in spans)


@pytest.mark.parametrize("charset", ["utf-8", "latin-1", "no-such-charset", None])
def test_a_wrong_charset_does_not_spoil_the_text(charset: str | None) -> None:
    document = read_page(page(LATIN.encode("latin-1"), charset=charset), TODAY)
    assert "Zoë Müller" in document.text


def test_a_damaged_place_does_not_spoil_the_rest() -> None:
    damaged = GOOD.encode().replace(b"two years", b"two \x80 years")
    assert "cost £6.2 million" in read_page(page(damaged), TODAY).text


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ('<meta property="article:published_time" content="2031-01-01">', None),
        ('<meta property="article:published_time" content="not a day">', None),
        ('<meta name="date" content="2024-05-06">', date(2024, 5, 6)),
        ("", None),
    ],
)
def test_a_day_that_cannot_be_is_none(stated: str, found: date | None) -> None:
    text = "<p>The library was founded on 3 May 1999 and has 40,000 books on two floors, all told.</p>"
    source = f"<html><head>{stated}</head><body><article>{text * 3}</article></body></html>"
    assert read_page(page(source.encode()), TODAY).published == found


@pytest.mark.parametrize(
    "body", [b"", b"<html></html>", b"\x00\x01\x02", b"<div>" * 100_000 + b"x" + b"</div>" * 100_000]
)
def test_a_page_without_text_is_refused(body: bytes) -> None:
    with pytest.raises(InputError):
        read_page(page(body), TODAY)


def test_a_very_long_page_is_cut_at_a_paragraph() -> None:
    text = "\n\n".join(f"Paragraph {n} tells of the library and its many books." for n in range(9000))
    document = read_page(page(text.encode(), "text/plain"), TODAY)
    assert len(document.text) <= MAX_TEXT
    assert document.text.endswith("many books.")
