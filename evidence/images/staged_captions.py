"""Captions that say of a picture that it shows no event: generated, doctored, drawn, staged, from a film."""

from __future__ import annotations

import re


def _any(words: str) -> str:
    return "|".join(word.replace("_", r"[\s-]+") for word in words.split())


_PICTURE = _any("image photo photograph picture shot scene snap footage video")
_FALSE = _any(
    "altered edited fakes? faked fabricated bogus composite hoax staged mocked_up satirical "
    "manipulated doctored posed satire montage photo[\\s-]?montage"
)
_TOOLS = _any("AI artificial_intelligence midjourney dall_e stable_diffusion image_generator")
_EVERYWHERE = _any(
    "AI_generated AI_created AI_made AI_image AI_picture AI_photo "
    "generated_by_artificial_intelligence deep[\\s-]?fakes? computer_generated CGI "
    "photo[\\s-]?shop(?:ped)? doctored photo[\\s-]?montage re-?enact\\w* "
    "(?:film|movie|cinema)_(?:still|set|scene) (?:video|computer|war)_games? in_game "
    "flight_simulator wax[\\s-]?work wax_figure look-?alikes? impersonators? concept_art "
    "artist.s_impression april_fools?"
)
_KINDS = _any(
    "painting drawing illustration sketch cartoon caricature mural engraving montage collage "
    "composite rendering render simulation animation sculpture reconstruction dramati[sz]ation "
    "parody spoof satire prank drill exercise rehearsal mock[\\s-]?up still screenshot screen_grab "
    "scene poster meme scale_model"
)
_FILMS = _any("film movie series sitcom game trailer music_video play")
_NEVER_REAL = re.compile(
    rf"\b(?:{_EVERYWHERE})\b|\b(?:generated|created|made|produced)\s(?:by|with|using)\s(?:an?\s)?(?:{_TOOLS})\b"
    r"|\bdigitally\s(?:altered|manipulated|edited|created|changed|added|inserted|composed)"
    rf"|\b(?:{_FALSE})\s(?:\w+\s)?(?:{_PICTURE})\b"
    rf"|\b(?:{_PICTURE})\s(?:is|was|has been)\s(?:\w+\s)?(?:an?\s)?(?:{_FALSE})\b",
    re.IGNORECASE,
)
"""Words that say so wherever they stand in a caption."""
_HEAD = re.compile(
    rf"^\W*(?:(?:an?|the|this|that)\s(?:[\w'’-]+\s){{0,3}}?|(?:[\w-]+\s)?)(?:{_KINDS})\s"
    r"(?:of|from|by|in|showing|depicting|that|which|for|based|made|with)\b"
    rf"|\b(?:{_PICTURE}|it|this|that)\s(?:is|was|shows|comes\sfrom)\s(?:only\s)?(?:an?|the|part\sof\sa)\s"
    rf"(?:[\w-]+\s){{0,3}}?(?:{_KINDS})\b"
    rf"|\bfrom\s(?:the|an?)\s(?:[\w'’-]+\s){{0,4}}?(?:{_FILMS})\b",
    re.IGNORECASE,
)
"""Kinds of pictures, where they are what the caption calls this one and not what it shows."""


def shows_no_event(caption: str) -> bool:
    """Whether a caption says that its picture is no record of what it seems to show."""
    return bool(_NEVER_REAL.search(caption) or _HEAD.search(caption))
