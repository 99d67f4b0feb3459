"""Units and currencies, and patterns of numbers with them."""

from __future__ import annotations

import re

from language import lexicon as lex

SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "m": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "billion": 1e9,
    "billions": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "trillion": 1e12,
    "tn": 1e12,
}
CURRENCIES = {
    "$": "USD",
    "us$": "USD",
    "us $": "USD",
    "dollar": "USD",
    "usd": "USD",
    "us dollar": "USD",
    "a$": "AUD",
    "aud": "AUD",
    "australian dollar": "AUD",
    "c$": "CAD",
    "ca$": "CAD",
    "cad": "CAD",
    "canadian dollar": "CAD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "€": "EUR",
    "euro": "EUR",
    "eur": "EUR",
    "£": "GBP",
    "pound": "GBP",
    "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "gbp": "GBP",
    "¥": "JPY",
    "yen": "JPY",
    "jpy": "JPY",
    "krona": "SEK",
    "kronor": "SEK",
    "sek": "SEK",
    "krone": "NOK",
    "kroner": "NOK",
    "nok": "NOK",
    "franc": "CHF",
    "swiss franc": "CHF",
    "chf": "CHF",
    "₹": "INR",
    "rs": "INR",
    "rupee": "INR",
    "inr": "INR",
    "yuan": "CNY",
    "rouble": "RUB",
    "ruble": "RUB",
    "peso": "MXN",
    "rand": "ZAR",
    "crown": "CRO",
}
COINS = {"cent": 0.01, "penny": 0.01, "pence": 0.01}
"""Hundredths; of which currency is left open."""
_LENGTHS = (
    ("mm", "millimetre", "millimeter", 1e-3),
    ("cm", "centimetre", "centimeter", 1e-2),
    ("m", "metre", "meter", 1.0),
    ("km", "kilometre", "kilometer", 1e3),
    ("mi", "mile", "miles", 1609.344),
    ("ft", "foot", "feet", 0.3048),
    ("in", "inch", "inches", 0.0254),
    ("yd", "yard", "yards", 0.9144),
)
_ENERGY = (("k", "kilo", 1e3), ("m", "mega", 1e6), ("g", "giga", 1e9), ("t", "tera", 1e12))
UNITS: dict[str, tuple[str, float]] = {
    "%": ("percent", 1),
    "percent": ("percent", 1),
    "pct": ("percent", 1),
    "percentage point": ("percentage points", 1),
    **{word: ("metre", size) for *words, size in _LENGTHS for word in words if word not in ("m", "in")},
    **{
        f"{mark}{word}": ("hectare", size**2 / 1e4)
        for *words, size in _LENGTHS
        for word in words
        for mark in ("square ", "sq ", "sq. ")
    },
    **{f"{short}{mark}": ("hectare", size**2 / 1e4) for short, _, _, size in _LENGTHS for mark in ("2", "²")},
    **{f"cubic {word}": ("litre", size**3 * 1e3) for *words, size in _LENGTHS for word in words},
    **{f"{short}{mark}": ("litre", size**3 * 1e3) for short, _, _, size in _LENGTHS for mark in ("3", "³")},
    "metre": ("metre", 1),
    "meter": ("metre", 1),
    "m": ("metre", 1),
    "nautical mile": ("metre", 1852),
    "light-year": ("light-year", 1),
    "light year": ("light-year", 1),
    "g": ("gram", 1),
    "gram": ("gram", 1),
    "kg": ("gram", 1e3),
    "kilogram": ("gram", 1e3),
    "kilo": ("gram", 1e3),
    "tonne": ("gram", 1e6),
    "ton": ("gram", 1e6),
    "metric ton": ("gram", 1e6),
    "mg": ("gram", 1e-3),
    "milligram": ("gram", 1e-3),
    "microgram": ("gram", 1e-6),
    "lb": ("gram", 453.592),
    "ounce": ("gram", 28.3495),
    "litre": ("litre", 1),
    "liter": ("litre", 1),
    "l": ("litre", 1),
    "ml": ("litre", 1e-3),
    "millilitre": ("litre", 1e-3),
    "milliliter": ("litre", 1e-3),
    "gallon": ("litre", 3.785),
    "second": ("second", 1),
    "minute": ("second", 60),
    "min": ("second", 60),
    "hour": ("second", 3600),
    "hr": ("second", 3600),
    "day": ("second", 86400),
    "week": ("second", 604800),
    "fortnight": ("second", 1209600),
    "month": ("month", 1),
    "year": ("month", 12),
    "decade": ("month", 120),
    "century": ("month", 1200),
    "centurie": ("month", 1200),
    "km/h": ("km/h", 1),
    "kph": ("km/h", 1),
    "kmh": ("km/h", 1),
    "kilometres per hour": ("km/h", 1),
    "kilometers per hour": ("km/h", 1),
    "kilometres an hour": ("km/h", 1),
    "kilometers an hour": ("km/h", 1),
    "km per hour": ("km/h", 1),
    "km an hour": ("km/h", 1),
    "mph": ("km/h", 1.609344),
    "miles per hour": ("km/h", 1.609344),
    "miles an hour": ("km/h", 1.609344),
    "m/s": ("km/h", 3.6),
    "metres per second": ("km/h", 3.6),
    "meters per second": ("km/h", 3.6),
    "°c": ("celsius", 1),
    "c": ("celsius", 1),
    "celsius": ("celsius", 1),
    "degree": ("celsius", 1),
    "degrees celsius": ("celsius", 1),
    "degrees centigrade": ("celsius", 1),
    "degree celsius": ("celsius", 1),
    "°f": ("fahrenheit", 1),
    "fahrenheit": ("fahrenheit", 1),
    "degrees fahrenheit": ("fahrenheit", 1),
    "degree fahrenheit": ("fahrenheit", 1),
    **{word: ("watt", factor) for mark, name, factor in _ENERGY for word in (f"{mark}w", f"{name}watt")},
    **{
        word: ("watthour", factor)
        for mark, name, factor in _ENERGY
        for word in (f"{mark}wh", f"{name}watt hour", f"{name}watt-hour", f"{name}watthour")
    },
    "watt": ("watt", 1),
    "hectare": ("hectare", 1),
    "ha": ("hectare", 1),
    "acre": ("hectare", 0.404686),
    "ppm": ("ppm", 1),
    "parts per million": ("ppm", 1),
    "mb": ("byte", 1e6),
    "megabyte": ("byte", 1e6),
    "gb": ("byte", 1e9),
    "gigabyte": ("byte", 1e9),
    "tb": ("byte", 1e12),
    "terabyte": ("byte", 1e12),
    "barrel": ("barrel", 1),
    "hz": ("hertz", 1),
    "khz": ("hertz", 1e3),
    "mhz": ("hertz", 1e6),
    "ghz": ("hertz", 1e9),
    "volt": ("volt", 1),
    "decibel": ("decibel", 1),
    "calorie": ("calorie", 1),
    "times": ("times", 1),
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
