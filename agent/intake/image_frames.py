"""The frame of a claim about a picture ("The sign says that ...") and its content.

Readings are compared with the content alone. A frame that names a person stays.
"""

from __future__ import annotations

import re

from agent.intake import word_lists

_NOUN = rf"(?:[a-z'-]+\s){{0,2}}?(?:{'|'.join(word_lists.IMAGE_NOUNS.split())})s?"
_SAY = r"(?:says|said|states|stated|reads|claims|reports|shows|showed|indicates|declares)"
_THE = r"(?:[Tt]he|[Tt]his|[Tt]hat)"
_FRAMES = (
    re.compile(rf"^(?:[Ii]n|[Oo]n|[Aa]ccording to|[Ff]rom)\s{_THE}\s{_NOUN},?\s(?P<rest>\S.*)$"),
    re.compile(rf"^{_THE}\s{_NOUN}\s{_SAY}\sthat\s(?P<rest>\S.*)$"),
    re.compile(rf"^{_THE}\s[a-z'-]+(?:\s[a-z'-]+)?\s(?:in|on)\s{_THE}\s{_NOUN}\s{_SAY}\sthat\s(?P<rest>\S.*)$"),
    re.compile(rf"^(?P<rest>.*?),?\s(?:according to|as shown in|as stated on)\s{_THE}\s{_NOUN}[.]?$"),
)


def framed_statement(text: str) -> str | None:
    """The statement that a claim says the picture makes; ``None`` without a plain frame."""
    for frame in _FRAMES:
        match = frame.match(text.strip())
        if match and len(match["rest"].split()) > 2:
            rest = match["rest"].strip()
            return rest[0].upper() + rest[1:] + ("" if rest[-1] in ".!?" else ".")
    return None
