"""An annotation as text for the terminal and as one HTML page without scripts or requests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from markupsafe import Markup, escape

from agent.attribution.types import Annotation, ClaimSpan, Triplet
from report.sanitize import escaped, foreign

Shown = Literal["attributable", "extrapolatory", "conflicting", "contradictory"]
_WORST: tuple[Shown, ...] = ("contradictory", "conflicting", "extrapolatory", "attributable")
_MARKS: dict[Shown, str] = {
    "attributable": "+",
    "extrapolatory": "?",
    "conflicting": "!",
    "contradictory": "-",
}
_STYLE = """
body{font:16px/1.7 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;
background:#fff}
.text{white-space:pre-wrap}
.c{position:relative;border-radius:3px;padding:1px 2px;cursor:help;border-bottom:2px solid}
.attributable{background:#d8f0dc;border-color:#1b7f3b}
.extrapolatory{background:#fff0cc;border-color:#a66a00}
.conflicting{background:#ffe0c7;border-color:#a66a00;border-bottom-style:dashed}
.contradictory{background:#fbdada;border-color:#b3261e}
.tip{display:none;position:absolute;left:0;top:100%;z-index:2;width:min(28rem,80vw);padding:.7rem .9rem;
background:#fff;color:#1a1a1a;border:1px solid #999;border-radius:6px;box-shadow:0 4px 16px #0003;
font-size:14px;line-height:1.5;white-space:normal}
.c:hover>.tip,.c:focus>.tip,.c:focus-within>.tip{display:block}
.tip b{text-transform:capitalize}.tip p{margin:.3rem 0}.tip ul{margin:.3rem 0;padding-left:1.1rem}
.quote{color:#555}.legend span{margin-right:1rem}
@media (prefers-color-scheme:dark){body,.tip{background:#1b1b1d;color:#eee}.quote{color:#bbb}
.attributable{background:#1d3b26}.extrapolatory{background:#44350f}.conflicting{background:#4d2e12}.contradictory{background:#4a1f1c}}
"""


def annotation_text(annotation: Annotation) -> str:
    """One block a claim: mark, words, rationale, triplets and scores; then the text's score."""
    blocks = []
    for span in annotation.spans:
        lines = [f"[{_MARKS[shown_label(span)]}] {shown_label(span)}: {foreign(span.text)}"]
        lines.append(f"    {foreign(span.rationale)}")
        lines += [f"    {foreign(_written(t))}  {t.doc_id} [{t.start}:{t.end}]" for t in span.triplets]
        lines.append(f"    TMS {span.tms:.3f} (SS {span.ss:.3f}, EPR {span.epr:.3f}), claim score {span.cs}")
        blocks.append("\n".join(lines))
    blocks.append(f"KAS {annotation.kas_mean:.3f} (mean over claims), {annotation.kas_sum:.3f} (sum)")
    return "\n\n".join(blocks)


def annotation_html(annotation: Annotation) -> str:
    """The text in colours; hovering, focusing or tapping a claim shows why. All is escaped."""
    body = Markup("").join(_pieces(annotation))
    legend = Markup(
        '<p class="legend"><span class="attributable">attributable</span>'
        '<span class="extrapolatory">extrapolatory</span>'
        '<span class="conflicting">conflicting</span><span class="contradictory">contradictory</span></p>'
    )
    score = escape(f"KAS {annotation.kas_mean:.3f} (mean over claims), {annotation.kas_sum:.3f} (sum)")
    return str(
        Markup(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            'content="width=device-width"><title>Annotated text</title><style>{}</style></head><body>{}'
            '<div class="text">{}</div><p>{}</p></body></html>\n'
        ).format(Markup(_STYLE), legend, body, score)
    )


def shown_label(span: ClaimSpan) -> Shown:
    """The word for a claim: its label, or that its evidence disagrees."""
    return "conflicting" if span.conflicting else span.label


def _written(triplet: Triplet) -> str:
    return f"({triplet.subject}, {'not ' if triplet.negated else ''}{triplet.relation}, {triplet.object})"


def _pieces(annotation: Annotation) -> Iterator[Markup]:
    """The text cut where claims begin and end; where claims overlap, the worst label shows."""
    cuts = sorted({0, len(annotation.text), *(p for s in annotation.spans for p in (s.start, s.end))})
    for left, right in pairwise(cuts):
        words = escape(_lines(annotation.text[left:right]))
        here = [s for s in annotation.spans if s.start <= left and right <= s.end]
        if not here:
            yield words
            continue
        first = min((shown_label(s) for s in here), key=_WORST.index)
        tips = Markup("").join(_tip(s) for s in here)
        yield Markup(
            '<span class="c {}" tabindex="0">{}<span class="tip" role="note">{}</span></span>'
        ).format(first, words, tips)


def _lines(text: str) -> str:
    """Text with its line breaks; what is invisible or turns the order round is written out."""
    return "\n".join(escaped(line) for line in text.replace("\r\n", "\n").split("\n"))


def _tip(span: ClaimSpan) -> Markup:
    triplets = Markup("").join(
        Markup('<li>{}<br><span class="quote">“{}” {}</span></li>').format(
            foreign(_written(t)),
            foreign(t.sentence), foreign(", ".join(filter(None, (t.title, t.published)))),
        )
        for t in span.triplets
    )  # fmt: skip
    entities = ", ".join(
        foreign(f"{e.name} [{e.entity_id}]" + (f": {e.description}" if e.description else ""))
        for e in span.entities
    )
    return Markup(
        "<p><b>{}</b>: {}</p><ul>{}</ul><p>{}</p><p>TMS {} (SS {}, EPR {}), claim score {}</p>"
    ).format(
        shown_label(span), foreign(span.rationale), triplets, f"Entities: {entities}" if entities else "",
        f"{span.tms:.3f}", f"{span.ss:.3f}", f"{span.epr:.3f}", span.cs,
    )  # fmt: skip
