"""Which aspect of a picture a claim is about, and the time and place it gives the picture.

Time and place are taken only where the sentence plainly gives them to the picture or the event it shows
(``language.scenes``).
"""

from __future__ import annotations

import re
from datetime import date

from agent.types import ImageAspect
from language.calendar import first_day
from language.scenes import PlaceName, pictured_day, place_in

_DEPICTING = r"(?:photo|photograph|picture|image|snapshot|footage|video|shot|selfie)s?"
_SHOW = r"(?:shows?|showed|showing|depicts?|depicted|displays?|displayed|features?|captures?|captured)"
_FILE = re.compile(r"\b(?:exif|iptc|xmp|metadata|meta data|content credentials|c2pa|file data)\b", re.IGNORECASE)
_CODE = re.compile(r"\b(?:qr[- ]?codes?|bar[- ]?codes?)\b", re.IGNORECASE)
_TEXT = re.compile(
    r"\b(?:says?|said|saying|reads|reading|states?|stated|text|caption|captioned|headline|written|words|labels?|"
    r"labell?ed|inscription|lettering|quotes?|quoting|claims|lists)\b",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\b(?:was|were|been|is|are)\s(?:first\s|really\s|actually\s|originally\s)?"
    r"(?:taken|shot|made|captured|photographed|filmed|recorded|published|created|generated)\b"
    rf"|\b{_DEPICTING}(?:\s[\w'-]+){{0,6}}?\s(?:is|are|was|were|comes?|came|dates?)\s(?:back\sto|from|of)\b",
    re.IGNORECASE,
)
_SCENE = re.compile(
    rf"\b{_DEPICTING}\b(?:\s[\w',-]+){{0,8}}?\s{_SHOW}\b|^(?:this|it)\sis\san?\s(?:[\w'-]+\s){{0,2}}{_DEPICTING}\b"
    rf"|\b(?:in|on)\s(?:the|this)\s(?:[\w'-]+\s){{0,3}}?{_DEPICTING}\b|\b{_DEPICTING}\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    rf"^(?:(?:this|the|that|an?|these|those)\s)?(?:[\w'-]+\s){{0,3}}?{_DEPICTING}\s{_SHOW}\s(?!that\b)(?P<rest>\S.*)$"
    rf"|^(?:this|it)\sis\san?\s(?:[\w'-]+\s){{0,2}}{_DEPICTING}\sof\s(?P<of>\S.*)$",
    re.IGNORECASE,
)
_SHORT = re.compile(rf"^(?:an?\s|the\s|this\s)?(?:[\w'-]+\s)?{_DEPICTING}\s(?:of|from)\s(?P<rest>\S.*)$", re.IGNORECASE)
"""A caption without a verb: "Photo of …"."""
_TAKEN = re.compile(
    rf"^(?:(?:this|the|that|an?)\s)?(?:[\w'-]+\s){{0,3}}?{_DEPICTING}\s"
    r"(?:(?:was|were)\s(?:taken|shot|captured|photographed|filmed|recorded)|(?P<from>(?:is|was|dates|comes)\sfrom))\b",
    re.IGNORECASE,
)


def image_aspect(text: str) -> ImageAspect:
    """The aspect of the picture that a claim is about."""
    if _FILE.search(text):
        return "file"
    if _CODE.search(text):
        return "code"
    if _MADE.search(text):
        return "scene"
    return "scene" if _SCENE.search(text) and not _TEXT.search(text) else "text"


def shown_scene(text: str) -> str | None:
    """The scene a claim describes, as a sentence to compare with a record's caption."""
    match = _SHOWN.match(text.strip())
    rest = (match["rest"] or match["of"]).strip() if match else ""
    if len(rest.split()) < 2:
        return None
    return rest[0].upper() + rest[1:] + ("" if rest[-1] in ".!?" else ".")


def pictured_from(text: str) -> date | None:
    """First day of the time that a claim gives the picture or its event; ``None`` when in doubt."""
    scene = _scene_of(text)
    return first_day(day) if scene is not None and (day := pictured_day(scene)) else None


def pictured_place(text: str) -> PlaceName | None:
    """The place that a claim gives the picture or its event; ``None`` when in doubt."""
    scene = _scene_of(text)
    return place_in(scene) if scene is not None else None


def _scene_of(text: str) -> str | None:
    """The words for what the picture shows, or for where and when it was taken."""
    clean = text.strip()
    if taken := _TAKEN.match(clean):
        rest = clean[taken.end() :].strip()
        return f"scenes in {rest}" if taken["from"] else f"scenes {rest}"
    for pattern in (_SHOWN, _SHORT):
        if match := pattern.match(clean):
            groups = match.groupdict()
            return (groups.get("rest") or groups.get("of") or "").strip()
    return None
