"""A real Chromium behind a proxy that lets nothing out and writes down everything that wanted out."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--window-size=1100,1400",
)

PATIENCE = 240
"""Seconds that a page may take on a machine with other work."""

OWN_CALLS = re.compile(r"[A-Z]+ (?:http://)?[a-z0-9.-]+\.(?:google|googleapis|gstatic|gvt1|duckduckgo)\.com[:/]")
"""Chromium calls its maker and its search page now and then, whatever the flags. No text of ours does."""


@dataclass
class Trap:
    """A proxy on loopback: answers every request with nothing and keeps its first line."""

    address: str
    seen: list[str] = field(default_factory=list)

    def since(self, count: int) -> list[str]:
        """What wanted out after the first ``count``, without the browser's own calls to its maker."""
        return [line for line in self.seen[count:] if not OWN_CALLS.match(line)]


@pytest.fixture(scope="session")
def trap() -> Iterator[Trap]:
    """The proxy, for the whole session."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            found.seen.append(self.requestline)
            self.send_response(204)
            self.end_headers()

        do_GET = do_POST = do_HEAD = do_PUT = do_OPTIONS = do_CONNECT = answer

        def log_message(self, format: str, *arguments: object) -> None:
            del format, arguments

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Trap(f"127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join(timeout=5)


def start(trap: Trap, profile: Path, *direct: str) -> Chrome:
    """Chromium, driven by Selenium; ``direct``: hosts with ports that it reaches past the proxy.

    Skips where it is not installed.
    """
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no chromium with chromedriver here (Debian: apt-get install chromium chromium-driver)")
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    bypass = ";".join(("<-loopback>", *direct))
    for flag in (
        *FLAGS,
        f"--user-data-dir={profile}",
        f"--proxy-server={trap.address}",
        f"--proxy-bypass-list={bypass}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome: Chrome = webdriver.Chrome(options=options, service=Service(driver))
    return chrome


@pytest.fixture(scope="session")
def browser(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A browser that reaches nothing at all."""
    chrome = start(trap, tmp_path_factory.mktemp("profile"))
    yield chrome
    chrome.quit()


def follow(chrome: Chrome, how: str, what: str) -> None:
    """Click what leads to another page, and wait until that page stands in the place of this one."""
    leave(chrome, chrome.find_element(how, what).click)


def leave(chrome: Chrome, act: Callable[[], object]) -> None:
    """Do what leads to another page, and wait until that page stands in the place of this one."""
    chrome.execute_script("window.left = true")
    act()
    wait_for(chrome, "window.left === undefined")


def wait_for(chrome: Chrome, script: str) -> None:
    """Wait until an expression of the page is true and the page is loaded.

    A browser between two pages answers with errors of many names, so an error counts as "not yet".
    """
    from selenium.common.exceptions import TimeoutException, WebDriverException
    from selenium.webdriver.support.ui import WebDriverWait

    wait = WebDriverWait(chrome, PATIENCE, 0.2, ignored_exceptions=(WebDriverException,))
    try:
        wait.until(lambda driver: driver.execute_script(f"return {script} && document.readyState === 'complete'"))
    except TimeoutException:
        pytest.fail(f"{script} did not come true at {chrome.current_url}: {chrome.page_source[:2000]}")


def texts(chrome: Chrome, query: str) -> list[str]:
    """The shown text of every element that fits, read at one moment: a page may renew its rows meanwhile."""
    script = "return Array.from(document.querySelectorAll(arguments[0]), (e) => e.innerText.trim())"
    found: list[str] = chrome.execute_script(script, query)
    return found
