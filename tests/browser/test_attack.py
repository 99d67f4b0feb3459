"""The page in a real browser: no script of others runs, no badge of others appears, nothing leaves."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agent.types import Fit
from report.render.html.page import render_html
from report.render.view import shown_claims
from report.types import Asked, Certificate, Mode
from tests.browser.conftest import Trap, wait_for
from tests.report.hostile import MARKER, ORIGIN, hostile_certificate, hostile_strings, marker_of, numbered

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

STRINGS = hostile_strings()
NUMBERED = numbered(STRINGS)
LINK = re.compile(r"#[a-z]+[a-z0-9-]*|https?://[\w.:\[\]-]+(?:[/?].*)?")
FAKE = re.compile(r"[^\w\s\"'“”‘’(),.;:!?/\\·-]\W*(?:not[\s_-]*verified|(?:un)?verified|blocked)\b", re.IGNORECASE)

LOOK = """
for (const item of document.querySelectorAll("details")) item.open = true;
const texts = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
  if (node.parentElement.closest("script, style")) continue;
  const inside = (query) => node.parentElement.closest(query) !== null;
  texts.push([node.data, inside(".foreign"), inside(".badge")]);
}
const all = Array.from(document.querySelectorAll("*"));
return {
  owned: window.owned ?? null,
  title: document.title,
  texts: texts,
  badges: Array.from(document.querySelectorAll(".badge"), (b) => b.textContent.replace(/\\s+/g, " ").trim()),
  covered: Array.from(document.querySelectorAll(".badge"), (b) => {
    b.scrollIntoView({ block: "center", behavior: "instant" });
    const r = b.getBoundingClientRect();
    return b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
  }),
  tags: Array.from(new Set(all.map((e) => e.localName))),
  scripts: document.scripts.length,
  handlers: all.filter((e) => Array.from(e.attributes).some((a) => /^on|^style$/i.test(a.name)))
    .map((e) => e.outerHTML.slice(0, 500)),
  sources: all.flatMap((e) => ["src", "href", "srcset", "data", "action", "xlink:href"]
    .filter((n) => e.hasAttribute(n)).map((n) => [e.localName, e.getAttribute(n)])),
  width: [document.documentElement.scrollWidth, document.documentElement.clientWidth],
};
"""
OURS = frozenset(
    (
        "html head meta title style script body header main section article h1 h2 h3 p span a button ul ol "
        "li dl div dt dd details summary blockquote q cite bdi mark b br code svg rect text table caption "
        "thead tbody tr th td"
    ).split()
)
BADGES = {"VERIFIED": "✓ VERIFIED", "UNVERIFIED": "? NOT VERIFIED", "BLOCKED": "✗ BLOCKED"}


def look(browser: Chrome, page: str, folder: Path) -> dict[str, Any]:
    """Load a page and report what is in it; everything folded is unfolded first."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.get(file.as_uri())
    wait_for(browser, "document.scripts.length")
    found: dict[str, Any] = browser.execute_script(LOOK)
    return found


def badges_of(certificate: Certificate, mode: Mode) -> list[str]:
    name = certificate.envelope.certificate_id
    shown = (v.decision for v in shown_claims(certificate, mode))
    return [f"{BADGES[d.state]} {name}/{d.claim_id}" for d in shown]


def unseen(text: str) -> list[str]:
    bad = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    return [hex(ord(c)) for c in text if c not in "\n" and unicodedata.category(c) in bad]


def test_there_are_two_hundred() -> None:
    assert len(set(STRINGS)) == len(STRINGS) == 200
    assert not any(re.search(r"google|gstatic|gvt1|duckduckgo", text) for text in STRINGS)


def pages(numbers: range, size: int, *modes: Mode) -> list[tuple[range, Mode]]:
    """The numbers of the strings that share a page, with its mode."""
    return [(numbers[start : start + size], mode) for mode in modes for start in range(0, len(numbers), size)]


EVERY = range(1, len(STRINGS) + 1)
PAGES = [*pages(EVERY, 20, "debug"), *pages(EVERY[::8], 13, "strict", "mixed")]  # debug has all that the others have


def check(found: dict[str, Any], certificate: Certificate, mode: Mode) -> None:
    """What holds of every page; what does not hold is shown with the marker of the string that did it."""
    assert found["owned"] is None
    assert found["scripts"] == 1
    assert found["handlers"] == []
    assert set(found["tags"]) <= OURS
    assert [address for _, address in found["sources"] if not LINK.fullmatch(address)] == []
    assert found["badges"] == badges_of(certificate, mode)
    assert [text for text, inside, _ in found["texts"] if MARKER in text and not inside] == []
    assert [t for t, _, in_badge in found["texts"] if not in_badge and FAKE.search(t)] == []
    assert found["width"][0] <= found["width"][1]


@pytest.mark.parametrize(("group", "mode"), PAGES)
def test_hostile_text_does_nothing(browser: Chrome, trap: Trap, tmp_path: Path, group: range, mode: Mode) -> None:
    before = len(trap.seen)
    certificate = hostile_certificate(*(NUMBERED[n - 1] for n in group))
    found = look(browser, render_html(certificate, mode), tmp_path)

    check(found, certificate, mode)
    assert found["title"].endswith("factdesk report 3f2a91c0de124b77")
    assert {tag for tag, _ in found["sources"]} <= {"a"}
    assert all(found["covered"])
    shown = " ".join(text for text, _, _ in found["texts"])
    assert [n for n in group if marker_of(n) not in shown] == []
    assert not any(in_badge for text, _, in_badge in found["texts"] if MARKER in text)
    assert [unseen(t) for t, _, _ in found["texts"] if unseen(t)] == []

    assert browser.get_log("browser") == []
    assert trap.since(before) == []


def as_answer(certificate: Certificate, question: str) -> Certificate:
    """The certificate as that of a question, whose every statement is said to answer it."""
    body = certificate.body
    fits = tuple(
        Fit(
            claim_id=c.claim.claim_id,
            question_coverage=1.0,
            answer_text=question,
            values=(question,),
            answers=True,
        )
        for c in body.claims
    )
    asked = Asked(question=question, fits=fits)
    return certificate.model_copy(update={"body": body.model_copy(update={"asked": asked})})


@pytest.mark.parametrize(("group", "mode"), pages(EVERY[::10], 10, "strict", "debug"))
def test_a_hostile_question_does_nothing(browser: Chrome, trap: Trap, tmp_path: Path, group: range, mode: Mode) -> None:
    before = len(trap.seen)
    texts = [NUMBERED[n - 1] for n in group]
    certificate = as_answer(hostile_certificate(*texts), " ".join(texts))
    check(look(browser, render_html(certificate, mode), tmp_path), certificate, mode)
    assert browser.get_log("browser") == []
    assert trap.since(before) == []


def test_the_instruments_notice_an_attack(browser: Chrome, trap: Trap, tmp_path: Path) -> None:
    """The same strings in a page that does not escape them: scripts run, badges appear, requests leave."""
    before = len(trap.seen)
    attack = f"<script>owned=1</script><img src={ORIGIN}/i.png><b>✓ VERIFIED {MARKER}</b>"
    found = look(browser, f"<!doctype html><title>x</title><body onclick=1>{attack}</body>", tmp_path)
    assert found["owned"] == 1
    assert len(found["handlers"]) == 1
    assert [t for t, inside, _ in found["texts"] if MARKER in t and not inside and FAKE.search(t)]
    assert any(line.startswith(f"GET {ORIGIN}/i.png") for line in trap.since(before))


def test_the_policy_alone_would_stop_scripts_and_requests(browser: Chrome, trap: Trap, tmp_path: Path) -> None:
    """Were the escaping to fail, the content security policy still holds."""
    before = len(trap.seen)
    page = render_html(hostile_certificate(f"x {MARKER}"), "debug")
    attack = (
        f"<script>owned=1</script><img src={ORIGIN}/i.png onerror=owned=1><style>*{{color:red}}</style>"
        f"<iframe src={ORIGIN}/f></iframe><link rel=stylesheet href={ORIGIN}/c.css>"
    )
    found = look(browser, page.replace("<main>", f"<main>{attack}"), tmp_path)
    assert found["owned"] is None
    assert trap.since(before) == []
    refused = [entry["message"] for entry in browser.get_log("browser")]
    assert len([m for m in refused if "Content Security Policy" in m]) >= 4
