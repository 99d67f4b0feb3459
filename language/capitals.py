"""Text written all in capitals, as on signs and memes, in the letters of a sentence."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def in_small_letters(text: str, like: str = "") -> str:
    """The text in small letters with a capital at its start, where all its words are in capitals; otherwise
    as it stands. Words that ``like`` has keep the letters that they have there.

    >>> in_small_letters("MAYOR HOLT GETS A RAISE", "Holt gets a raise.")
    'Mayor Holt gets a raise'
    """
    words = _WORD.findall(text)
    if len(words) < 2 or not all(word.isupper() for word in words):
        return text
    known = {m[0].upper(): m[0] for m in _WORD.finditer(like) if m.start()}
    small = _WORD.sub(lambda m: known.get(m[0], m[0].lower()), text)
    first = next((n for n, c in enumerate(small) if c.isalpha()), 0)
    return small[:first] + small[first].upper() + small[first + 1 :]


def same_words(a: str, b: str) -> bool:
    """Whether two texts have the same words in the same order, whatever their letters and marks."""
    return bool(words := _plain(a)) and words == _plain(b)


def _plain(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
