"""What a reader of a page does not see, or its page takes back, is no evidence; what stands beside it is."""

from __future__ import annotations

import pytest

from evidence.ingest.html import read_html
from evidence.ingest.prune import hides
from evidence.ingest.text import normalise
from evidence.segmentation.spans import MAX_SPAN, spans_of
from evidence.types import Document
from factdesk.kernel import sha256_text

FALSE = "The Tollgate Library was closed for good by the council in March 2024."
TRUE = "The Tollgate Library reopened to all of its readers on 4 May 2024."

HIDDEN = {
    "display": '<p style="display: none">{}</p>',
    "visibility": '<p style="visibility:hidden">{}</p>',
    "attribute": "<p hidden>{}</p>",
    "aria": '<div aria-hidden="true"><p>{}</p></div>',
    "white": '<p style="color:#fff">{}</p>',
    "same colour": '<p style="color: #222; background-color: #222">{}</p>',
    "opacity": '<p style="opacity:0">{}</p>',
    "opacity 0.0": '<p style="opacity: 0.0;">{}</p>',
    "size": '<p style="font-size:0px">{}</p>',
    "off screen": '<p style="position:absolute; left:-9999px">{}</p>',
    "indent": '<p style="text-indent:-9999px">{}</p>',
    "no room": '<p style="height:0;overflow:hidden">{}</p>',
    "clipped": '<p style="position:absolute;clip:rect(0,0,0,0)">{}</p>',
    "noscript": "<noscript><p>{}</p></noscript>",
    "template": "<template><p>{}</p></template>",
    "details": "<details><summary>More</summary><p>{}</p></details>",
    "dialog": "<dialog><p>{}</p></dialog>",
    "textarea": "<textarea>{}</textarea>",
    "deleted": "<p><del>{}</del></p>",
    "alpha": '<p style="color:rgba(10, 20, 30, 0)">{}</p>',
    "faint": '<p style="opacity:.01">{}</p>',
    "filter": '<p style="filter:opacity(0%)">{}</p>',
    "tiny": '<p style="font-size:.1px">{}</p>',
    "named colours": '<p style="background-color:navy;color:#000080">{}</p>',
    "font": '<p><font color="white">{}</font></p>',
    "escaped": r'<p style="d\69splay:none">{}</p>',
    "commented": '<p style="display:/* x */none">{}</p>',
    "descendant": '<style>.q > p.z, .other { visibility:hidden }</style><div class="q"><p class="z">{}</p></div>',
    "by attribute": '<style>p[data-x="1"] { display:none !important }</style><p data-x="1">{}</p>',
    "class": '<style>.x1 { display:none }</style><p class="lead x1">{}</p>',
    "id": '<style>p{{margin:0}} #gone, .y {{ opacity: 0 }}</style><p id="gone">{}</p>'.replace("{{", "{").replace(
        "}}", "}"
    ),
}
SEEN = {
    "plain": "<p>{}</p>",
    "details": "<details open><summary>More</summary><p>{}</p></details>",
    "opacity": '<p style="opacity:0.9">{}</p>',
    "size": '<p style="font-size:0.9em">{}</p>',
    "colour": '<p style="color:#222;background-color:#fff">{}</p>',
    "white on black": '<p style="color:#fff;background-color:#000">{}</p>',
    "class": '<style>.x1 { display:none } .x2 { margin: 0 }</style><p class="x2">{}</p>',
    "margin": '<p style="margin-left:-8px">{}</p>',
    "height": '<p style="height:0">{}</p>',
    "small": '<p style="font-size:.8em;opacity:.6;color:rgba(0,0,0,.7)">{}</p>',
    "font on a ground": '<table bgcolor="navy"><tr><td><p><font color="white">{}</font></p></td></tr></table>',
    "until a script has loaded": "<style>html body { opacity:0 }</style><p>{}</p>",
    "another descendant": '<style>.q p { display:none } p:first-child { opacity:0 }</style><p class="q">{}</p>',
}


def page(markup: str) -> bytes:
    body = markup.replace("{}", FALSE)
    text = f"<h1>News</h1><p>{TRUE}</p>{body}<p>Visitors came.</p>"
    return f"<html><body><article>{text}</article></body></html>".encode()


@pytest.mark.parametrize("markup", HIDDEN.values(), ids=HIDDEN.keys())
def test_what_nobody_sees_is_not_read(markup: str) -> None:
    found = read_html(page(markup))
    assert TRUE in found.text
    assert "closed for good" not in found.text


@pytest.mark.parametrize("markup", SEEN.values(), ids=SEEN.keys())
def test_what_is_seen_is_read(markup: str) -> None:
    found = read_html(page(markup))
    assert FALSE in found.text
    assert not any("does not see" in note for note in found.notes)


def test_the_notes_tell_of_hidden_passages() -> None:
    assert any("does not see" in note for note in read_html(page(HIDDEN["opacity"])).notes)
    assert hides("COLOR : White")
    assert not hides("color: red")


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u200c", "\u200d", "\u200e", "\u2063", "\u034f", "\ufe0f", "\U000e0041", "\u3164"]
)
def test_characters_nobody_sees_are_taken_out(mark: str) -> None:
    assert normalise(mark.join("The hall is not closed.")) == "The hall is not closed."


def made(text: str) -> Document:
    text = normalise(text)
    return Document(doc_id="d", title="News", text=text, sha256=sha256_text(text), media_type="text/plain")


def test_the_rest_of_a_cut_sentence_is_not_judged_without_its_head() -> None:
    filler = ", as some wrote in long letters to the paper" * 16
    spans = spans_of(made(f"It is false that{filler}, the library was closed for good. {TRUE}"))
    assert not next(s.frame for s in spans)
    assert {s.frame for s in spans if "closed for good" in s.text} == {"cut"}
    assert [s.frame for s in spans if s.text == TRUE] == [""]
    assert all(len(s.text) <= MAX_SPAN for s in spans)


@pytest.mark.parametrize(
    "text",
    [
        f"{FALSE} This is not true.",
        f"Claims that are false:\n\n{FALSE}",
        f"The following claims are false:\n\n- {FALSE}\n- Another one.",
        f"This page is satire.\n\n{FALSE}",
    ],
)
def test_what_its_page_takes_back_is_framed(text: str) -> None:
    assert all(s.frame for s in spans_of(made(text)) if FALSE in s.text)
    assert not any(s.frame for s in spans_of(made(f"{TRUE} It was a fine day.")))
