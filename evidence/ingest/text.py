"""Bytes to clean text, and dates from what people write."""

from __future__ import annotations

import re
import struct
import unicodedata
import zipfile
import zlib
from contextlib import suppress
from datetime import date, datetime
from email.errors import MessageError
from email.utils import parsedate_to_datetime

from factdesk.kernel import InputError
from language.wordlists import read_expressions

BROKEN: tuple[type[Exception], ...] = (
    *(ValueError, TypeError, AttributeError, LookupError, OSError, EOFError, OverflowError, RecursionError),
    *(NotImplementedError, SyntaxError, AssertionError, zipfile.BadZipFile, zlib.error, struct.error),
    MessageError,
)
"""What libraries raise for a damaged file (lxml's errors are ``SyntaxError`` and ``ValueError``)."""
EXPRESSIONS = read_expressions("evidence.ingest")
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset=[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_LIGATURES = {number: unicodedata.normalize("NFKC", chr(number)) for number in range(0xFB00, 0xFB07)}
"""ﬀ, ﬁ, ﬂ, ﬃ, ﬄ, ﬅ and ﬆ: two or three letters drawn as one."""
LONGEST_WORD = 5_000
"""Characters without a blank that are kept of a run: what is longer is no language, and slow to look at."""
_RUN = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")
_NO_TEXT = frozenset("undefined punycode idna unicode_escape raw_unicode_escape mbcs oem utf_7".split())
"""Codecs of Python that no page is written in, or that take a quadratic time."""
_DATE_FORMATS = ("%d %B %Y", "%B %d, %Y", "%B %d %Y", "%d %b %Y", "%b %d, %Y", "%b %d %Y", "%Y/%m/%d", "%Y%m%d")


def decode(data: bytes, *, html: bool = False) -> str:
    """Text of a file: by its byte order mark, as UTF-8, by a page's declared charset, or by guessing. Raises
    ``InputError``: it looks like a binary file, or no encoding fits.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise InputError(f"broken {encoding} text; save it as UTF-8") from error
    if b"\x00" in data:
        raise InputError("is a binary file, not text")
    declared = _META_CHARSET.search(data[:4096]) if html else None
    for charset in ("utf-8", declared[1].decode("ascii") if declared else ""):
        if charset and (found := decode_as(data, charset)) is not None:
            return found
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        raise InputError("has no encoding that can be told; save it as UTF-8")
    return str(best)


def decode_as(data: bytes, charset: str) -> str | None:
    """The text in a character set that a page or server names; ``None`` where it does not fit."""
    import codecs

    try:
        if codecs.lookup(charset).name.replace("-", "_") in _NO_TEXT:
            return None
        return data.decode(charset)
    except (UnicodeError, LookupError, ValueError):
        return None


def normalise(text: str) -> str:
    """The stored form: NFC, no ligatures, ``\\n`` line ends, no unseen characters, no blanks at line ends. Applying it
    again changes nothing.
    """
    text = EXPRESSIONS["line_ends"].sub("\n", text)
    text = EXPRESSIONS["surrogates"].sub("\ufffd", text)
    text = unicodedata.normalize("NFC", EXPRESSIONS["unseen_characters"].sub("", text).translate(_LIGATURES))
    text = "\n".join(line.rstrip() for line in _RUN.sub(r"\1", text).split("\n"))
    text = EXPRESSIONS["empty_lines"].sub("\n\n", text)
    return text.strip("\n").rstrip()


def clean_line(value: object) -> str | None:
    """A metadata value (text or number) as one clean line of at most 500 characters; ``None`` when empty."""
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        return None
    line = " ".join(normalise(str(value)).split())
    return line[:500].rstrip() or None


def parse_date(value: object) -> date | None:
    """A day from a date, an ISO or mail date, ``12 March 2024`` or ``March 12, 2024``. ``None`` where it cannot be told
    for certain: ``03/04/2024`` is not guessed at.
    """
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()
    with suppress(ValueError):
        return datetime.fromisoformat(text).date()
    for pattern in _DATE_FORMATS:
        with suppress(ValueError):
            return datetime.strptime(text.replace(".", ""), pattern).date()
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        return parsedate_to_datetime(text).date()
    return None


_DIGITS = str.maketrans("0123456789-\u2212\u2013+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")


def raised(before: str, mark: str, after: str = "", *, linked: bool = False) -> str:
    """What a raised mark is in plain text: ``"th"``, ``"⁶"``, or ``""`` for the mark of a footnote. ``before`` and
    ``after`` are the text around it. ``linked``: it leads to another place of the page.
    """
    mark = mark.strip()
    if linked or not mark:
        return ""
    if EXPRESSIONS["denominator"].match(after) and mark.isdecimal():
        return f" {mark}" if before[-1:].isdigit() else mark
    if before[-1:].isdigit() and EXPRESSIONS["ordinal"].fullmatch(mark.lower()):
        return mark
    if EXPRESSIONS["exponent"].fullmatch(mark):
        leads = not before[-1:].strip() and bool(EXPRESSIONS["letter"].match(after))  # ¹⁴C
        return mark.translate(_DIGITS) if leads or EXPRESSIONS["base"].search(before) else ""
    return mark if len(mark) > 1 and mark.isalpha() and mark.lower() != "tm" else ""
