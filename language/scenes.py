"""When and where a described scene takes place: "people fleeing Kabul airport in August 2021".

Only a time and a place that belong to the scene as a whole count: not those of a clause that hangs on one of
its things ("the bridge that fell in 2018"), of how a thing came to be ("built in 1998"), or of an office
("the winner of the vote in 2024").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from language.dates.mentions import DateMention, find_dates

_HANGING = re.compile(
    r"\b(?:who|which|that|whose|whom|because|if|unless|although|though|while|until|since|before|ahead\sof|"
    r"marking|celebrating|commemorating|announcing|honou?ring|promoting|advertising|mourning|"
    r"will|would|could|planned|scheduled|due|expected|proposed|future|design|model|drawing|rendering|plans?|"
    r"for|about|against|like|by|to|not|never|no|without|allegedly|and\s(?:was|is|has|had))\b|n['’]t\b",
    re.IGNORECASE,
)
"""What follows speaks of something else than the scene."""
_CAUSE = re.compile(
    r"\b(?P<event>protest\w*|march(?:es|ers|ing)?|rall(?:y|ies|ying)|demonstrat\w+|strik\w+|vigils?|riots?|clash\w*|"
    r"queu\w*|waiting|campaign\w*|fight\w*|petition\w*)\s(?:against|for|about|over)\b",
    re.IGNORECASE,
)
"""Here the cause is not where it is."""
_NEVER = re.compile(r"\b(?:not|never|no|without|allegedly)\b|n['’]t\b", re.IGNORECASE)
_MADE = re.compile(
    r"\b(?:built|won|made|held|taken|born|elected|founded|destroyed|opened|closed|bought|sold|lost|found|left|"
    r"killed|murdered|shot|hanged|arrested|married|signed|named|appointed|\w{3,}ed)\s*$",
    re.IGNORECASE,
)
"""Right before a time they say when something came about, not when it was seen."""
_OFFICE = re.compile(
    r"\b(?:presidents?|ministers?|mayors?|kings?|queens?|popes?|chancellors?|governors?|senators?|winners?|"
    r"champions?|captains?|coach(?:es)?|chiefs?|heads?|leaders?|directors?|candidates?|players?|founders?|"
    r"authors?|owners?|victims?|suspects?|killers?|attackers?|members?|teams?|band|cast)\s*$",
    re.IGNORECASE,
)
_SCENES = (
    "aftermath scenes? crowds? views? streets? ruins? rubble wreckage wreck thousands hundreds dozens tens "
    "millions groups? lines? queues? rows? piles? columns? start end beginning opening destruction storming "
    "fall parts? outskirts middle centre center front sea lots? plenty victims city town village port "
    "harbou?r coast capital state republic province skyline north south east west eruption site hills "
    "bay gulf lake bombing sinking burning evacuation collapse crash flooding launch liberation "
    "anniversary celebration"
).split()
_OF_A_THING = re.compile(r"\b(?P<thing>[\w'’-]+)\sof\s(?:the\s|an?\s|his\s|her\s|their\s)?[a-z]", re.IGNORECASE)
_BEFORE_TIME = re.compile(
    r"(?:^|\s)(?:in|on|during|from|of)\s(?:the\s)?"
    r"(?:(?:early|late|mid|night|morning|evening|afternoon|day)\s(?:of\s)?)?"
    r"(?:(?:summer|spring|autumn|fall|winter|year)\s(?:of\s)?)?$|,\s?$",
    re.IGNORECASE,
)
_NAME = r"[^\W\d_a-zà-þ][\w'’.-]*"
_SPOT = (
    r"(?:city|town|village|port|harbou?r|capital|streets?|cent(?:re|er)|outskirts|suburbs?|north|south|east|west|"
    r"square|station|airport|coast|skyline|ruins|rooftops)"
)
_PLACES = re.compile(
    r"(?P<how>\b(?:(?:in|at|near|outside|over|around|across|through|off|on)\s(?:the\s)?"
    rf"(?:(?:[a-zà-þ][\w-]*\s){{0,3}}?{_SPOT}\s(?:of\s|in\s)?|"
    rf"(?:central|downtown|northern|southern|eastern|western|nearby)\s)?|{_SPOT}\sof\s))?"
    rf"(?P<name>{_NAME}(?:[ ](?:(?:de|del|la|el|am|an|der|upon|sur|do|di|al)[ ])?{_NAME}){{0,3}})"
    rf"(?P<after>['’]s\b)?(?:,\s(?P<within>{_NAME}(?:[ ]{_NAME}){{0,2}}))?"
    r"(?P<kind>\s(?:airport|harbou?r|station|streets?|square|port|beach|bridge|city|cent(?:re|er)|suburbs?|"
    r"stadium)\b)?"
)
_LONGER = re.compile(
    r"\s(?:Airport|International|Station|Square|Harbou?r|Port|City|Stadium|Central|Street|University|Hospital)\b.*$"
)
_CALENDAR = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|"
    r"Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|Ramadan|New\sYear)\b"
)


@dataclass(frozen=True)
class PlaceName:
    """A town by name, and the country (or other region) that stands behind it, ``""`` where none does."""

    town: str
    within: str = ""
    others: tuple[str, ...] = ()
    """Other names of the scene; where one of them is a town as well, it is not plain which is meant."""


def pictured_day(scene: str) -> str | None:
    """The time of a scene as an ISO date of any precision; ``None`` when in doubt."""
    clean = scene.strip().rstrip(".! ")
    if place_in(clean) is not None:  # "a rally for the vote in 2024" may be one of 2023
        clean = _CAUSE.sub(r"\g<event> at", clean)
    dates = [d for d in find_dates(clean) if d.value[:1].isdigit()]
    if len(dates) != 1 or not re.fullmatch(r"\d{4}(?:-\d\d){0,2}|\d{4}-Q\d", dates[0].value):
        return None
    when = dates[0]
    leading = not clean[: when.start].strip(" ,") or re.fullmatch(r"(?:[Ii]n|[Oo]n)", clean[: when.start].strip())
    return when.value if leading or _of_the_scene(clean, when) else None


def _of_the_scene(clean: str, when: DateMention) -> bool:
    before, after = clean[: when.start], clean[when.end :]
    opening = _BEFORE_TIME.search(before)
    if opening is None or _NEVER.search(after):
        return False
    scene = before[: opening.start()].rstrip(" ,")
    if _HANGING.search(scene) or not scene:
        return False
    things = (m["thing"].lower() for m in _OF_A_THING.finditer(scene))
    if not all(any(re.fullmatch(word, thing) for word in _SCENES) for thing in things):
        return False
    bare = _without_places(scene)
    return not _MADE.search(bare) and not _OFFICE.search(bare)


def _without_places(scene: str) -> str:
    """The scene without the places at its end: "a bridge built in Graz" is "a bridge built"."""
    end = re.compile(
        rf"(?:,?\s(?:in|at|near|outside|on|of)\s(?:the\s)?(?:[a-zà-þ-]+\s(?:of\s)?){{0,2}}{_NAME}"
        rf"(?:,?\s{_NAME})*|,\s{_NAME}(?:\s{_NAME})*)$"
    )
    bare = scene
    while (match := end.search(bare)) is not None:
        bare = bare[: match.start()]
    return bare


def place_in(scene: str) -> PlaceName | None:
    """The one town that a scene is set in; ``None`` where none, or more than one, may be meant.

    What no table of towns knows is nobody's town: the caller looks the name up.
    """
    scene = _CAUSE.sub(r"\g<event> at", scene)
    cut = _HANGING.search(scene)
    if _NEVER.search(scene):
        return None
    found, others = [], []
    for match in _PLACES.finditer(scene[: cut.start()] if cut else scene):
        name, within = _LONGER.sub("", match["name"]).rstrip(".,"), match["within"] or ""
        if _CALENDAR.match(name):
            continue
        located = match["how"] is not None or match["kind"] is not None or match["name"] != name
        if located and not match["after"]:
            found.append(PlaceName(name, "" if _CALENDAR.match(within) else within))
        else:
            others.append(name.removesuffix("'s").removesuffix("’s"))
    if len({f.town.casefold() for f in found}) != 1:
        return None
    return PlaceName(found[0].town, found[0].within, tuple(others))
