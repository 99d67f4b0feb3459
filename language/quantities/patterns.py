"""Units and currencies, and patterns of numbers with them."""

from __future__ import annotations

import re

from language import lexicon as lex
from language.wordlists import read_table

_WRITTEN = read_table("language.quantities", "units.toml")
SCALES: dict[str, float] = _WRITTEN["scales"]
CURRENCIES: dict[str, str] = {word: code for code, words in _WRITTEN["currencies"].items() for word in words}
COINS = {"cent": 0.01, "penny": 0.01, "pence": 0.01}
"""Hundredths; of which currency is left open."""
UNITS: dict[str, tuple[str, float]] = {
    word: (unit, size) for unit, size, words in _WRITTEN["units"]["table"] for word in words
}
"""Unit word (singular; lower case) -> (dimension, factor to the dimension's base)."""


DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+,\d{1,2}(?=\s?(?:million|billion|%|percent|[×·]\s?10))|\d+(?:\.\d+)?"
SCALE = r"(?:\s?(?:hundred|thousand|millions?|billions?|trillions?|mn|mln|bn|tn)\b|(?:k|m|b)\b)"
WORD = "(?:" + "|".join(sorted(lex.NUMBER_WORDS, key=len, reverse=True)) + ")"
WORDS = rf"(?<!\d\s)(?<!\d){WORD}(?:(?:[\s-]|\sand\s){WORD})*"
CURRENCY = r"(?:\b(?:US\s?|A|C|CA|NZ|HK|S)\$|[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|JPY|AUD|CAD|Rs\.?|INR|SEK|NOK)(?=\s?\d))"
PERCENT = r"percentage[\s-]points?\b|%|percent\b|per\s?cent\b|pct\b"
_TIMES = r"\s?(?:[×x·*]|\\times)\s?"
_RAISED = r"(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?![⁰¹²³⁴⁵⁶⁷⁸⁹])"
_CARET = r"(?:\^|\*\*)(?P<open>[({])?(?P<exponent>[-−+]?\d{1,3})(?(open)[)}])"
POWER = (
    rf"(?:{_TIMES}10|(?P<ten>(?<=(?<![\w.,×·])(?<![×·]\s)10)))(?:{_RAISED}|{_CARET})"
    r"|e(?P<e>[-−+]?\d{1,2})(?!\w|\.\d)"
)
"""A power of ten behind a number, or behind "10" itself: 10⁶, 10^6, 3.2 × 10⁻⁴, 10**6, 1.5e6."""
NUMBER = re.compile(
    rf"(?<![\w.,/])(?<![A-Za-z]-)(?P<minus>(?<![\w)%])[-−](?=[\d$€£])|\bminus\s(?=[\d$€£]))?(?:(?P<currency>{CURRENCY})\s?)?"
    rf"(?P<number>(?<![\d.,])(?:{DIGITS}))(?:(?P<power>{POWER})|(?P<vulgar>[½¼¾⅓⅔])?"
    rf"(?:(?P<ordinal>st|nd|rd|th)\b|(?P<scale>{SCALE}))?)(?![\d]|[.,]\d)"
    rf"(?P<percent>[\s-]?(?:{PERCENT}))?"
    rf"|\b(?P<words>{WORDS})\b(?P<half>\sand\sa\shalf\b)?(?P<scale2>(?<=half)\s(?:thousand|million|billion|trillion)\b)?"
    rf"(?P<percent2>[\s-](?:{PERCENT}))?",
    re.IGNORECASE,
)
CLOCK = re.compile(
    r"\b(?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?|\b(?P<h2>[01]?\d|2[0-3]):(?P<m2>[0-5]\d)\b",
    re.IGNORECASE,
)
FRACTION = re.compile(
    r"\b(?P<many>two|three|four|five|six|seven|eight|nine)[\s-](?P<part>thirds|quarters|fifths|sixths|eighths|tenths)\b"
    r"|\b(?:an?|one)[\s-](?P<one>third|quarter|fifth|sixth|eighth|tenth)"
    r"(?=\s+(?:of|less|more|higher|lower|larger|smaller|the)\b|[.,;]|$)"
    r"|(?<!and a )(?<!and-a-)\b(?P<half>half)\b(?!-)|(?<!\d)(?P<sign>[½¼¾⅓⅔])(?!\d)",
    re.IGNORECASE,
)
HALF_OF = re.compile(
    r"(?<!and a )\b(?:half(?:\s|-)?(?:of\s)?(?:an?\s)?|(?P<quarters>an?|three)[\s-]quarters?\sof\san?\s)"
    r"(?P<what>dozen|hour|day|year|century|mile|kilomet(?:re|er)|met(?:re|er)|lit(?:re|er)|tonne|thousand|million"
    r"|billion|trillion)\b",
    re.IGNORECASE,
)
AND_HALF = re.compile(
    r"\b(?:an?|one)\s(?P<what>year|month|week|day|hour|minute|decade|century|mile|kilometre|metre)\sand\sa\shalf\b",
    re.IGNORECASE,
)
SHARE = re.compile(
    rf"\b(?P<part>\d{{1,3}}|{WORD})\s(?:in|in\severy|out\sof|out\sof\severy)\s(?P<whole>\d{{1,3}}|{WORD})\b"
    r"(?!\s?(?:years?|days?|weeks?|months?|hours?|minutes?|games|matches|million|billion|thousand|of\b|%|percent))",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"\b(?:(?P<outer>tens|dozens|hundreds|thousands)\sof\s)?(?P<vague>dozens|hundreds|thousands|millions|billions)\b"
    r"|\b(?:several|a\sfew|many)\s(?P<few>dozen|hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
DOZEN = re.compile(rf"\b(?:an?|(?P<count>\d+|{WORD}))\s(?P<what>dozen|decade|century|fortnight)s?\b", re.IGNORECASE)
TENS = "|".join(lex.TENS)
ONES = "|".join(k for k in lex.ORDINALS if k not in {"tenth", "eleventh", "twelfth"})
ORDINAL = re.compile(
    rf"\b(?:(?P<tens>{TENS})-(?P<ones>{ONES})|(?P<plain>"
    + "|".join(k for k in lex.ORDINALS if k != "second")
    + r"|second(?!s|ary)(?=-|\s+(?!of\b)[a-z])))\b",
    re.IGNORECASE,
)
TO_BEGIN_WITH = re.compile(
    r"(?:^|[.!?]\s)First(?: of all)?,(?!\s(?:second|third)\b)|\bat first\b(?!\s(?:light|instance|base))",
    re.IGNORECASE,
)
"""A "first" that counts nothing."""
MULTIPLE = re.compile(r"\b(" + "|".join(sorted(lex.MULTIPLES, key=len, reverse=True)) + r")\b", re.IGNORECASE)
UNIT_AFTER = re.compile(
    r"[\s-]?(?P<long>"
    + "|".join(
        re.escape(u).replace(r"\ ", r"[\s-]") + ("s?" if u[-1].isalpha() else "")
        for u in sorted((*UNITS, *CURRENCIES), key=len, reverse=True)
        if not u.isalpha() and u[0] not in "$€£¥₹"
    )
    + r"|[A-Za-z]+)(?![\w/²³])",
    re.IGNORECASE,
)
AGE_AFTER = re.compile(r"[\s-]years?[\s-]olds?\b|[\s-]years\sof\sage\b", re.IGNORECASE)
AGE_BEFORE = re.compile(
    r"\b(?:aged|age|age of|turned|turns|turning)\s$|\b(?:[Hh]e|[Ss]he)\s(?:is|was)\s$", re.IGNORECASE
)
AGE_ASIDE = re.compile(r"[A-Z][\w’'-]+(?:,\s|\s\()$")
METRES = re.compile(r"\s(?!people\b)(?![a-z]+s\b)", re.IGNORECASE)
RANGE_JOIN = re.compile(r"\s?(?:-|–|—|\bto\b|\band\b)\s?$", re.IGNORECASE)
