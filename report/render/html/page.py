"""A certificate as one HTML page: no outside request, a strict content security policy, everything escaped.

It reads the certificate (and, where they are handed over, the pictures the certificate names by hash). Every
value that is printed passes :func:`report.render.html.safe.printed` and then Jinja's escaping.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from evidence.types import ImageReport
from factdesk.kernel import CertificateError
from report.render.html.claims import anchor, card
from report.render.html.pictures import Pictures, crops, picture_views
from report.render.html.safe import printed
from report.render.html.trail import Node, input_parts, trail
from report.render.html.wording import MODES, agrees, named_sites, proposal_words, rule_sentence, verdict_view
from report.render.visibility import claim_views, findings_shown, hidden_claims, hidden_reason, shown_claims
from report.types import Certificate, CertificateBody, Decision, Mode, State

if TYPE_CHECKING:
    from jinja2 import Environment

_LABELS = {"entailed": "entailed", "contradicted": "contradicted", "not_enough_info": "undecided"}
_COUNTS: tuple[tuple[State, str, str, str], ...] = (
    ("VERIFIED", "good", "✓", "verified"),
    ("BLOCKED", "bad", "✗", "refuted"),
    ("UNVERIFIED", "open", "?", "not verified"),
)


def render_html(certificate: Certificate, mode: Mode, pictures: Pictures | None = None) -> str:
    """The report as a whole page.

    It shows what :func:`report.render.visibility.shown_claims` gives. ``pictures`` are upright pictures by
    the SHA-256 of
    their files; without them the places of what was read are drawn. Deterministic.
    Raises ``CertificateError`` when a claim has no decision, or a picture is not the certificate's.
    """
    body = certificate.body
    cards = tuple(card(view, certificate, mode) for view in shown_claims(certificate, mode))
    shown = frozenset(c.decision.claim_id for c in cards)
    trees = trail(certificate, mode, shown)
    css, script = _asset("report.css"), _asset("report.js")
    page: str = (
        _environment()
        .get_template("report.html.j2")
        .render(
            policy=_policy(css, script),
            css=css,
            script=script,
            body=body,
            envelope=certificate.envelope,
            created=certificate.envelope.created.replace("T", " ").replace("Z", " UTC"),
            mode=mode,
            mode_words=MODES[mode],
            labels=_LABELS,
            verdict=verdict_view(body),
            named=named_sites(body),
            counts=_counts(body),
            parts=input_parts(body, shown),
            cards=cards,
            anchors={v.decision.claim_id: anchor(v.decision.claim_id, body) for v in claim_views(body)},
            hidden=_hidden(certificate, mode),
            proposal=body.proposal,
            agrees=agrees(body),
            proposed=proposal_words(body),
            pictures=picture_views(body.images, cards, pictures or {}, _report_shown(body, mode)),
            crops=crops(body.images, cards, pictures or {}),
            trail=trees,
            sizes={claim_id: _size(nodes) for claim_id, nodes in trees},
            caps=_caps(body),
            settings=tuple(_flat(body.settings)),
        )
    )
    return page


def content_policy() -> str:
    """The content security policy that every page carries, for servers that send it as a header too."""
    return _policy(_asset("report.css"), _asset("report.js"))


def notebook_html(page: str) -> str:
    """A page inside a notebook's cell: a frame of its own, so that neither reaches into the other."""
    return (
        '<iframe title="factdesk report" width="100%" height="640" frameborder="0" '
        'sandbox="allow-scripts allow-popups" srcdoc="' + html.escape(page, quote=True) + '"></iframe>'
    )


def _report_shown(body: CertificateBody, mode: Mode) -> ImageReport | None:
    if body.image_report is None:
        return None
    return body.image_report.model_copy(update={"findings": findings_shown(body, mode)})


def _hidden(certificate: Certificate, mode: Mode) -> tuple[tuple[Decision, str, str, str], ...]:
    """Claims that ``mode`` leaves out: decision, sentence on its rule, anchor, and why it is not shown."""
    body = certificate.body
    return tuple(
        (
            v.decision,
            rule_sentence(v, body) if v.decision.state == "UNVERIFIED" else "",
            anchor(v.decision.claim_id, body),
            hidden_reason(v),
        )
        for v in hidden_claims(certificate, mode)
    )


def _counts(body: CertificateBody) -> tuple[tuple[str, str, int, str], ...]:
    """How many claims are in each state, in every mode: the reader learns what is left out."""
    states = [d.state for d in body.decisions]
    return tuple((t, s, states.count(state), w) for state, t, s, w in _COUNTS if states.count(state))


def _caps(body: CertificateBody) -> tuple[str, ...]:
    if body.trimmed_claims and not body.trimmed:
        return (f"{body.trimmed_claims} statements past the cap of {body.caps.max_claims} were not checked",)
    return body.trimmed


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested settings as names with dots and their values."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from _flat(value[key], f"{name}.{key}" if name else str(key))
    else:
        yield name, json.dumps(value, ensure_ascii=False)


def _size(nodes: list[Node]) -> int:
    return sum(1 + _size(node.children) for node in nodes)


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
    text = (resources.files("report.render.html") / "templates" / name).read_text(encoding="utf-8")
    if "</" in text or "<!--" in text:
        raise CertificateError(f"the packaged file {name!r} holds markup; the installation is damaged")
    return Markup(text)


def _data_url(value: str) -> Markup:
    """An address that :mod:`report.render.html.pictures` made: too long for :func:`printed`, of a plain
    alphabet."""
    head, _, data = value.partition(",")
    if head != "data:image/jpeg;base64" or base64.b64encode(base64.b64decode(data)).decode("ascii") != data:
        raise CertificateError("a picture is not in the form the page takes")
    return Markup(value)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def load(name: str) -> str:
        return (resources.files("report.render.html") / "templates" / name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(load), autoescape=True, finalize=printed, undefined=StrictUndefined
    )
    globals_: dict[str, Any] = environment.globals
    globals_["data_url"] = _data_url
    return environment
