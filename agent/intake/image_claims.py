"""Which aspect of a picture a claim is about, and the time and place it gives the picture.

Time and place are taken only where the sentence plainly gives them to the picture or the event it shows.
"""

from __future__ import annotations

import re
from datetime import date

from agent.types import ImageAspect
from language.calendar import first_day
from language.quantities.mentions import find_slots

_DEPICTING = r"(?:photo|photograph|picture|image|snapshot|footage|video|shot|selfie)s?"
_SHOW = r"(?:shows?|showed|showing|depicts?|depicted|displays?|displayed|features?|captures?|captured)"
_FILE = re.compile(
    r"\b(?:exif|iptc|xmp|metadata|meta data|content credentials|c2pa|file data)\b", re.IGNORECASE
)
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
_TAKEN = re.compile(
    rf"^(?:(?:this|the|that|an?)\s)?(?:[\w'-]+\s){{0,3}}?{_DEPICTING}\s"
    r"(?:(?P<made>(?:was|were)\s(?:taken|shot|captured|photographed|filmed|recorded))|(?:is|was|dates|comes)\sfrom)\b",
    re.IGNORECASE,
)
_EVENTS = """
    flood floods flooding fire fires wildfire wildfires blaze protest protests demonstration demonstrations
    march rally riot riots clash clashes crash collision derailment explosion explosions blast attack attacks
    bombing strike strikes storm hurricane cyclone tornado typhoon earthquake tsunami landslide avalanche
    snowfall heatwave collapse eruption accident disaster evacuation raid arrest funeral parade celebration
    celebrations ceremony inauguration
    concert festival match shooting invasion war battle airstrike blackout queue queues traffic crowd crowds
    aftermath damage destruction rescue drought
"""
_EVENT = re.compile(
    r"^(?:(?:an?|the|heavy|huge|large|massive|big|severe|violent|peaceful)\s)*(?:[\w'-]+\s)?"
    rf"(?:{'|'.join(_EVENTS.split())})(?=\s)",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:who|which|that|whose|where|when|will|would|planned|scheduled|due|expected|proposed|future|design|model|"
    r"drawing|rendering|plans?|by|until|before|after|since|not|never|no|for|to|about|and|or|if|because|while|"
    r"ahead)\b|n't\b",
    re.IGNORECASE,
)
_TOWN = r"(?:city|town|village|harbour|harbor|port|centre|center|capital|station|airport|north|south|east)"
_WHERE = re.compile(
    rf"^(?:\s(?:in|at|near|on|outside|from|of)\s(?:the\s)?(?:{_TOWN}\sof\s)?(?:{_TOWN}|[A-Z][\w'’.-]*)"
    rf"(?:,?\s(?:of\s)?[A-Z][\w'’.-]*)*,?)*\s(?:in|on|from|during|of)\s"
    r"(?:the\s(?:summer|spring|autumn|fall|winter|year)\s(?:of\s)?)?$"
)
"""Only places may stand between the event and its time."""
_PLACE = re.compile(
    r"^\s(?:in|at|near)\s(?P<place>[A-Z][\w'’.-]*(?:\s[A-Z][\w'’.-]*)*?),?"
    r"(?=\s(?:in|on|from|during|of)\s|,\s|$)"
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
    dates = [s for s in find_slots(text) if s.kind == "date"]
    if len(dates) != 1 or text[dates[0].end :].strip(" .!"):
        return None
    slot, before = dates[0], text[: dates[0].start]
    if _UNSURE.search(before):
        return None
    between = _between(text, before)
    return first_day(slot.value) if between is not None and _WHERE.match(between) else None


def pictured_place(text: str) -> str | None:
    """The place that a claim or caption gives the picture or its event; ``None`` when in doubt."""
    dates = [s for s in find_slots(text) if s.kind == "date"]
    if len(dates) > 1 or (dates and text[dates[0].end :].strip(" .!")):
        return None
    before = text[: dates[0].start] if dates else text.strip(" .!") + " in "
    between = None if _UNSURE.search(before) else _between(text, before)
    match = _PLACE.match(between) if between is not None and _WHERE.match(between) else None
    return match["place"] if match else None


def _between(text: str, before: str) -> str | None:
    """The words between "was taken" or the event and the time, or ``None``."""
    taken, shown = _TAKEN.match(text), _SHOWN.match(text)
    if taken is not None:
        return before[taken.end() :] if taken["made"] else " from" + before[taken.end() :]
    if shown is None:
        return None
    start = shown.start("rest") if shown["rest"] else shown.start("of")
    event = _EVENT.match(text[start:])
    return before[start + event.end() :] if event else None
