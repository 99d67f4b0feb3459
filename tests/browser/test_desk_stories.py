"""Stories of a desk in a real browser, from start to end: a claim with a picture; a speech annotated against
documents that were handed in; a bundle received from another desk. And every page without serious barriers.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from factdesk.certificates.handout import signing_key
from factdesk.checker import open_ledger
from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from factdesk.service.guard import LOOPBACK
from report.exports.bundle import Extras, bundle
from tests.browser.conftest import Trap, follow, leave, start, texts, wait_for
from tests.report.builders import CERTIFICATE_ID, make_certificate, make_refuted_certificate
from tests.service.conftest import ARTICLE, CLAIM, running, settings_in

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

AXE = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
TAKE = """
const [kind, name, type, data] = arguments;
const file = new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name, { type });
const given = new DataTransfer();
given.items.add(file);
const event = kind === "paste"
  ? new ClipboardEvent("paste", { clipboardData: given, cancelable: true })
  : new DragEvent("drop", { dataTransfer: given, cancelable: true });
document.dispatchEvent(event);
"""
"""Pastes or drops a file, as the browser would tell the page of it."""
OTHER = """---
title: Library costs
publisher: Harrow Herald
published: 2024-05-09
---
The refurbishment of the Tollgate Library cost 6.2 million pounds. Samir Oakes opened the Tollgate Library.
"""
SPEECH = (
    "Good evening. The refurbishment of the Tollgate Library cost 6.2 million pounds. "
    "The Tollgate Library holds 48,000 books. The mayor plays the trombone."
)


@pytest.fixture(scope="module")
def desk(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Chrome, str, Path]]:
    """A browser, the address of a desk with some history, and a bundle that another desk has made."""
    articles = tmp_path_factory.mktemp("articles")
    (articles / "library.md").write_text(ARTICLE, encoding="utf-8")
    (articles / "costs.md").write_text(OTHER, encoding="utf-8")
    other = settings_in(tmp_path_factory.mktemp("other"), requests_per_minute=10_000)
    theirs = open_ledger(other).append(make_certificate("theirs-1"))
    pem = signing_key(other, theirs)
    received = tmp_path_factory.mktemp("mail") / "check.zip"
    received.write_bytes(bundle(theirs, Extras(public_key=pem)))
    queue = CheckQueue(settings_in(tmp_path_factory.mktemp("desk"), requests_per_minute=10_000))
    queue.checker.corpora.add("default", [articles])
    for made in (make_certificate("ours-1"), make_refuted_certificate()):
        open_ledger(queue.settings).append(made)
    with running(build_app(queue, None, LOOPBACK)) as url:
        chrome = start(trap, tmp_path_factory.mktemp("profile"), urlsplit(url).netloc)
        chrome.set_script_timeout(110)
        chrome.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "deny"})
        yield chrome, url, received
        chrome.quit()


def past_policy(chrome: Chrome, on: bool) -> None:
    """Let scripts of the browser's own run in the pages that are loaded from now on, as axe-core must."""
    chrome.execute_cdp_cmd("Page.setBypassCSP", {"enabled": on})


def barriers(chrome: Chrome) -> list[str]:
    """What axe-core finds that is serious or worse, in a page that was loaded past its policy."""
    chrome.execute_script(AXE)
    found = chrome.execute_async_script("axe.run().then(arguments[0])")
    past_policy(chrome, False)
    return [
        f"{v['id']}: {node['html'][:120]}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


def fits(chrome: Chrome) -> bool:
    """Whether nothing is wider than a phone."""
    phone = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    wide: int = chrome.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return wide <= 0


def sound(chrome: Chrome, *, answer: bool = False) -> None:
    """The page at hand: no serious barrier, nothing to scroll aside, and no complaint of the browser.

    ``answer``: the page answers a form and was loaded past its policy; loaded anew, it would be sent again.
    """
    assert [entry for entry in chrome.get_log("browser") if "favicon" not in str(entry)] == []
    assert fits(chrome), chrome.current_url
    if not answer:
        past_policy(chrome, True)
        chrome.refresh()
    assert barriers(chrome) == [], chrome.current_url


def main(chrome: Chrome) -> str:
    return chrome.find_element("tag name", "main").text


def take(chrome: Chrome, kind: str, name: str, type_: str, data: bytes) -> None:
    chrome.execute_script(TAKE, kind, name, type_, base64.b64encode(data).decode("ascii"))
    assert chrome.find_element("css selector", ".names").text == name


PAGES = (
    *("/", "/ask", "/annotate", "/corpora", "/corpora/default", "/corpora/default/text?id=library&start=10&end=30"),
    *("/corpora/default/graph", "/corpora/default/trust", "/verify", "/verified/ours-1", "/records/ours-1"),
    *(f"/compare?a=ours-1&b={CERTIFICATE_ID}", "/reports/ours-1.html?mode=debug", "/watch/none-such"),
)


@pytest.mark.parametrize("path", PAGES)
def test_no_serious_barrier_and_no_scrolling_aside(desk: tuple[Chrome, str, Path], path: str) -> None:
    chrome, url, _ = desk
    past_policy(chrome, True)
    chrome.get(url + path)
    assert fits(chrome)
    assert barriers(chrome) == []
    chrome.get_log("browser")  # one of the pages is not there


def test_a_claim_with_a_picture(desk: tuple[Chrome, str, Path], repository: Path) -> None:
    """Pasted, checked as chosen, followed, read in two modes, handed out, checked again and compared."""
    from selenium.webdriver.common.keys import Keys

    chrome, url, _ = desk
    chrome.get(url)
    sign = (repository / "examples" / "images" / "sign.png").read_bytes()
    take(chrome, "paste", "sign.png", "image/png", sign)
    chrome.find_element("css selector", "summary").click()
    chrome.find_element("css selector", "#method option[value=subq]").click()
    chrome.find_element("css selector", "#mode option[value=mixed]").click()
    field = chrome.find_element("id", "text")
    field.send_keys("The sign says that the road is closed.")
    leave(chrome, lambda: field.send_keys(Keys.CONTROL, Keys.ENTER))
    wait_for(chrome, "/reports/.test(location.pathname)")
    assert chrome.find_element("css selector", ".pill").text == "mixed mode"
    follow(chrome, "link text", "Show strict mode")
    follow(chrome, "link text", "Hand out, check again")
    sound(chrome)
    assert "all that a stranger needs" in main(chrome)
    follow(chrome, "xpath", "//button[text()='Check again']")
    wait_for(chrome, "/reports/.test(location.pathname)")
    follow(chrome, "link text", "Hand out, check again")
    follow(chrome, "link text", "What changed since the check it replaces")
    assert "Before" in main(chrome)
    sound(chrome)


def test_a_speech_is_annotated(desk: tuple[Chrome, str, Path]) -> None:
    """A document is dropped into a corpus, a speech is read against it, and its claim goes on to a check."""
    chrome, url, _ = desk
    chrome.get(f"{url}/corpora")
    name = chrome.find_element("id", "name")
    name.clear()
    name.send_keys("speech")
    take(chrome, "drop", "library.md", "text/markdown", ARTICLE.encode())
    follow(chrome, "css selector", "button.main")
    sound(chrome)  # which loads the page again
    assert "1 added, 0 replaced, 0 unchanged" in main(chrome)
    follow(chrome, "link text", "Annotate")
    chrome.find_element("css selector", "#corpus option[value=speech]").click()
    chrome.find_element("id", "text").send_keys(SPEECH)
    past_policy(chrome, True)
    follow(chrome, "css selector", "button.main")
    assert chrome.find_element("css selector", ".marked").text.startswith("Good evening.")
    sound(chrome, answer=True)
    chrome.find_element("css selector", ".marked .mark.attributable").click()
    claim = chrome.find_element("css selector", ".claims .row:target")
    assert "6.2 million pounds" in claim.find_element("css selector", ".triplet q").text
    links = [claim.find_element("css selector", ".triplet a"), claim.find_element("link text", "Check this claim")]
    place, check = (link.get_attribute("href") for link in links)  # in tabs of their own: the text stays
    chrome.get(place or "")
    assert "6.2 million pounds" in chrome.find_element("css selector", "mark").text
    chrome.get(check or "")
    assert "6.2 million pounds" in (chrome.find_element("id", "text").get_attribute("value") or "")
    chrome.get(url)
    follow(chrome, "css selector", "a.claim")
    mark = chrome.find_element("css selector", ".text .attributable")
    assert mark.value_of_css_property("background-color") != "rgba(0, 0, 0, 0)", "in colours as a report too"
    assert [entry for entry in chrome.get_log("browser") if "favicon" not in str(entry)] == []


def test_graph_and_trust_are_drawn_and_clicked(desk: tuple[Chrome, str, Path], trap: Trap) -> None:
    chrome, url, _ = desk
    before = len(trap.seen)
    for part, drawn in (("graph", "/entity=/"), ("trust", "/document=/")):
        chrome.get(f"{url}/corpora/default/{part}")
        follow(chrome, "css selector", "main form[data-busy] button")
        wait_for(chrome, "document.querySelector('.canvas[data-drawn]') !== null")
        sound(chrome)
        wait_for(chrome, "document.querySelector('.canvas[data-drawn]') !== null")
        leave(chrome, lambda: click_a_point(chrome))
        assert chrome.execute_script(f"return {drawn}.test(location.search)")
        sound(chrome)
    assert "raised by" in main(chrome)
    assert trap.since(before) == []


def click_a_point(chrome: Chrome) -> None:
    """Click the first point of the drawing where it stands on the screen."""
    from selenium.webdriver import ActionChains

    canvas = chrome.find_element("css selector", ".canvas")
    chrome.execute_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
    place: dict[str, Any] = chrome.execute_script("return arguments[0].places()[0]", canvas)
    size = canvas.size
    x, y = place["x"] - size["width"] / 2, place["y"] - size["height"] / 2
    ActionChains(chrome).move_to_element_with_offset(canvas, round(x), round(y)).click().perform()


def test_another_desks_bundle_is_verified_in_words(desk: tuple[Chrome, str, Path]) -> None:
    chrome, url, received = desk
    chrome.get(f"{url}/verify")
    take(chrome, "drop", "check.zip", "application/zip", received.read_bytes())
    chrome.find_element("name", "rerun").click()
    follow(chrome, "css selector", "button.main")
    assert texts(chrome, ".badge")[0] == "intact; signed by a key you have not named"
    assert "{" not in main(chrome)
    chrome.find_element("id", "file").send_keys(str(received))
    chrome.find_element("id", "key").send_keys(str(received))
    chrome.find_element("name", "rerun").click()
    follow(chrome, "css selector", "button.main")
    assert chrome.find_element("css selector", ".badge").text == "holds"
    follow(chrome, "link text", "Back to the history")
    assert chrome.find_element("id", "history").text == "History"


def test_several_checks_are_followed_at_once(desk: tuple[Chrome, str, Path]) -> None:
    chrome, url, _ = desk
    chrome.get(f"{url}/ask")
    for number in range(5):
        answer = chrome.execute_async_script(
            "fetch('/checks', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            f" body: JSON.stringify({{text: '{CLAIM} {number}'}})}}).then((a) => arguments[0](a.status))"
        )
        assert answer == 202
    chrome.get(url)
    rows = "document.querySelectorAll('#checks [data-check]')"
    wait_for(chrome, f"{rows}.length > 0 && [...{rows}].every((row) => 'ended' in row.dataset)")
    assert all(text.startswith("Done: ") for text in texts(chrome, "#checks .state"))
