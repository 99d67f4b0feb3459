"""Normal forms of names: "the Tollgate Library" and "Tollgate library's" are one node."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from evidence.graph.types import NodeKind

NORMAL_VERSION = "1"
MAX_KEY = 160
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|these|those|its|their|his|her|our|some)\s+(?=\S)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_INITIAL = re.compile(r"^[a-z]\.?$")
_TITLES = frozenset(
    "mr mrs ms dr prof professor sir dame lord lady president minister mayor judge captain chief director "
    "councillor senator governor coach king queen prince princess saint st rev reverend".split()
)
_LEGAL = frozenset("inc ltd limited corp corporation plc co llc gmbh ag sa nv company".split())
_TOKEN = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*|[%£$€]", re.UNICODE)


def shown(text: str) -> str:
    """A name for display: without article, possessive, quotes and edge punctuation."""
    text = re.sub(r"\s+", " ", text).strip(" \t\"'“”‘’.,;:()[]–—-")
    text = _ARTICLE.sub("", text)
    return _POSSESSIVE.sub("", text).strip()


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """Words of a name in lower case, without accents and points."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'"))
    plain = "".join(c for c in folded if not unicodedata.combining(c)).casefold()
    return tuple(_POSSESSIVE.sub("", m[0]).replace(".", "") or m[0] for m in _TOKEN.finditer(plain))


@lru_cache(maxsize=65536)
def key_of(text: str, kind: NodeKind = "thing") -> str:
    """The normal form of a name, without titles (people) and legal forms; may be empty.

    Values keep their signs ("6.2", "%").
    """
    if kind == "value":
        return " ".join(re.sub(r"[^\w.,%£$€:/-]+", " ", shown(text).casefold()).split())[:MAX_KEY]
    words = list(words_of(shown(text)))
    if kind == "person":
        while len(words) > 1 and words[0] in _TITLES:
            words.pop(0)
        if len(words) > 2:
            words = [w for i, w in enumerate(words) if not (0 < i < len(words) - 1 and _INITIAL.match(w))]
    if kind == "organisation":
        while len(words) > 1 and words[-1] in _LEGAL:
            words.pop()
    return " ".join(words)[:MAX_KEY]


def acronym_of(words: tuple[str, ...]) -> str:
    """Initials of a name's content words, if three or more; otherwise ``""``."""
    telling = [w for w in words if w not in {"of", "the", "and", "for", "in", "on", "de", "du", "la"}]
    return "".join(w[0] for w in telling) if len(telling) >= 3 else ""
