"""The HTML page without a browser: modes, words, escaping, policy, pictures."""

from __future__ import annotations

import ast
import base64
import hashlib
import html
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html
from PIL import Image

import report.render
from evidence.types import Box
from factdesk.checker import Report
from factdesk.kernel import CertificateError
from report.render.html.page import notebook_html, render_html
from report.render.templates import WORDS
from report.render.view import shown_claims
from report.sanitize import link, page_text
from report.types import Certificate, ClaimRecord, Mode
from tests.report.builders import (
    CERTIFICATE_ID,
    DECISIONS,
    SIGN,
    make_certificate,
    make_claim,
    make_claims,
    make_decision,
    make_record,
    make_refuted_certificate,
    make_span,
)
from tests.report.hostile import MARKER, hostile_certificate, hostile_strings

MODES: tuple[Mode, ...] = get_args(Mode)
TEMPLATES = Path(report.render.__file__).parent / "templates"
ADDRESSES = re.compile(r"#[a-z]+[a-z0-9-]*|https?://\S+")


def parsed(page: str) -> Any:
    return lxml_html.document_fromstring(page)


def words(page: str, query: str = "//main") -> str:
    return " ".join(" ".join(node.text_content().split()) for node in parsed(page).xpath(query))


def badges(page: str) -> list[str]:
    found = parsed(page).xpath("//*[contains(concat(' ', @class, ' '), ' badge ')]")
    return [" ".join(node.text_content().split()) for node in found]


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        ("strict", ["✓ VERIFIED", "✓ VERIFIED"]),
        ("mixed", ["✓ VERIFIED", "? NOT VERIFIED", "✓ VERIFIED"]),
        ("debug", ["✓ VERIFIED", "? NOT VERIFIED", "✓ VERIFIED"]),
    ],
)
def test_modes(mode: Mode, shown: list[str]) -> None:
    found = badges(render_html(make_certificate(), mode))
    assert [b.rsplit(" ", 1)[0] for b in found] == shown
    assert all(re.fullmatch(rf"{CERTIFICATE_ID}/c[123]", b.rsplit(" ", 1)[1]) for b in found)


def test_strict_keeps_what_is_not_verified_in_a_closed_drawer() -> None:
    page = render_html(make_certificate(), "strict")
    answer = words(page, "//section[@id='answer']")
    assert "15,000 books" not in answer
    assert "the report names the day" not in words(page).lower()
    [drawer] = parsed(page).xpath("//details[@id='unverified']")
    assert "open" not in drawer.attrib
    text = " ".join(drawer.text_content().split())
    assert text.startswith("What we could not verify 1")
    assert "c2" in text
    assert "no sentence reaches 0.85; the number differs" in text
    assert not parsed(render_html(make_certificate(), "mixed")).xpath("//details[@id='unverified']")


def test_strict_shows_an_answer_only_where_it_is_deciding_evidence() -> None:
    first, *_ = make_certificate().body.answers
    claims = make_certificate().body.questions
    text = "The library never reopened, neighbours say."
    other = first.model_copy(update={"span_ids": ("rumour-1#0.0",), "text": text, "trust": 0.31})
    certificate = make_certificate(questions=claims[:1], answers=(other,))
    assert "never reopened" not in words(render_html(certificate, "strict"))
    assert "never reopened" in words(render_html(certificate, "mixed"))


@pytest.mark.parametrize("mode", MODES)
def test_a_refuted_verdict_names_its_claim_and_evidence_in_every_mode(mode: Mode) -> None:
    page = render_html(make_refuted_certificate(), mode)
    assert f"✗ BLOCKED {CERTIFICATE_ID}/c1" in badges(page)
    assert "The library never reopened." in words(page, "//details[@id='claim-1']")
    assert "The Tollgate library reopened on 4 May 2024." in words(page, "//details[@id='claim-1']//mark")


def test_states_never_rest_on_colour_alone() -> None:
    for badge in badges(render_html(make_certificate(), "debug")):
        assert re.match(r"[✓?✗] (VERIFIED|NOT VERIFIED|BLOCKED) ", badge)


def test_open_claims_say_why_and_name_no_support() -> None:
    text = words(render_html(make_certificate(), "mixed"), "//details[@id='claim-2']")
    assert "Why not verified" in text
    assert "Closest evidence, which does not decide" in text
    assert "The evidence it rests on" not in text
    assert "15,000 against 12,000" in text


def test_the_span_is_marked_amid_its_neighbours() -> None:
    page = parsed(render_html(make_certificate(), "strict"))
    [quote] = page.xpath("//details[@id='claim-1']//blockquote")
    assert " ".join(quote.text_content().split()) == (
        "The Tollgate library reopened on 4 May 2024. It now lends 12,000 books a month. …"
    )
    assert [m.text_content() for m in quote.xpath(".//mark")] == ["The Tollgate library reopened on 4 May 2024."]


def test_the_input_is_marked_where_its_claims_stand() -> None:
    page = parsed(render_html(make_certificate(), "strict"))
    [given_] = page.xpath("//blockquote[contains(@class, 'claim')]")
    assert [(a.get("id"), a.get("href")) for a in given_.xpath(".//a")] == [
        ("claim-1-text", "#claim-1"),
        ("claim-2-text", "#unverified"),
        ("claim-3-text", "#claim-3"),
    ]
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    targets = {h[1:] for h in page.xpath("//a/@href") if h.startswith("#")}
    assert targets <= set(ids)


def test_every_rule_of_the_policy_has_its_words() -> None:
    source = (Path(report.__file__).parent / "policy" / "rules.py").read_text(encoding="utf-8")
    rules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_decided":
            rules.add(ast.literal_eval(node.args[1]))
        if isinstance(node, ast.keyword) and node.arg == "rule" and isinstance(node.value, ast.Constant):
            rules.add(node.value.value)
    assert rules == set(WORDS["rules"])


def test_without_trust_no_word_of_trusted_sources() -> None:
    text = words(render_html(make_refuted_certificate().model_copy(), "strict"))
    assert "Trusted evidence" in text
    off = make_certificate(trust_enabled=False, decisions=(*DECISIONS[:2], DECISIONS[2]))
    text = words(render_html(off, "mixed"))
    assert not re.search(r"\btrusted\b", text, re.IGNORECASE)


def test_a_statement_about_the_picture_speaks_of_no_trusted_source() -> None:
    first, second, third = make_claims()
    third = third.model_copy(update={"claim": third.claim.model_copy(update={"about_image": True})})
    decisions = (*DECISIONS[:2], make_decision("c3", "VERIFIED", 0.93, "image-1#0.0", rule="verified"))
    page = render_html(make_certificate(claims=(first, second, third), decisions=decisions), "strict")
    assert "The submitted picture says so." in words(page, "//details[@id='claim-3']")


# The policy, and that nothing of others gets past it.


@pytest.mark.parametrize("mode", MODES)
def test_the_policy_allows_our_own_script_and_style_and_nothing_else(mode: Mode) -> None:
    page = render_html(make_certificate(), mode)
    tree = parsed(page)
    [policy] = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["base-uri"] == parts["form-action"] == "'none'"
    assert parts["img-src"] == "data:"
    assert "unsafe" not in policy
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        [text] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert parts[name] == f"'sha256-{digest}'"
    assert page.index("Content-Security-Policy") < page.index("<style>")


@pytest.mark.parametrize("text", hostile_strings()[::10])
def test_hostile_text_adds_no_element_attribute_or_badge(text: str) -> None:
    for mode in MODES:
        certificate = hostile_certificate(text)
        tree = parsed(render_html(certificate, mode))
        plain = parsed(render_html(hostile_certificate(f"x {MARKER}"), mode))
        allowed = {(e.tag, a) for e in plain.iter(etree.Element) for a in e.attrib}
        found = {(e.tag, a) for e in tree.iter(etree.Element) for a in e.attrib}
        assert found <= allowed | {("a", "href"), ("a", "rel"), ("a", "target")}
        assert len(tree.xpath("//script")) == 1
        for address in tree.xpath("//@href"):
            assert ADDRESSES.fullmatch(address)
            assert "@" not in address.split("/", 3)[2] if address.startswith("http") else True
        states = [v.decision.state for v in shown_claims(certificate, mode)]
        assert len(badges(render_html(certificate, mode))) == len(states)


@settings(max_examples=15)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_text_is_text(text: str) -> None:
    page = render_html(hostile_certificate(f"{text}{MARKER}"), "debug")
    tree = parsed(page)
    assert len(tree.xpath("//script")) == len(tree.xpath("//style")) == 1
    shape = [e.tag for e in tree.iter(etree.Element)]
    assert {t for t in shape if t not in {"a", "b", "br", "span", "p"}} <= {
        e.tag for e in parsed(render_html(hostile_certificate(f"x {MARKER}"), "debug")).iter(etree.Element)
    }
    assert len(badges(page)) == 4


@given(st.text())
def test_page_text_is_idempotent_and_printable(text: str) -> None:
    shown = page_text(text)
    assert page_text(shown) == shown
    assert "\n" not in shown


def test_page_text_takes_the_picture_from_a_fake_badge_and_leaves_prose_alone() -> None:
    assert page_text("✅ VERIFIED by us") == "· VERIFIED by us"
    assert page_text("✓\ufe0f [NOT VERIFIED x/c1]") == "· (NOT VERIFIED x/c1]"
    for prose in ("The report — verified by two editors", "5 % blocked", "“Verified”, she said", "a ✓ b"):
        assert page_text(prose) == prose
    assert page_text("Z" + "\u0351" * 40) == "Z" + "\u0351" * 3


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://bbc.co.uk@evil.example/",
        "//evil.example",
        "https://b\u0432c.co.uk/",
        "https://evil.example/\u202egpj",
        "https://evil.example:99999/",
        "https://",
        "https://evil.example\\@bbc.co.uk/",
        "file:///etc/passwd",
        "https://a b/",
        'https://a.example/"x',
        "https://[::1",
        "HTTPS:evil.example",
        "https://evil.example/<b>",
    ],
)
def test_only_plain_web_addresses_are_linked(url: str) -> None:
    found = link(url)
    assert found is not None
    assert found.href is None


def test_a_link_shows_its_host() -> None:
    found = link("https://news.example:8080/a?b=1#c")
    assert found is not None
    assert found.href == "https://news.example:8080/a?b=1#c"
    assert found.parts == ("https://", "news.example:8080", "/a?b=1#c")
    assert link(None) is None
    assert link("") is None


OURS = {
    "passages(statement)",
    "badge",
    '"`", "\'")',
    "statement.note",
    "note|capitalize",
    "best.label",
    "link.href",
    "indent",
    '"Claim        ")',
    '"Answer ")',
    '"\\n"',
    "evidence(item)",
    "answer(pair, indent)",
    "source(item)",
}
"""What the templates of plain text mark as words of ours."""


def test_templates_escape_everything() -> None:
    paths = list(TEMPLATES.glob("*.j2"))
    assert len(paths) > 3
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape|Markup|style=|\son\w+=", text), path.name
        marked = re.findall(r"([^{}]*)\|\s*own\b", text)
        assert all(any(m.strip().endswith(o) for o in OURS) for m in marked), (path.name, marked)
        assert not (marked and ".html." in path.name), path.name


# Pictures.


def picture_certificate(right: int = 300) -> Certificate:
    region = Box(x0=100, y0=50, x1=right, y1=90)
    first, second, third = make_claims()
    record = third.spans[0]
    record = record.model_copy(update={"span": record.span.model_copy(update={"region": region})})
    third = third.model_copy(update={"spans": (record,)})
    return make_certificate(claims=(first, second, third))


def test_boxes_and_crops_where_the_picture_is_at_hand() -> None:
    picture = Image.new("RGB", (640, 480), "white")
    page = parsed(render_html(picture_certificate(), "strict", {"ab" * 32: picture}))
    [box] = page.xpath("//*[starts-with(@class, 'picture')]/*[@class='box']")
    assert [box.get(n) for n in ("x", "y", "width", "height")] == ["100", "50", "200", "40"]
    [crop] = page.xpath("//details[@id='claim-3']//*[@class='crop']")
    assert crop.get("viewbox", crop.get("viewBox")) == "0 0 248 88"
    for image in page.xpath("//image/@href"):
        head, _, data = image.partition(",")
        assert head == "data:image/jpeg;base64"
        assert base64.b64decode(data)[:2] == b"\xff\xd8"


def test_without_the_picture_its_places_are_drawn() -> None:
    page = parsed(render_html(picture_certificate(), "strict"))
    assert not page.xpath("//image")
    assert page.xpath("//*[contains(@class, 'sketch')]/*[@class='box']")
    assert not page.xpath("//*[@class='crop']")


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(CertificateError, match="640 x 481 pixels, but the certificate says"):
        render_html(picture_certificate(), "strict", {"ab" * 32: Image.new("RGB", (640, 481))})


def test_a_box_outside_its_picture_is_left_out() -> None:
    page = parsed(render_html(picture_certificate(3000), "strict"))
    assert not page.xpath("//*[@class='box']")


# Notebook and determinism.


def test_a_notebook_gets_the_page_in_a_frame_that_cannot_reach_out_of_it() -> None:
    certificate = hostile_certificate('"></iframe><script>x</script>')
    shown = Report(certificate, "debug")._repr_html_()
    tree = lxml_html.fromstring(shown)
    assert tree.tag == "iframe"
    assert tree.get("sandbox") == "allow-scripts allow-popups"
    assert tree.get("srcdoc") == render_html(certificate, "debug")
    assert len(shown.split("<")) == 3
    assert notebook_html("<p>") == notebook_html("<p>").replace("<p>", html.escape("<p>"))


def test_the_same_certificate_gives_the_same_page() -> None:
    assert render_html(make_certificate(), "debug") == render_html(make_certificate(), "debug")


@pytest.mark.parametrize("decisions", [DECISIONS[:2], (*DECISIONS, DECISIONS[0])])
def test_nothing_is_shown_without_exactly_one_decision_a_claim(decisions: Any) -> None:
    with pytest.raises(CertificateError, match="exactly one decision"):
        render_html(make_certificate(decisions=decisions), "debug")


def test_a_claim_without_evidence_says_so() -> None:
    claim = ClaimRecord(claim=make_claim("c1", "Nobody knows.", 0), spans=())
    certificate = make_certificate(
        claims=(claim,),
        decisions=(make_decision("c1", "UNVERIFIED", 0.0, rule="no_evidence"),),
        questions=(),
        answers=(),
    )
    text = words(render_html(certificate, "mixed"))
    assert "No passage was found." in text
    assert "Nothing was found that speaks about it." in text
    assert "No statement of this claim could be verified." in words(render_html(certificate, "strict"))


def test_a_span_shown_twice_is_cut_to_its_own_offsets() -> None:
    span = make_span("image-2", SIGN, "LIBRARY OPEN", 0)
    wide = make_span("image-2", SIGN, SIGN, 1)
    claim = ClaimRecord(
        claim=make_claim("c1", "It is open.", 0),
        spans=(make_record(span, 0.97, 0.01), make_record(wide, 0.1, 0.1)),
    )
    certificate = make_certificate(
        claims=(claim,),
        decisions=(make_decision("c1", "VERIFIED", 0.97, span.span_id),),
        questions=(),
        answers=(),
    )
    page = render_html(certificate, "strict")
    assert words(page, "//details[@id='claim-1']//mark") == "LIBRARY OPEN"
    assert words(page, "//details[@id='claim-1']//blockquote") == "LIBRARY OPEN …"
