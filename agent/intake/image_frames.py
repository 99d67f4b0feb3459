"""The frame of a claim about a picture ("The sign says that ...") and its content.

Readings are compared with the content alone. A frame that names a person stays.
"""

from __future__ import annotations

import re

from agent.intake import word_lists
from language.capitals import in_small_letters

_NOUN = rf"(?:[a-z'-]+\s){{0,2}}?(?:{'|'.join(word_lists.IMAGE_NOUNS.split())})s?"
_SAY = r"(?:says|said|states|stated|reads|claims|reports|shows|showed|indicates|declares)"
_THE = r"(?:[Tt]he|[Tt]his|[Tt]hat)"
_FRAMES = (
    re.compile(rf"^(?:[Ii]n|[Oo]n|[Aa]ccording to|[Ff]rom)\s{_THE}\s{_NOUN},?\s(?P<rest>\S.*)$"),
    re.compile(rf"^{_THE}\s{_NOUN}\s{_SAY}\sthat\s(?P<rest>\S.*)$"),
    re.compile(rf"^{_THE}\s[a-z'-]+(?:\s[a-z'-]+)?\s(?:in|on)\s{_THE}\s{_NOUN}\s{_SAY}\sthat\s(?P<rest>\S.*)$"),
    re.compile(rf"^(?P<rest>.*?),?\s(?:according to|as shown in|as stated on)\s{_THE}\s{_NOUN}[.]?$"),
)
_WORDS = (
    re.compile(rf"^{_THE}\s{_NOUN}\s(?:says|said|states|stated|reads):?\s[\"“'‘](?P<rest>[^\"“”]+)[\"”'’][.!]?$"),
    re.compile(rf"^{_THE}\s{_NOUN}\s(?:says|said|states|stated|reads):?\s(?P<rest>[^\"“”'‘\s][^\"“”]*)$"),
)
"""Words that the picture is said to hold."""


def framed_statement(text: str) -> str | None:
    """The statement that a claim says the picture makes; ``None`` without a plain frame."""
    for frame in _FRAMES:
        match = frame.match(text.strip())
        if match and len(match["rest"].split()) > 2:
            rest = match["rest"].strip()
            return rest[0].upper() + rest[1:] + ("" if rest[-1] in ".!?" else ".")
    match = next((found for frame in _WORDS if (found := frame.match(text.strip()))), None)
    if match is None or len(match["rest"].split()) < 2:
        return None
    words = in_small_letters(match["rest"].strip(" ."))
    return words[0].upper() + words[1:] + ("" if words[-1] in "!?" else ".")
