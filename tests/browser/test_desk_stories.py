"""Stories of a desk in a real browser: a pasted picture, another desk's bundle, modes and back."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from factdesk.certificates.handout import signing_key
from factdesk.checker import open_ledger
from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from factdesk.service.guard import LOOPBACK
from report.exports.bundle import Extras, bundle
from tests.browser.conftest import Trap, start
from tests.report.builders import make_certificate
from tests.service.conftest import ARTICLE, running, settings_in

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

AXE = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
PASTE = """
const canvas = document.createElement("canvas"); canvas.width = 40; canvas.height = 30;
const done = arguments[0];
canvas.toBlob((blob) => {
  const data = new DataTransfer();
  data.items.add(new File([blob], "pasted.png", { type: "image/png" }));
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
  done(document.getElementById("image").files.length);
});
"""


def follow(chrome: Chrome, how: str, what: str) -> None:
    """Click what leads to another page, and wait until that page stands in the place of this one."""
    from selenium.webdriver.support.expected_conditions import staleness_of
    from selenium.webdriver.support.ui import WebDriverWait

    page = chrome.find_element("tag name", "html")
    chrome.find_element(how, what).click()
    wait = WebDriverWait(chrome, 120)
    wait.until(staleness_of(page))
    wait.until(lambda driver: driver.execute_script("return document.readyState") == "complete")


@pytest.fixture(scope="module")
def desk(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Chrome, str, Path]]:
    """A browser, the address of a desk with a certificate, and a bundle that another desk has made."""
    articles = tmp_path_factory.mktemp("articles")
    (articles / "library.md").write_text(ARTICLE, encoding="utf-8")
    other = settings_in(tmp_path_factory.mktemp("other"), requests_per_minute=10_000)
    theirs = open_ledger(other).append(make_certificate("theirs-1"))
    pem = signing_key(other, theirs)
    received = tmp_path_factory.mktemp("mail") / "check.zip"
    received.write_bytes(bundle(theirs, Extras(public_key=pem)))
    queue = CheckQueue(settings_in(tmp_path_factory.mktemp("desk"), requests_per_minute=10_000))
    queue.checker.corpora.add("default", [articles])
    open_ledger(queue.settings).append(make_certificate("ours-1"))
    with running(build_app(queue, None, LOOPBACK)) as url:
        chrome = start(trap, tmp_path_factory.mktemp("profile"), urlsplit(url).netloc)
        yield chrome, url, received
        chrome.quit()


def barriers(chrome: Chrome) -> list[str]:
    """What axe-core finds that is serious or worse; run past the page's policy, as the browser's own code."""
    chrome.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    chrome.refresh()
    chrome.execute_script(AXE)
    found = chrome.execute_async_script("axe.run().then(arguments[0])")
    return [
        f"{v['id']}: {node['html'][:120]}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


@pytest.mark.parametrize("path", ["/", "/verify", "/verified/ours-1", "/reports/ours-1.html?mode=debug"])
@pytest.mark.parametrize("width", [390, 1100])
def test_no_serious_barrier_and_no_scrolling_aside(desk: tuple[Chrome, str, Path], path: str, width: int) -> None:
    chrome, url, _ = desk
    chrome.set_window_size(width, 1200)
    chrome.get(url + path)
    assert barriers(chrome) == []
    wide = chrome.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0


def test_a_picture_is_pasted_into_a_claim(desk: tuple[Chrome, str, Path]) -> None:
    chrome, url, _ = desk
    chrome.get(url)
    assert chrome.execute_async_script(PASTE) == 1
    assert chrome.find_element("id", "pictures").text == "pasted.png"


def test_another_desks_bundle_is_verified_in_words(desk: tuple[Chrome, str, Path]) -> None:
    chrome, url, received = desk
    chrome.get(f"{url}/verify")
    chrome.find_element("id", "file").send_keys(str(received))
    chrome.find_element("name", "rerun").click()
    follow(chrome, "css selector", "button.main")
    badges = [e.text for e in chrome.find_elements("css selector", ".badge")]
    assert badges[0] == "intact; signed by a key you have not named"
    assert "{" not in chrome.find_element("tag name", "main").text
    chrome.find_element("id", "file").send_keys(str(received))
    chrome.find_element("id", "key").send_keys(str(received))
    chrome.find_element("name", "rerun").click()
    follow(chrome, "css selector", "button.main")
    assert chrome.find_element("css selector", ".badge").text == "holds"


def test_a_report_changes_its_mode_and_leads_back(desk: tuple[Chrome, str, Path]) -> None:
    chrome, url, _ = desk
    chrome.get(f"{url}/reports/ours-1.html")
    follow(chrome, "link text", "Show debug mode")
    assert "mode-debug" in (chrome.find_element("tag name", "body").get_attribute("class") or "")
    follow(chrome, "link text", "Show strict mode")
    follow(chrome, "link text", "Verify")
    assert "Is it what was signed" in chrome.find_element("tag name", "main").text
    follow(chrome, "link text", "Back to the history")
    assert chrome.find_element("id", "history").text == "History"
