"""Subtitles (.srt, .vtt) by webvtt-py: what is said, in paragraphs, with the time of each line."""

from __future__ import annotations

import html
import io
from functools import partial

from evidence.ingest.page import Page
from evidence.ingest.text import EXPRESSIONS, decode, normalise
from evidence.types import Locator
from factdesk.kernel import InputError

PAUSE = 2
"""Seconds without a subtitle after which a new paragraph starts."""


def read_subtitles(data: bytes, suffix: str) -> Page:
    """What is said. A sentence may run over several lines; sounds in brackets are left out. Raises ``InputError``: the
    bytes are no text, or no subtitles.
    """
    import webvtt
    from webvtt.errors import MalformedCaptionError, MalformedFileError

    source = decode(data)
    try:
        captions = webvtt.from_buffer(io.StringIO(source), format=suffix[1:]).captions
    except (MalformedFileError, MalformedCaptionError, ValueError, IndexError) as error:
        raise InputError(f"holds no subtitles in the format {suffix} ({error})") from error
    pieces: list[str] = []
    locators: list[Locator] = []
    length, ended, speaker, said = 0, -PAUSE, "", ""
    for caption in captions:
        text = _words(caption.text)
        if not text or text == said:
            continue
        voice = caption.voice or speaker
        apart = voice != speaker or caption.start_in_seconds - ended >= PAUSE
        gap = ("\n\n" if apart else " ") if pieces else ""
        locators.append(Locator(start=length + len(gap), place=_time(caption.start_in_seconds)))
        pieces.append(gap + text)
        length += len(pieces[-1])
        ended, speaker, said = caption.end_in_seconds, voice, text
    if not pieces:
        raise InputError("has no subtitles")
    return Page(text="".join(pieces), locators=tuple(locators))


read_srt = partial(read_subtitles, suffix=".srt")
read_vtt = partial(read_subtitles, suffix=".vtt")


def _words(text: str) -> str:
    plain = EXPRESSIONS["markup"].sub("", html.unescape(text))
    return " ".join(normalise(EXPRESSIONS["sound"].sub("", EXPRESSIONS["dash"].sub("", plain))).split())


def _time(seconds: int) -> str:
    """``0:01:05``."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
