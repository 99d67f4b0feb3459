"""What a claim says about a picture: frame and content, aspect, the time and place it gives it, fields of a file.

Readings are compared with the content alone; a frame that names a person stays. Time and place are taken only
where the sentence plainly gives them to the picture or the event it shows (``language.scenes``).
"""

from __future__ import annotations

import re
from datetime import date

from agent.types import ImageAspect
from evidence.types import FileField
from language.calendar import MONTH_NAMES, first_day
from language.capitals import in_small_letters
from language.scenes import PlaceName, pictured_day, place_in
from language.wordlists import word_classes

_NOUN = rf"(?:[a-z'-]+\s){{0,2}}?(?:{'|'.join(sorted(word_classes('agent.intake')['image_nouns']))})s?"
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


_TAKE = r"\b(?:taken|shot|captured|photographed|filmed|recorded|snapped|made|created|took|dates?|dated)\b"
_CHANGE = re.compile(
    r"\b(?:changed|modified|altered|edited|saved|processed|retouched|exported|updated)\b", re.IGNORECASE
)
_FILE_TAKEN = re.compile(rf"{_TAKE}|\bday\b|\bdate\b|\bwhen\b|\bfrom\s(?:\w+\s){{0,2}}(?:19|20)\d\d\b", re.IGNORECASE)
_DEVICE = re.compile(
    rf"{_TAKE}(?:\s[\w,]+){{0,6}}?\s(?:with|by|using|on)\s(?!\d)|\b(?:cameras?|devices?|phones?|smartphones?|models?|lens|drones?|"
    r"scanners?)\b",
    re.IGNORECASE,
)
_SOFTWARE = re.compile(
    r"\b(?:software|programs?|programmes?|apps?|application)\b"
    r"|\b(?:saved|edited|processed|retouched|exported|created|made|generated)\s(?:with|using|in|by)\s",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:places?|locations?|located|coordinates|gps|latitude|longitude|where|km|kilomet(?:re|er)s?)\b"
    rf"|(?i:{_TAKE})(?:\s[\w,]+){{0,6}}?\s(?:in|near|at|outside|from)\s(?:the\s)?"
    rf"(?!(?:{'|'.join(MONTH_NAMES)})\b)[A-Z]",
)
_DAY = re.compile(r"\b(?:(?:19|20)\d\d|\d{1,2}(?::\d\d|\s?[ap]m))\b|\b(?:day|date|when|last)\b", re.IGNORECASE)


def asked_of_file(text: str) -> frozenset[FileField]:
    """The fields that may bear on the claim; empty when in doubt."""
    changed = _CHANGE.search(text) is not None
    found: set[FileField] = set()
    if changed and _DAY.search(text):
        found.add("changed")
    if _FILE_TAKEN.search(text) and _DAY.search(text) and not changed:
        found.add("taken")
    if _DEVICE.search(text) and not changed:
        found.add("device")
    if _SOFTWARE.search(text):
        found.add("software")
    if _PLACE.search(text):
        found.add("place")
    return frozenset(found)
