"""Point 2, text that nobody sees, or that its own page takes back."""

from __future__ import annotations

from evaluation.attacks.strength.trial import Check, Desk, Trial, state_of

CLAIM = "The Tollgate Library was closed for good by the council in March 2024."
OTHER = "The Tollgate Library has a reading room for children on its first floor."
HIDDEN = {
    "display:none": '<p style="display:none">{}</p>',
    "hidden": "<p hidden>{}</p>",
    "white on white": '<p style="color:#fff">{}</p>',
    "zero opacity": '<p style="opacity:0">{}</p>',
    "zero size": '<p style="font-size:0">{}</p>',
    "off screen": '<p style="position:absolute;left:-9999px">{}</p>',
    "noscript": "<noscript><p>{}</p></noscript>",
    "template": "<template><p>{}</p></template>",
    "closed details": "<details><summary>More</summary><p>{}</p></details>",
    "textarea": "<textarea>{}</textarea>",
    "struck out": "<p><del>{}</del> It was closed for a week.</p>",
    "style sheet": '<style>.x{{display:none}}</style><p class="x">{}</p>',
    "visibility": '<p style="visibility:hidden">{}</p>',
}
TAKEN_BACK = {
    "denied": "{} This is not true.",
    "listed as false": "Claims that are false:\n\n- {}\n- The moon is a lamp.",
    "satire": "This page is satire.\n\n{}",
    "head cut off": "It is false that{}, the Tollgate Library was closed for good by the council in March 2024.",
}
FILLER = ", as some wrote in long letters to the paper" * 16


def _check(desk: Desk, files: dict[str, str]) -> str:
    folder = desk.place()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return state_of(desk.checker().check(CLAIM, corpus=(str(folder),), record=False))


def _page(markup: str) -> str:
    body = f"<h1>News</h1><p>{OTHER}</p>{markup.format(CLAIM)}<p>Readers came on Monday.</p>"
    return f"<html><body><article>{body}</article></body></html>"


def _hidden(desk: Desk) -> str:
    from evidence.ingest import read_paths

    folder = desk.place()
    for number, markup in enumerate(HIDDEN.values()):
        (folder / f"page{number}.html").write_text(_page(markup), encoding="utf-8")
    read = {d.doc_id: d.text for d in read_paths([folder]).documents}
    seen = [name for number, name in enumerate(HIDDEN) if "closed for good" in read[f"page{number}"]]
    return ", ".join(seen)


def _all_hidden(desk: Desk) -> str:
    state = _check(desk, {f"page{n}.html": _page(markup) for n, markup in enumerate(HIDDEN.values())})
    return state if state.startswith("VERIFIED") else ""


def _shown(desk: Desk) -> str:
    state = _check(desk, {"page.html": _page("<p>{}</p>")})
    return "" if state.startswith("VERIFIED") else state


def _open_details(desk: Desk) -> str:
    from evidence.ingest.html import read_html

    del desk
    page = _page('<details open><summary>More</summary><p style="opacity:0.9">{}</p></details>')
    return "" if "closed for good" in read_html(page.encode()).text else "not read"


def _back(text: str) -> Check:
    def attack(desk: Desk) -> str:
        said = text.format(FILLER if "head" in text or text.startswith("It is") else CLAIM)
        state = _check(desk, {"page.txt": f"{OTHER}\n\n{said}"})
        return state if state.startswith("VERIFIED") else ""

    return attack


def _plain(desk: Desk) -> str:
    state = _check(desk, {"page.txt": f"{OTHER}\n\n{CLAIM}\n\nReaders came on Monday."})
    return "" if state.startswith("VERIFIED") else state


def _invisible(desk: Desk) -> str:
    text = CLAIM.replace("was closed", "was not\u200b closed").replace("not", "n\u200bo\u2060t")
    state = _check(desk, {"page.txt": f"{OTHER}\n\n{text}"})
    return state if state.startswith("VERIFIED") else ""


TRIALS = (
    Trial(2, f"{len(HIDDEN)} ways of hiding a passage", _hidden, _open_details, quick=True),
    Trial(2, "hidden passages in a check", _all_hidden, _shown),
    *(
        Trial(2, f"a sentence that its page takes back: {name}", _back(text), _plain)
        for name, text in TAKEN_BACK.items()
    ),
    Trial(2, "a denial of invisible characters", _invisible, _plain),
)
"""Every way of it."""
