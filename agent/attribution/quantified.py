"""Universal claims ("never", "nobody", "all … are") and the instance that refutes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_AUX = r"(?:is|are|was|were|has|have|had|will|would|can|could|may|does|do|did)"
_NEVER = re.compile(r"\s+never\b(?:\s+(?:yet|ever|before|once))?", re.IGNORECASE)
_EVER = re.compile(r"\s+ever\b", re.IGNORECASE)
_NOBODY = re.compile(r"^(?:no\s*body|no one)\b", re.IGNORECASE)
_NONE = re.compile(r"^(?:none of|not one of|not a single one of)\b", re.IGNORECASE)
_NO = re.compile(r"^(?:no|not a single|not one)\s+(?!longer|more|less|doubt)(?=\w)", re.IGNORECASE)
_ALL = re.compile(rf"^(?:all|every|each|any)\s+(?:of\s+)?((?:the\s+)?[\w'’ -]+?)\s+({_AUX})\b(?!\s+not)", re.IGNORECASE)
_WHOEVER = re.compile(
    r"\b(?:any(?:one|body|thing))\b(?:\s+(?:significant|important|notable|relevant|else|major|good))*",
    re.IGNORECASE,
)
"""What an instance is put for; whether it was a notable one is an opinion."""
_KIND = re.compile(r"\bany\s+((?:[A-Z][\w'’&-]*|\d[\w-]*)(?:\s+(?:[A-Z][\w'’&-]*|\d[\w-]*))*)(?:\s+[a-z]+s\b)?")
"""``any Boeing 737 models``: a name, and the plural of its kind."""
_SOMETHING = {"anyone": "someone", "anybody": "someone", "anything": "something"}
_ALWAYS = re.compile(rf"\b({_AUX})\s+always\b", re.IGNORECASE)


def instance_of(claim: str) -> str | None:
    """The statement that would refute a universal claim; ``None`` for any other claim.

    "Nobody was hurt." gives "Somebody was hurt."
    """
    text = claim.strip()
    if _NEVER.search(text):
        return _EVER.sub("", _NEVER.sub("", text, count=1), count=1)
    for pattern, put in ((_NOBODY, "Somebody"), (_NONE, "One of"), (_NO, "A ")):
        if pattern.search(text):
            return _EVER.sub("", pattern.sub(put, text, count=1), count=1)
    if match := _ALL.match(text):
        return f"Some {match[1]} {match[2]} not{text[match.end() :]}"
    if match := _ALWAYS.search(text):
        return f"{text[: match.start()]}{match[1]} not{text[match.end() :]}"
    return None


def filled_in(claim: str, names: Sequence[str]) -> tuple[str, ...]:
    """Statements that would refute a universal claim, with the instance named: at most two for each place.

    "X never ran any Kite 7 trams" with "Kite 7 Lowfloor" gives "X ran Kite 7 Lowfloor".
    """
    instance = instance_of(claim)
    if instance is None:
        return ()
    kind = _KIND.search(instance)
    if kind is not None:
        wanted = kind[1].casefold()
        return tuple(
            instance[: kind.start()] + name + instance[kind.end() :]
            for name in names
            if name.casefold().startswith(f"{wanted} ") or name.casefold() == wanted
        )[:2]
    whoever = _WHOEVER.search(instance)
    if whoever is None:
        return (instance,)
    word = whoever[0].split()[0].casefold()
    return (instance[: whoever.start()] + _SOMETHING[word] + instance[whoever.end() :],)
