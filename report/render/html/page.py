"""A certificate as one HTML page: no outside request, a strict content security policy, everything escaped.

It reads the certificate (and, where they are handed over, the pictures the certificate names by hash). Every
value that is printed passes :func:`report.render.templates.printed` and then Jinja's escaping.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from factdesk.kernel import CertificateError
from report.policy.badge import Badge
from report.render.html.pictures import Pictures, PictureView
from report.render.templates import WORDS, environment, printed, template_text
from report.render.trail import PairView
from report.render.view import ReportView, StatementView, flat, report_view
from report.sanitize import link, page_text
from report.types import Certificate, Mode, State

if TYPE_CHECKING:
    from jinja2 import Environment


_COUNTS: dict[State, str] = {"VERIFIED": "verified", "BLOCKED": "refuted", "UNVERIFIED": "not verified"}


def render_html(
    certificate: Certificate,
    mode: Mode,
    pictures: Pictures | None = None,
    doubt: str = "",
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The report as a whole page. Deterministic.

    ``pictures``: see :data:`report.render.html.pictures.Pictures`; without them the places of what was read are drawn.
    ``links``: words and addresses on top, of the service that shows the page. Raises ``CertificateError`` when a claim
    has no decision, or a picture is not the certificate's.
    """
    css, script = _asset("report.css"), _asset("report.js")
    view = report_view(certificate, mode, doubt)
    shown = [PictureView(image, view, pictures or {}) for image in view.body.images]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            policy=_policy(css, script),
            css=css,
            script=script,
            view=view,
            links=links,
            counts=_counts(view),
            parts=input_parts(view),
            pictures=shown,
            crops={anchor: crop for picture in shown for anchor, crop in picture.crops.items()},
            trail=trail(view),
            settings=[(name, json.dumps(value, ensure_ascii=False)) for name, value in flat(view.body.settings)]
            if mode == "debug"
            else [],
        )
    )


def content_policy(style: str = "") -> str:
    """The content security policy that every page carries, for servers that send it as a header too.

    ``style``: that of another page, which has no script.
    """
    return _policy(style, "") if style else _policy(_asset("report.css"), _asset("report.js"))


def notebook_html(page: str) -> str:
    """A page inside a notebook's cell: a frame of its own, so that neither reaches into the other."""
    return (
        '<iframe title="factdesk report" width="100%" height="640" frameborder="0" '
        'sandbox="allow-scripts allow-popups" srcdoc="' + html.escape(page, quote=True) + '"></iframe>'
    )


def _counts(view: ReportView) -> tuple[tuple[Badge, int, str], ...]:
    """How many claims are in each state, in every mode: the reader learns what is left out."""
    states = Counter(s.decision.state for s in view.statements)
    badges = {s.decision.state: s.badge for s in view.statements}
    return tuple((badges[state], states[state], word) for state, word in _COUNTS.items() if state in badges)


def _policy(css: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@cache
def _asset(name: str) -> Markup:
    """Our own style or script: the only text that is not escaped, so it must not end its element."""
    text = template_text(name)
    if "</" in text or "<!--" in text:
        raise CertificateError(f"the packaged file {name!r} holds markup; the installation is damaged")
    return Markup(text)


def _data_url(value: str) -> Markup:
    """An address that :mod:`report.render.html.pictures` made: too long for :func:`printed`, of a plain
    alphabet.
    """
    head, _, data = value.partition(",")
    if head != "data:image/jpeg;base64" or base64.b64encode(base64.b64decode(data)).decode("ascii") != data:
        raise CertificateError("a picture is not in the form the page takes")
    return Markup(value)


@cache
def _environment() -> Environment:
    made = environment(printed, markup=True)
    made.globals.update(data_url=_data_url, link=link, words=WORDS)
    return made


@dataclass(frozen=True)
class Part:
    """A stretch of the input; ``claims`` end here: id, anchor, and where the page speaks of it."""

    text: str
    marked: bool = False
    space: bool = False
    claims: tuple[tuple[str, str, str], ...] = ()


@dataclass
class Node:
    """A question with what was found and the questions that followed from it."""

    pair: PairView
    held: bool = False
    """Something was found, but the mode does not show it."""
    children: list[Node] = field(default_factory=list)


def input_parts(view: ReportView) -> tuple[Part, ...]:
    """The claim as given, cut where its atomic claims begin and end. One part where they do not fit."""
    text = view.body.claim_text
    sources = [s for s in view.statements if 0 <= s.claim.start < s.claim.end <= len(text)]
    sources = [s for s in sources if text[s.claim.start : s.claim.end] == s.claim.source]
    cuts = sorted({0, len(text), *(s.claim.start for s in sources), *(s.claim.end for s in sources)})
    parts = [
        Part(
            text=text[start:end],
            marked=any(s.claim.start <= start < s.claim.end for s in sources),
            space=text[start : start + 1].isspace() or text[start - 1 : start].isspace(),
            claims=tuple(_reference(s) for s in sources if s.claim.end == end),
        )
        for start, end in pairwise(cuts)
    ]
    parts = [p for p in parts if p.text.strip()]
    joined = "".join((" " if p.space else "") + page_text(p.text) for p in parts).strip()
    return tuple(parts) if joined == page_text(text) else (Part(text),)


def trail(view: ReportView) -> tuple[tuple[str, list[Node]], ...]:
    """Claim id and its tree of questions, for the claims that are shown.

    In strict mode what an answer cites is quoted only where a shown decision rests on all of it.
    """
    deciding = {i for s in view.shown for i in s.decision.span_ids}
    trees: dict[str, list[Node]] = {}
    last: dict[tuple[str, int], list[Node]] = {}
    for pair in view.trail:
        question = pair.question
        if view.mode != "debug" and question.claim_id not in view.order:
            continue
        ids = {q.span_id for q in pair.quotes}
        node = Node(pair, held=pair.found and view.mode == "strict" and not (ids and ids <= deciding))
        path = last.setdefault((question.claim_id, question.branch), [])
        while path and path[-1].pair.question.depth >= question.depth:
            path.pop()
        (path[-1].children if path else trees.setdefault(question.claim_id, [])).append(node)
        path.append(node)
    return tuple(trees.items())


def _reference(statement: StatementView) -> tuple[str, str, str]:
    own = statement.anchor
    return statement.decision.claim_id, own, own if statement.shown else "unverified"
