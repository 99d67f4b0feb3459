"""Fetching pages: every path goes through the real client to a server on loopback."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.tools.web.fetch import Limits, Pacer, PageFetcher
from agent.tools.web.ssrf_guard import AddressGuard, Refused, is_public
from agent.web_ports import DIRECT, FetchOutcome
from factdesk.kernel import InputError
from tests.agent.web_server import Web, serving

QUICK = Limits(max_bytes=1_000_000, seconds=1.0, host_seconds=0.0)
"""For pages that never come."""
PATIENT = Limits(max_bytes=1_000_000, seconds=30.0, host_seconds=0.0)
"""For all others, so that a busy machine fails no test."""


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


def fetcher(web: Web, limits: Limits = PATIENT, blocked: tuple[str, ...] = ()) -> PageFetcher:
    def is_blocked(host: str) -> bool:
        return any(host == name or host.endswith("." + name) for name in blocked)

    return PageFetcher(DIRECT, is_blocked, limits=limits, guard=web.guard, pacer=Pacer(sleep=lambda _: None))


def kind(outcome: FetchOutcome) -> str:
    """The kind of the failure; a page counts as ``"page"``."""
    assert (outcome.page is None) != (outcome.failure is None)
    if outcome.failure is None:
        return "page"
    assert outcome.failure.where == "web.fetch"
    assert not outcome.failure.deciding
    return outcome.failure.kind


@pytest.mark.parametrize("path", ["/good", "/gzip", "/to-good", "/plain", "/latin", "/broken"])
def test_a_good_page_is_fetched(web: Web, path: str) -> None:
    outcome = fetcher(web).fetch(web.url(path))
    assert outcome.page is not None
    assert b"library" in outcome.page.body.lower()
    assert outcome.page.final_url == web.url("/good" if path == "/to-good" else path)
    assert web.asked[0] == "news.example /robots.txt"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/huge", "size"),
        ("/bomb", "size"),
        ("/slow", "timeout"),
        ("/slow-head", "timeout"),
        ("/png", "type"),
        ("/pdf", "type"),
        ("/zip", "type"),
        ("/untyped", "type"),
        ("/brotli", "encoding"),
        ("/half-gzip", "network"),
        ("/missing", "status"),
        ("/secret/page", "robots"),
        ("/to-forbidden", "robots"),
        ("/to-social", "blocked"),
        ("/to-loopback", "port"),
        ("/to-inside", "port"),
        ("/to-metadata", "address"),
        ("/to-file", "address"),
        ("/hop", "redirects"),
    ],
)
def test_a_bad_page_becomes_a_failure_that_says_why(web: Web, path: str, expected: str) -> None:
    start = time.monotonic()
    limits = QUICK if "slow" in path else PATIENT
    outcome = fetcher(web, limits, blocked=("facebook.com",)).fetch(web.url(path))
    assert kind(outcome) == expected
    assert time.monotonic() - start < PATIENT.seconds
    assert not {"/admin", "/latest"} & set(web.pages())
    if expected == "robots":
        assert "/secret/page" not in web.pages()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://news.example/a",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://user:pw@news.example/a",
        "http:///nohost",
        "http://[::1/",
        "gopher://x/",
        "http://news.example/" + "a" * 3000,
    ],
)
def test_only_plain_web_addresses_are_asked_for(web: Web, url: str) -> None:
    assert kind(fetcher(web).fetch(url)) == "address"
    assert not web.asked


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.0.0.8", "169.254.169.254", "[::1]", "[fe80::1]", "[::ffff:127.0.0.1]", "0.0.0.0"],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_without_the_tests_own_guard_no_house_address_is_connected_to(host: str, scheme: str) -> None:
    outcome = PageFetcher(DIRECT, lambda host: False, pacer=Pacer(sleep=lambda _: None)).fetch(
        f"{scheme}://{host}/latest"
    )
    assert kind(outcome) == "address"
    assert outcome.failure is not None
    assert "no public address" in outcome.failure.message


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.1.1",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "239.1.1.1",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "192.0.0.8",
        "192.0.0.192",
        "fec0::1",
        "168.63.129.16",
        "3fff::1",
        "2001:2::1",
        "192.88.99.1",
        "5f00::1",
        "100::1",
        "4000::1",
        "::ffff:168.63.129.16",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
        "nonsense",
        "",
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "93.184.215.14",
        "2606:4700::1111",
        "64:ff9b::808:808",
        "168.63.129.17",
        "192.0.1.1",
        "2001:4860::8888",
    ],
)
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="127.0.0.0/8"))
def test_no_wrapping_makes_a_house_address_public(inside: object) -> None:
    for wrapped in (f"{inside}", f"::ffff:{inside}", f"64:ff9b::{inside}"):
        assert not is_public(wrapped)


def test_a_name_that_resolves_otherwise_the_second_time_gains_nothing(web: Web) -> None:
    """DNS rebinding: the address that was checked is the one that is connected to."""
    answers = iter(["127.0.0.1", "127.0.0.1", "192.168.1.1"])
    guard = AddressGuard(resolve=lambda host, port: [next(answers)], test_servers=frozenset({("127.0.0.1", web.port)}))
    calm = Pacer(sleep=lambda _: None)
    outcome = PageFetcher(DIRECT, lambda host: False, limits=PATIENT, guard=guard, pacer=calm).fetch(
        web.url("/good", "rebind.example")
    )
    assert kind(outcome) == "page"  # one look-up for robots.txt, one for the page: none in between
    assert next(answers) == "192.168.1.1"
    with pytest.raises(Refused, match="no public address"):
        AddressGuard(resolve=lambda h, p: ["93.184.215.14", "10.0.0.1"]).address("mixed.example", 80)
    with pytest.raises(Refused, match="port 22"):
        AddressGuard(resolve=lambda h, p: ["93.184.215.14"]).address("mixed.example", 22)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("closed.example", "robots"),
        ("broken-robots.example", "robots"),
        ("sluggish.example", "robots"),
        ("none.example", "page"),
    ],
)
def test_robots_are_honoured(web: Web, host: str, expected: str) -> None:
    assert kind(fetcher(web).fetch(web.url("/good", host))) == expected
    assert ("/good" in web.pages()) == (expected == "page")


def test_robots_are_asked_for_once_a_host(web: Web) -> None:
    desk = fetcher(web)
    for path in ("/good", "/plain", "/secret/page"):
        desk.fetch(web.url(path))
    assert [line for line in web.asked if "robots" in line] == ["news.example /robots.txt"]


@pytest.mark.parametrize(("times", "expected"), [(1, "page"), (2, "status")])
def test_only_what_may_pass_is_tried_again_and_not_for_ever(web: Web, times: int, expected: str) -> None:
    web.flaky = times
    assert kind(fetcher(web).fetch(web.url("/flaky"))) == expected
    assert web.pages() == ["/flaky", "/flaky"]
    web.asked.clear()
    assert kind(fetcher(web).fetch(web.url("/missing"))) == "status"
    assert web.pages() == ["/missing"]


def test_a_server_that_is_not_there_is_told(web: Web) -> None:
    guard = AddressGuard(resolve=lambda host, port: ["127.0.0.1"], test_servers=frozenset({("127.0.0.1", 1)}))
    calm = Pacer(sleep=lambda _: None)
    outcome = PageFetcher(DIRECT, lambda host: False, guard=guard, pacer=calm).fetch("http://gone.example:1/a")
    assert kind(outcome) == "robots"
    assert outcome.failure is not None
    assert "the connection failed" in outcome.failure.message


def test_pages_are_counted(web: Web) -> None:
    desk = fetcher(web, replace(PATIENT, pages=2))
    assert [kind(desk.fetch(web.url(p))) for p in ("/good", "/plain", "/latin")] == ["page", "page", "budget"]
    assert len(web.pages()) == 2


def test_a_host_is_asked_no_faster_than_allowed() -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    pacer = Pacer(clock=lambda: now[0], sleep=sleep)
    for host in ("a", "a", "b", "a"):
        pacer.wait(host, 1.0)
    assert slept == [1.0, 1.0]


def test_what_was_not_recorded_is_no_failure_of_a_page(web: Web) -> None:
    class Nothing:
        def call(self, kind: str, key: str, fn: object) -> None:
            raise InputError("not recorded")

    with pytest.raises(InputError, match="not recorded"):
        PageFetcher(Nothing(), lambda host: False, guard=web.guard).fetch(web.url("/good"))
