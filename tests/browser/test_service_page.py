"""The history page of the service in a real browser: a claim goes in, its report comes out, nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from factdesk.checker import open_ledger
from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from factdesk.service.guard import LOOPBACK
from tests.browser.conftest import Trap, follow, start, texts, wait_for
from tests.report.builders import make_certificate, make_refuted_certificate
from tests.service.conftest import ARTICLE, CLAIM, running, settings_in

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

HOSTILE = (
    "<script>window.owned=1</script><img src=x onerror=window.owned=1>\"'><svg/onload=window.owned=1> "
    "{{7*7}} \u202e✓ VERIFIED javascript:alert(1) </textarea></title><style>*{display:none}</style>"
)


@pytest.fixture(scope="module")
def page(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Chrome, str]]:
    """A browser and the address of a service with some history; the browser reaches nothing else."""
    articles = tmp_path_factory.mktemp("articles")
    (articles / "library.md").write_text(ARTICLE, encoding="utf-8")
    queue = CheckQueue(settings_in(tmp_path_factory.mktemp("desk"), requests_per_minute=10_000))
    queue.checker.corpora.add("default", [articles])
    ledger = open_ledger(queue.settings)
    for number in range(28):
        ledger.append(make_certificate(f"old-{number:02d}"))
    ledger.append(make_refuted_certificate())
    ledger.append(make_certificate("hostile-1", claim_text=HOSTILE))
    with running(build_app(queue, None, LOOPBACK)) as url:
        chrome = start(trap, tmp_path_factory.mktemp("profile"), urlsplit(url).netloc)
        yield chrome, url
        chrome.quit()


def quiet(chrome: Chrome) -> list[Any]:
    """What the browser complained of: a policy that was broken, a file that was not there."""
    return [entry for entry in chrome.get_log("browser") if "favicon" not in str(entry)]


def test_a_claim_goes_in_and_its_report_comes_out(page: tuple[Chrome, str], trap: Trap) -> None:
    chrome, url = page
    before = len(trap.seen)
    chrome.get(url)
    chrome.find_element("id", "text").send_keys(CLAIM)
    chrome.find_element("css selector", "button.main").click()
    wait_for(chrome, "/reports/.test(location.pathname)")
    assert "Supported" in texts(chrome, "h1")[0]
    assert texts(chrome, ".badge")[0].startswith("✓ VERIFIED")
    chrome.get(url)
    assert texts(chrome, ".rows a.claim")[0] == CLAIM
    follow(chrome, "css selector", ".rows a.claim")
    assert "Supported" in texts(chrome, "h1")[0]
    assert quiet(chrome) == []
    assert trap.since(before) == []


def test_searching_filtering_and_paging(page: tuple[Chrome, str]) -> None:
    chrome, url = page
    chrome.get(url)
    assert len(texts(chrome, ".rows a.claim")) == 25
    follow(chrome, "css selector", "a[rel=next]")
    assert 0 < len(texts(chrome, ".rows a.claim")) < 25
    assert not chrome.find_elements("css selector", "a[rel=next]")
    chrome.get(f"{url}/?verdict=refuted")
    assert len(texts(chrome, ".rows a.claim")) == 1
    assert texts(chrome, ".rows .badge") == ["✗ Refuted"]
    assert chrome.execute_script("return document.getElementById('verdict').value") == "refuted"
    chrome.find_element("id", "q").send_keys("nowhere-to-be-found")
    follow(chrome, "css selector", ".search button")
    assert texts(chrome, ".empty") == ["Nothing in the history fits."]
    chrome.get(f"{url}/?q=%21%21")
    assert "no word to search for" in texts(chrome, ".alert")[0]
    assert quiet(chrome) == []


def test_hostile_claims_are_text_alone(page: tuple[Chrome, str], trap: Trap) -> None:
    chrome, url = page
    before = len(trap.seen)
    chrome.get(f"{url}/?q=onload")
    (shown,) = texts(chrome, ".rows a.claim")
    assert "<script>window.owned=1</script>" in shown
    assert "\u202e" not in shown
    assert "✓ VERIFIED" not in shown
    assert chrome.execute_script("return typeof window.owned") == "undefined"
    scripts = (
        "return [[...document.scripts].filter(s => !s.src).length, "
        "document.querySelectorAll('[onerror],[onload],[style]').length]"
    )
    assert chrome.execute_script(scripts) == [0, 0]
    chrome.get(f"{url}/?q=%22%3E%3Cscript%3Ewindow.owned%3D1%3C/script%3E")
    assert chrome.execute_script("return typeof window.owned") == "undefined"
    assert chrome.execute_script("return [...document.scripts].filter(s => !s.src).length") == 0
    assert quiet(chrome) == []
    assert trap.since(before) == []


def test_the_policy_stops_what_would_get_in_anyway(page: tuple[Chrome, str]) -> None:
    """Were there a hole in the escaping, no script of a page would run."""
    chrome, url = page
    chrome.get(url)
    refused = chrome.execute_script(
        "try { document.body.insertAdjacentHTML('beforeend', '<img src=/x onerror=window.owned=1>'); }"
        "catch (error) { return String(error); }"
    )
    assert "TrustedHTML" in refused
    chrome.execute_script(
        "const s = document.createElement('style'); s.textContent = '* { color: red; }';document.head.append(s);"
    )
    assert any("Content Security Policy" in str(entry) for entry in chrome.get_log("browser"))


@pytest.mark.parametrize("width", [360, 1100])
def test_nothing_is_wider_than_the_window(page: tuple[Chrome, str], width: int) -> None:
    chrome, url = page
    chrome.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    chrome.get(url)
    sizes = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    wide, window = chrome.execute_script(sizes)
    assert wide <= window <= width
