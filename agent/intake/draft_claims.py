"""Draft claims: the tokens of a sentence that they keep, in which order, and how they are written out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CLOSING = frozenset(",.;:!?%)]}”’…") | {"'s", "’s", "n't", "n’t", "'"}
_OPENING = frozenset("([{“‘$€£")
ORIGIN = "origin"
"""Key in a document's ``user_data``: for each token, the token of the input it was made from."""
_TRIM = " ,;:–—-"


@dataclass(frozen=True)
class Piece:
    """A word of a draft: the token's index, and the text to write for it."""

    index: int
    text: str


@dataclass(frozen=True)
class Draft:
    """One draft claim; ``own`` are the token indices of its source."""

    doc: Doc
    pieces: tuple[Piece, ...]
    head: int
    """Index of its verb (or root)."""
    subject: int | None
    own: frozenset[int]
    whole: bool = True
    """Nothing was removed or filled in."""

    @property
    def indices(self) -> frozenset[int]:
        """Indices of the tokens that stand in it."""
        return frozenset(p.index for p in self.pieces)

    def select(self, tokens: Iterable[Token]) -> tuple[Piece, ...]:
        """Pieces for tokens, as the draft writes them."""
        texts = {p.index: p.text for p in self.pieces}
        return tuple(Piece(t.i, texts.get(t.i, t.text)) for t in tokens)

    def keep(self, drop: Iterable[int]) -> Draft:
        """The draft without some tokens."""
        gone = frozenset(drop)
        pieces = tuple(p for p in self.pieces if p.index not in gone)
        return replace(self, pieces=pieces, own=self.own - gone, whole=False)

    def rewrite(self, texts: dict[int, str]) -> Draft:
        """The draft with other text for some tokens."""
        if not texts:
            return self
        pieces = tuple(Piece(p.index, texts.get(p.index, p.text)) for p in self.pieces)
        return replace(self, pieces=pieces, whole=False)

    def text(self) -> str:
        """Written out as a sentence."""
        raw = join(self.doc, self.pieces)
        return raw if self.whole else finish(raw)


def source_token(doc: Doc, index: int) -> Token | None:
    """The input's token behind a draft's token; ``None`` for an inserted word."""
    origin: tuple[Token | None, ...] | None = doc.user_data.get(ORIGIN)
    return doc[index] if origin is None else origin[index]


def pieces_of(tokens: Iterable[Token]) -> tuple[Piece, ...]:
    """Tokens as pieces, in order."""
    return tuple(Piece(t.i, t.text) for t in tokens)


def subtree(token: Token) -> frozenset[int]:
    """Indices of a token and its dependents."""
    return frozenset(t.i for t in token.subtree)


def join(doc: Doc, pieces: tuple[Piece, ...]) -> str:
    """Pieces as text, with the document's spacing between neighbours."""
    out: list[str] = []
    for before, piece in zip((None, *pieces), pieces, strict=False):
        if before is None:
            glue = ""
        elif piece.index == before.index + 1:
            glue = doc[before.index].whitespace_
        else:
            tight = piece.text in _CLOSING or before.text in _OPENING or piece.text.startswith(("'", "’"))
            glue = "" if tight else " "
        out.append(glue + piece.text)
    return "".join(out).strip()


def finish(raw: str) -> str:
    """A sentence with a capital, one end mark and no doubled commas."""
    text = re.sub(r"\s*,(\s*,)+", ",", re.sub(r"\s+", " ", raw)).strip(_TRIM)
    text = text.rstrip(".").rstrip(_TRIM)
    first = text.split(" ", 1)[0]
    if first.islower():
        text = text[:1].upper() + text[1:]
    return text if text.endswith(("!", "?")) else f"{text}."


def noun_text(token: Token, without: frozenset[int] = frozenset()) -> str:
    """A noun phrase without asides, for use as a subject."""
    drop = set(without)
    for child in token.children:
        if child.dep_ in {"relcl", "appos", "acl"} and child.i > token.i and _comma_before(child):
            drop |= subtree(child)
    kept = [t for t in token.subtree if t.i not in drop]
    while kept and (kept[-1].is_punct and kept[-1].text not in {")", '"', "”"}):
        kept.pop()
    while kept and kept[0].is_punct and kept[0].text not in {"(", '"', "“"}:
        kept.pop(0)
    return join(token.doc, pieces_of(kept))


def _comma_before(token: Token) -> bool:
    left = token.left_edge.i
    return left > 0 and token.doc[left - 1].text == ","


def balanced(text: str) -> bool:
    """Whether quotes and brackets close."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return text.count('"') % 2 == 0 and all(text.count(a) == text.count(b) for a, b in pairs)
