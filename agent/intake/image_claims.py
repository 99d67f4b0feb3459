"""What a claim says about a picture: frame and content, aspect, the time and place it gives it, fields of a file.

Readings are compared with the content alone; a frame that names a person stays. Time and place are taken only
where the sentence plainly gives them to the picture or the event it shows (``language.scenes``).
"""

from __future__ import annotations

from datetime import date

from agent.intake.lexicon import EXPRESSIONS
from agent.types import ImageAspect
from evidence.types import FileField
from language.calendar import first_day
from language.capitals import in_small_letters
from language.scenes import PlaceName, pictured_day, place_in

_FRAMES = ("frame_place", "frame_says", "frame_part_says", "frame_behind")
_WORDS = ("words_quoted", "words_bare")
_SCENES = ("shown", "shown_short")
_ASPECTS: tuple[ImageAspect, ...] = ("file", "code")


def is_about_image(text: str) -> bool:
    """Whether a claim is about what a picture shows, or about the picture."""
    return _found("about_image", text)


def framed_statement(text: str) -> str | None:
    """The statement that a claim says the picture makes; ``None`` without a plain frame."""
    for frame in _FRAMES:
        if (rest := _rest(frame, text)) and len(rest.split()) > 2:
            return _sentence(rest, ".!?")
    words = next((rest for pattern in _WORDS if (rest := _rest(pattern, text))), "")
    return _sentence(in_small_letters(words.strip(" .")), "!?") if len(words.split()) > 1 else None


def image_aspect(text: str) -> ImageAspect:
    """The aspect of the picture that a claim is about."""
    for aspect in _ASPECTS:
        if _found(f"aspect_{aspect}", text):
            return aspect
    scene = _found("aspect_made", text) or (_found("aspect_scene", text) and not _found("aspect_text", text))
    return "scene" if scene else "text"


def shown_scene(text: str) -> str | None:
    """The scene a claim describes, as a sentence to compare with a record's caption."""
    rest = _rest("shown", text)
    return _sentence(rest, ".!?") if len(rest.split()) > 1 else None


def pictured_from(text: str) -> date | None:
    """First day of the time that a claim gives the picture or its event; ``None`` when in doubt."""
    return first_day(day) if (day := pictured_day(_scene_of(text))) else None


def pictured_place(text: str) -> PlaceName | None:
    """The place that a claim gives the picture or its event; ``None`` when in doubt."""
    return place_in(scene) if (scene := _scene_of(text)) else None


def asked_of_file(text: str) -> frozenset[FileField]:
    """The fields that may bear on the claim; empty when in doubt."""
    changed, dated = _found("file_changed", text), _found("file_day", text)
    asked: dict[FileField, bool] = {
        "changed": changed and dated,
        "taken": _found("file_taken", text) and dated and not changed,
        "device": _found("file_device", text) and not changed,
        "software": _found("file_software", text),
        "place": _found("file_place", text),
    }
    return frozenset(field for field, is_asked in asked.items() if is_asked)


def _found(expression: str, text: str) -> bool:
    return EXPRESSIONS[expression].search(text) is not None


def _rest(expression: str, text: str) -> str:
    """What stands behind the words that an expression finds, or ``""``."""
    match = EXPRESSIONS[expression].match(text.strip())
    return next((group.strip() for group in match.groups() if group), "") if match else ""


def _sentence(words: str, ends: str) -> str:
    return words[0].upper() + words[1:] + ("" if words[-1] in ends else ".")


def _scene_of(text: str) -> str:
    """The words for what the picture shows, or for where and when it was taken; or ``""``."""
    clean = text.strip()
    if taken := EXPRESSIONS["shown_taken"].match(clean):
        return f"scenes {'in ' if taken['from'] else ''}{clean[taken.end() :].strip()}"
    return next((scene for pattern in _SCENES if (scene := _rest(pattern, text))), "")
