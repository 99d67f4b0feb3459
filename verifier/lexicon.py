"""Word lists of the slot guard: English, lower case, small on purpose."""

from __future__ import annotations

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"), ("october", "oct"),
            ("november", "nov"), ("december", "dec"),
        ),
        1,
    )
    for name in names
}  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

SCALES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "m": 1e6, "mn": 1e6, "mln": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
CURRENCIES = {
    "$": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "usd": "USD", "€": "EUR", "euro": "EUR",
    "euros": "EUR", "eur": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP", "gbp": "GBP", "¥": "JPY", "yen": "JPY",
    "krona": "SEK", "kronor": "SEK", "franc": "CHF", "francs": "CHF", "rupees": "INR", "yuan": "CNY", "crowns": "CRO",
}  # fmt: skip
UNITS: dict[str, tuple[str, float]] = {
    "%": ("percent", 1), "percent": ("percent", 1), "pct": ("percent", 1), "percentage": ("percent", 1),
    "mm": ("metre", 1e-3), "millimetre": ("metre", 1e-3), "millimeter": ("metre", 1e-3),
    "cm": ("metre", 1e-2), "centimetre": ("metre", 1e-2), "centimeter": ("metre", 1e-2),
    "metre": ("metre", 1), "meter": ("metre", 1),
    "km": ("metre", 1e3), "kilometre": ("metre", 1e3), "kilometer": ("metre", 1e3),
    "mile": ("metre", 1609.344), "mi": ("metre", 1609.344), "foot": ("metre", 0.3048), "feet": ("metre", 0.3048),
    "ft": ("metre", 0.3048), "inch": ("metre", 0.0254), "yard": ("metre", 0.9144),
    "g": ("gram", 1), "gram": ("gram", 1), "kg": ("gram", 1e3), "kilogram": ("gram", 1e3), "kilo": ("gram", 1e3),
    "tonne": ("gram", 1e6), "ton": ("gram", 1e6), "mg": ("gram", 1e-3), "milligram": ("gram", 1e-3),
    "litre": ("litre", 1), "liter": ("litre", 1), "l": ("litre", 1), "ml": ("litre", 1e-3), "gallon": ("litre", 3.785),
    "second": ("second", 1), "minute": ("second", 60), "min": ("second", 60), "hour": ("second", 3600),
    "hr": ("second", 3600), "day": ("second", 86400), "week": ("second", 604800), "fortnight": ("second", 1209600),
    "month": ("month", 1), "year": ("month", 12), "decade": ("month", 120), "century": ("month", 1200),
    "km/h": ("km/h", 1), "kph": ("km/h", 1), "mph": ("km/h", 1.609344), "m/s": ("km/h", 3.6),
    "°c": ("celsius", 1), "celsius": ("celsius", 1), "degree": ("celsius", 1), "°f": ("fahrenheit", 1),
    "kw": ("watt", 1e3), "kilowatt": ("watt", 1e3), "mw": ("watt", 1e6), "megawatt": ("watt", 1e6),
    "gw": ("watt", 1e9), "gigawatt": ("watt", 1e9), "kwh": ("watthour", 1e3), "mwh": ("watthour", 1e6),
    "gwh": ("watthour", 1e9), "hectare": ("hectare", 1), "ha": ("hectare", 1), "acre": ("hectare", 0.404686),
    "ppm": ("ppm", 1), "mb": ("byte", 1e6), "gb": ("byte", 1e9), "tb": ("byte", 1e12),
}  # fmt: skip
"""Unit word (singular) -> (dimension, factor to the dimension's base)."""

FRACTIONS = {
    "half": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0, "sixth": 100 / 6, "eighth": 12.5, "tenth": 10.0,
    "two thirds": 200 / 3, "three quarters": 75.0, "two fifths": 40.0, "three fifths": 60.0, "four fifths": 80.0,
}  # fmt: skip
NUMBER_WORDS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion trillion".split()
)
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip
MULTIPLES = {"twice": 2, "thrice": 3, "double": 2, "doubled": 2, "doubling": 2, "triple": 3, "tripled": 3}

ABOUT = ("about", "around", "roughly", "approximately", "some", "almost", "nearly", "close to", "or so", "circa", "an estimated")  # fmt: skip
ABOVE = ("more than", "over", "above", "at least", "exceeding", "exceeded", "upwards of", "no fewer than", "not less than", "in excess of")  # fmt: skip
BELOW = ("less than", "fewer than", "under", "below", "at most", "up to", "no more than", "not more than")

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot n't nowhere hardly barely scarcely".split()
)
DENIALS = frozenset(
    "deny denies denied denying fail fails failed failing refuse refuses refused refusing reject rejects rejected "
    "lack lacks lacked lacking absent absence false untrue wrong incorrect unable cancel cancelled canceled "
    "abandon abandoned scrapped halted avoid avoided avoids prevent prevented ruled "
    "debunked unfounded baseless myth hoax stopped banned unlikely ".split()
)
HEDGES = frozenset(
    "may might could would should possibly perhaps probably likely reportedly allegedly alleged rumoured rumored "
    "rumour rumours apparently supposedly plan plans planned planning propose proposes proposed proposal proposals "
    "expect expects expected consider considers considering hope hopes hoped aim aims intend intends suggest "
    "suggests potential potentially projected forecast forecasts unconfirmed speculation speculated whether if "
    "seek seeks wants want insiders hear heard anonymous unnamed unverified claims claimed".split()
)
HARD_HEDGES = HEDGES - frozenset("would should likely suggest suggests".split())

UNIVERSAL = frozenset("all every each entire whole everyone everybody everything always both entirely".split())
EXCLUSIVE = frozenset("only solely exclusively sole".split())
PARTIAL = frozenset("some most many few several majority part partly half nearly almost some".split())
NOT_SUPERLATIVE = frozenset(
    "forest forests interest request protest contest harvest arrest suggest manifest honest modest guest digest "
    "conquest northwest southwest tempest behest invest latest".split()
)

OPPOSITES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(a.split()), frozenset(b.split()))
    for a, b in (
        (
            "rise rises rose risen rising increase increases increased increasing grow grows grew grown growing growth "
            "climb climbs climbed climbing gained surge surged soar soared soaring expand expanded expands raised",
            "fall falls fell fallen falling decrease decreases decreased decreasing drop drops dropped dropping decline "
            "declines declined declining shrink shrank shrunk plunge plunged slump slumped lowered "
            "reduce reduces reduced reducing shrinks slipped",
        ),
        ("more greater", "less fewer"),
        ("higher taller", "lower shorter"),
        ("larger bigger", "smaller"),
        ("highest tallest", "lowest shortest"),
        ("largest biggest", "smallest"),
        ("faster quicker", "slower"),
        ("fastest quickest", "slowest"),
        ("older", "younger"),
        ("oldest", "youngest newest"),
        ("warmer hotter", "colder cooler"),
        ("better improve improved improves improving", "worse worsen worsened worsens deteriorate deteriorated"),
        ("best", "worst"),
        ("win wins won winning victory", "lose loses lost losing defeat"),
        ("approve approves approved approving approval accept accepted accepts", "reject rejects rejected rejecting rejection vetoed veto"),
        ("support supports supported supporting", "oppose opposes opposed opposing"),
        ("open opens opened opening reopen reopened reopens", "close closes closed closing shut shuts closure"),
        ("hire hires hired hiring recruited", "fire fires fired sacked"),
        ("import imports imported importing", "export exports exported exporting"),
        ("buy buys bought buying purchase purchased", "sell sells sold selling"),
        ("arrive arrives arrived", "depart departs departed"),
        ("north northern", "south southern"),
        ("east eastern", "west western"),
        ("male man men boy boys husband father son brother", "female woman women girl girls wife mother daughter sister"),
        ("safe safely", "unsafe dangerous hazardous"),
        ("legal lawful", "illegal unlawful"),
        ("success successful succeeded succeeds", "failure unsuccessful failed fails"),
        ("maximum", "minimum"),
        ("urban", "rural"),
        ("surplus profit profits", "deficit loss losses"),
        ("guilty convicted", "innocent acquitted"),
        ("alive survived survive survives", "dead died killed dies"),
        ("strengthen strengthened strengthens", "weaken weakened weakens"),
        ("extend extended extends", "shorten shortened shortens"),
        ("upstream", "downstream"),
        ("indoor indoors", "outdoor outdoors"),
        ("permit permits permitted allow allows allowed", "forbid forbids forbidden prohibit prohibits prohibited ban bans banned"),
        ("majority", "minority"),
        ("doubled double", "halved halve halving"),
        ("confirm confirms confirmed", "deny denies denied"),
        ("voluntary optional", "compulsory mandatory obligatory"),
        ("always", "never"),
        ("before", "after"),
        ("start starts started began begins", "stop stops stopped ended ends"),
        ("inside", "outside"),
        ("full", "empty"),
        ("early", "late"),
        ("public", "private"),
    )
)  # fmt: skip
"""Pairs of opposite word families. A claim with one side and evidence with only the other conflict."""

ALIASES: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split("|"))
    for group in (
        "us|u.s.|usa|u.s.a.|united states|united states of america|america|american|americans",
        "uk|u.k.|united kingdom|britain|great britain|british",
        "eu|e.u.|european union", "un|u.n.|united nations", "who|world health organization|world health organisation",
        "nyc|new york city", "la|los angeles", "uae|united arab emirates", "ussr|soviet union|soviet",
        "netherlands|dutch|holland", "france|french", "spain|spanish", "germany|german|germans", "england|english",
        "wales|welsh", "scotland|scottish|scots", "ireland|irish", "greece|greek", "denmark|danish", "poland|polish",
        "sweden|swedish", "switzerland|swiss", "china|chinese", "japan|japanese", "turkey|turkish", "norway|norwegian",
        "portugal|portuguese", "philippines|filipino", "thailand|thai", "peru|peruvian", "iceland|icelandic",
    )
)  # fmt: skip
STOPWORDS = frozenset(
    "a an the and or but of in on at by for to from with as is was are were be been being has have had do does did "
    "it its he she they them his her their this that these those there which who whom whose what when where how why "
    "than then so such also very just into over about after before between during through up down out off again "
    "i we you my our your me us him if while because until although though not no nor can could may might will "
    "would shall should must some any each every all both few more most other own same too s t d ll re ve m "
    "one two said says say according new".split()
)
