"""A certificate as one HTML page: no outside request, a strict content security policy, everything escaped.

It reads the certificate (and, where they are handed over, the pictures the certificate names by hash). Every
value that is printed passes :func:`report.render.safe.printed` and then Jinja's escaping.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from factdesk.kernel import CertificateError
from report.render.html.pictures import Pictures, crops, picture_views
from report.render.html.question_tree import input_parts, size, trail
from report.render.safe import printed
from report.render.templates import environment, template_text
from report.render.view import ReportView, report_view
from report.render.wording import MODES
from report.types import Certificate, Mode, State

if TYPE_CHECKING:
    from jinja2 import Environment

_LABELS = {"entailed": "entailed", "contradicted": "contradicted", "not_enough_info": "undecided"}
_COUNTS: tuple[tuple[State, str, str, str], ...] = (
    ("VERIFIED", "good", "✓", "verified"),
    ("BLOCKED", "bad", "✗", "refuted"),
    ("UNVERIFIED", "open", "?", "not verified"),
)


def render_html(
    certificate: Certificate,
    mode: Mode,
    pictures: Pictures | None = None,
    doubt: str = "",
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The report as a whole page, of what :func:`report.render.view.report_view` gives. Deterministic.

    ``pictures`` are upright pictures by the SHA-256 of their files, and known ones by their id behind
    ``report.render.html.earlier.KNOWN``; without them the places of what was read are drawn. ``links``: words
    and addresses on top, of the service that shows the page. Raises ``CertificateError`` when a claim has no
    decision, or a picture is not the certificate's.
    """
    view, images = report_view(certificate, mode, doubt), certificate.body.images
    trees = trail(view)
    css, script = _asset("report.css"), _asset("report.js")
    template = _environment().get_template("report.html.j2")
    return template.render(
        policy=_policy(css, script),
        css=css,
        script=script,
        view=view,
        mode=mode,
        mode_words=MODES[mode],
        links=links,
        created=view.created.replace("T", " ").replace("Z", " UTC"),
        labels=_LABELS,
        counts=_counts(view),
        parts=input_parts(view),
        pictures=picture_views(certificate.body, view, pictures or {}),
        crops=crops(images, view, pictures or {}),
        trail=trees,
        sizes={claim_id: size(nodes) for claim_id, nodes in trees},
        settings=tuple(_flat(view.details.settings)) if view.details else (),
    )


def content_policy() -> str:
    """The content security policy that every page carries, for servers that send it as a header too."""
    return _policy(_asset("report.css"), _asset("report.js"))


def notebook_html(page: str) -> str:
    """A page inside a notebook's cell: a frame of its own, so that neither reaches into the other."""
    return (
        '<iframe title="factdesk report" width="100%" height="640" frameborder="0" '
        'sandbox="allow-scripts allow-popups" srcdoc="' + html.escape(page, quote=True) + '"></iframe>'
    )


def _counts(view: ReportView) -> tuple[tuple[str, str, int, str], ...]:
    """How many claims are in each state, in every mode: the reader learns what is left out."""
    states = Counter(s.decision.state for s in view.statements)
    return tuple((tone, symbol, states[s], word) for s, tone, symbol, word in _COUNTS if states[s])


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested settings as names with dots and their values."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from _flat(value[key], f"{name}.{key}" if name else str(key))
    else:
        yield name, json.dumps(value, ensure_ascii=False)


def _policy(css: Markup, script: Markup) -> str:
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
    made.globals["data_url"] = _data_url
    return made
