"""Slot values of the template pairs: drawing, changing and writing them in many surface forms."""

from __future__ import annotations

import random
from dataclasses import dataclass

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_SHARES = {20: "a fifth", 25: "a quarter", 50: "half", 75: "three quarters"}
_UNITS = {
    "km": ("km", "kilometres", "kilometers"),
    "m": ("m", "metres", "meters"),
    "cm": ("cm", "centimetres", "centimeters"),
    "kg": ("kg", "kilograms", "kilograms"),
    "t": ("tonnes", "metric tons", "tonnes"),
    "ha": ("ha", "hectares", "hectares"),
    "km2": ("km²", "square kilometres", "sq km"),
    "MW": ("MW", "megawatts", "megawatts"),
    "GWh": ("GWh", "gigawatt hours", "gigawatt-hours"),
    "C": ("°C", "degrees Celsius", "degrees Celsius"),
    "kmh": ("km/h", "kilometres per hour", "kilometres an hour"),
    "mm": ("mm", "millimetres", "millimeters"),
    "min": ("minutes", "minutes", "min"),
}
_CASH = (("€", "euros"), ("$", "dollars"), ("£", "pounds"), ("", "francs"), ("", "kronor"))

_ON = (
    "Kel Bar Dor Mar Tren Vel Os Har Lin Stav Bren Cor Fal Gor Hel Im Jor Kar Lor Mel Nor Pel Quin "
    "Ros Sel Tal Ul Var Wes Yar Zel Ash Bel Cal Dun El Far Gren Hol Ket Lam Mor Nev Old Par Rav "
    "Sten Thor Win"
).split()
_END = (
    "den ford mark stad vik ton burg heim wick mouth by dorf field haven ova ica ano ely ister holm "
    "gate minster worth sund berg nes ville ora una ala etz any ow"
).split()
_FIRST = (
    "Maria Anna Lena Sofia Ines Clara Nadia Priya Aisha Mei Yuki Grace Helen Ruth Ingrid Elif "
    "Carmen Lucia Zofia Petra Amara Fatou Leila Noor Emma Julia Peter Thomas Daniel Marco Luis "
    "Pavel Jonas Erik Omar Karim Raj Wei Kenji David Simon Martin Oscar Felix Hugo Ivan Tomas Kofi "
    "Samuel Ahmed Victor Anton Niels Bruno"
).split()
_LAST = (
    "Kov Lind Berg Mat Sor Tan Okaf Adey Pet Nak Moral Hof Vest Dal Ras Gar Fern Brand Kem Lars Vir Ost Rein"
).split()
_LAST_END = "el er sen quist ova ić mann ez ado or ini ström ak enko hart ley man ard".split()
_BRANDS = ("Nor Vex Alti Qua Lumi Terra Sol Ark Omni Brio Cal Deka Ever Fort Giga Hali Ino Juno Kine Lith").split()
_BRANDS_END = "tron via dyne core nova flux mont lab tech ware gen wave path line ta rix dex bank".split()
_COUNTRIES = (
    "Norway Chile Ghana Vietnam Portugal Kenya Latvia Peru Estonia Uruguay Morocco Finland Japan "
    "Bolivia Senegal Croatia Denmark Mexico Nepal Austria Poland Canada Tunisia Iceland Slovenia "
    "Ireland Brazil India Greece Hungary Jordan Zambia Rwanda Indonesia Thailand Ecuador Lithuania "
    "Malta Cyprus Albania Belgium Egypt"
).split()
_ANIMALS = ("frog beetle orchid gecko moth snail spider fern bat crab mouse lizard wasp shrew").split()
_COLOURS = ("Red Silver Northern Golden Grey Blue Eastern Wild White Black Royal United Southern Iron Green").split()
_TEAMS = ("Falcons Rovers Wolves Bears Lions Hawks Sharks Stags Herons Ravens Bulls Foxes Comets Miners").split()
_THINGS = (
    "Winter River Harbour Garden Mirror Stone Island Orchard Lantern Salt Glass Forest Tide Letter Bridge"
).split()
_MOODS = ("Silent Last Broken Distant Hidden Bitter Golden Empty Second Burning Quiet Lost Slow Crooked").split()


def _town(rng: random.Random) -> str:
    name = rng.choice(_ON) + rng.choice(_END)
    return name if rng.random() < 0.88 else rng.choice(("Upper ", "New ", "Saint ", "Port ", "Lake ")) + name


def _person(rng: random.Random) -> str:
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}{rng.choice(_LAST_END)}"


def _company(rng: random.Random) -> str:
    stem = rng.choice(_BRANDS) + rng.choice(_BRANDS_END)
    return stem + rng.choice(("", "", "", " Group", " Energy", " Motors", " Foods", " Pharma", " Air"))


_OF_A_TOWN = {
    "bridge": ("the {} {}", ("Bridge", "Tunnel", "Viaduct", "Footbridge")),
    "building": (
        "the {} {}",
        ("Library", "Town Hall", "Opera House", "Arena", "Concert Hall", "Stadium", "Swimming Centre"),
    ),
    "museum": (
        "the {} {}",
        ("Museum of Art", "City Museum", "Maritime Museum", "National Gallery", "Museum of Design"),
    ),
    "school": ("{} {}", ("High School", "University", "Primary School", "College")),
    "hospital": ("{} {}", ("General Hospital", "University Hospital", "Children’s Hospital")),
    "plant": ("the {} {}", ("wind farm", "solar park", "power station", "hydroelectric plant")),
    "species": ("the {} {}", _ANIMALS),
    "team": ("{} {}", _TEAMS),
    "festival": (
        "the {} {}",
        ("Film Festival", "Jazz Festival", "Book Fair", "Marathon", "Food Festival"),
    ),
}
"""What is called after its town: how, and what it may be."""
_BODIES = "Transport Health Energy Forest Housing Statistics Water Food Rail Consumer Maritime".split()
_SHIPS = "Star Queen Horizon Pearl Tern Spirit Dawn Wind".split()


def _named(kind: str, rng: random.Random) -> str:
    town = _town(rng)
    if kind == "town":
        return town
    if kind in _OF_A_TOWN:
        form, what = _OF_A_TOWN[kind]
        return form.format(town, rng.choice(what))
    if kind == "union":
        return f"the {rng.choice(('Transport', 'Hotel', 'School', 'Metal', 'Dock'))} Workers’ Union of {town}"
    return _without_town(kind, rng)


def _without_town(kind: str, rng: random.Random) -> str:
    match kind:
        case "country":
            return rng.choice(_COUNTRIES)
        case "person":
            return _person(rng)
        case "company":
            return _company(rng)
        case "agency":
            end = rng.choice(("Agency", "Authority", "Office"))
            return f"{rng.choice(_COUNTRIES)}'s {rng.choice(_BODIES)} {end}"
        case "ship":
            stem = f"{rng.choice(_COLOURS)} {rng.choice(_SHIPS)}"
            return rng.choice(("MV ", "the ", "the ")) + stem
        case "party":
            return f"the {rng.choice(('New', 'Free', 'Rural', 'Civic', 'People’s'))} {_party_tail(rng)}"
        case "work":
            return f"“{rng.choice(('The ', 'A ', ''))}{rng.choice(_MOODS)} {rng.choice(_THINGS)}”"
        case "product":
            model = rng.choice(("X", "Mini", "Pro", "Plus", "One"))
            return f"{rng.choice(_BRANDS)}{rng.choice(_BRANDS_END)} {model}"
        case "river":
            return f"the {rng.choice(_ON)}{rng.choice(('a', 'e', 'er', 'ava', 'en'))}"
    raise KeyError(kind)


def _party_tail(rng: random.Random) -> str:
    return rng.choice(("Alliance", "Democrats", "Union", "Party", "Front", "Movement", "League"))


@dataclass(frozen=True)
class Value:
    """One slot value: its kind, its number (0 for names) and its text or parts."""

    kind: str
    spec: tuple[str, ...]
    number: float = 0
    text: str = ""
    day: tuple[int, int, int] = (0, 0, 0)


def draw(spec: str, rng: random.Random) -> Value:
    """A fresh value of a kind such as ``int:200:90000``, ``date`` or ``town``."""
    kind, *rest = spec.split(":")
    args = tuple(rest)
    if kind in ("int", "cash", "money", "pct", "unit", "share"):
        low, high = (float(x) for x in args[-2:]) if len(args) >= 2 else (2.0, 95.0)
        value = low * (high / low) ** rng.random()
        return Value(kind, args, _tidy(kind, value, rng), str(rng.randrange(len(_CASH))))
    if kind in ("date", "month", "year"):
        low_year, high_year = (int(x) for x in args) if args else (1985, 2025)
        return Value(kind, args, day=(rng.randint(low_year, high_year), rng.randint(1, 12), rng.randint(1, 28)))
    if kind == "weekday":
        return Value(kind, args, text=rng.choice(WEEKDAYS))
    if kind == "pick":
        return Value(kind, args, text=rng.choice(args[0].split("|")).replace("_", " "))
    return Value(kind, args, text=_named(kind, rng))


def _tidy(kind: str, value: float, rng: random.Random) -> float:
    if kind == "share" and rng.random() < 0.3:
        return float(rng.choice(list(_SHARES)))
    if kind in ("pct", "money") or (kind == "unit" and value < 40):
        return round(value, 1) if rng.random() < 0.6 and value < 100 else max(2.0, float(round(value)))
    whole = max(2, round(value))
    if whole >= 100 and rng.random() < 0.55:
        whole = _cut(whole, rng.choice((2, 2, 3)))
    return float(whole)


def _cut(value: float, digits: int) -> int:
    step: int = 10 ** max(0, len(str(int(value))) - digits)
    return int(value) // step * step


def alter(value: Value, rng: random.Random) -> Value:
    """Another value of the same kind: near, far, with swapped digits, or another name."""
    for _ in range(50):
        new = _alter(value, rng)
        if write(new, random.Random(0)) != write(value, random.Random(0)) and (new.number > 1 or not value.number):
            return new
    return draw(":".join((value.kind, *value.spec)), rng)


def _alter(value: Value, rng: random.Random) -> Value:
    if value.day[0]:
        year, month, day = value.day
        what = rng.choice({"date": "ymd", "month": "ym", "year": "y"}[value.kind])
        if what == "y":
            year += rng.choice((-20, -10, -5, -3, -2, -1, 1, 2, 3, 4, 7, 11))
        elif what == "m":
            month = rng.randint(1, 12)
        else:
            day = rng.randint(1, 28)
        return Value(value.kind, value.spec, day=(year, month, day))
    if not value.number:
        if value.kind == "person" and rng.random() < 0.12:
            return Value(value.kind, value.spec, text=rng.choice(_FIRST) + " " + value.text.split()[-1])
        return draw(":".join((value.kind, *value.spec)), rng)
    old = value.number
    way = rng.random()
    if old < 10:
        new = old + rng.choice((-3, -2, -1, 1, 2, 3, 4))
    elif way < 0.35:
        new = old * rng.choice((0.3, 0.5, 0.6, 0.7, 0.8, 1.2, 1.3, 1.5, 1.8, 2, 3))
    elif way < 0.5 and value.kind not in ("pct", "share"):
        new = old * rng.choice((0.1, 10))
    else:
        digits = list(str(int(old)))
        i = rng.randrange(min(3, len(digits)))
        j = rng.randrange(min(3, len(digits)))
        if way < 0.75:
            digits[i], digits[j] = digits[j], digits[i]
        else:
            digits[i] = str(rng.randint(1, 9))
        new = float("".join(digits)) + (old - int(old))
    new = (
        round(new, 1) if old != int(old) else float(_cut(round(new), 3) if new > 999 and old % 10 == 0 else round(new))
    )
    if value.kind in ("pct", "share") and new >= 99:
        new = round(old / 2, 1)
    return Value(value.kind, value.spec, new, value.text)


def write(value: Value, rng: random.Random, form: str = "", loose: bool = False) -> str:
    """The value as text. ``loose`` allows forms that say a little less, such as "about 12,000"."""
    if value.day[0]:
        return _write_day(value, rng, form, loose)
    if not value.number:
        return value.text
    number = value.number
    lead = ""
    if loose and not form and number >= 40 and rng.random() < 0.3:
        down = float(_cut(number, 2 if number >= 1000 else 1))
        near = abs(down - number) <= 0.06 * number
        if down < number:
            lead = rng.choice(
                ("more than ", "over ", "at least ") + (("about ", "around ", "roughly ") if near else ())
            )
            number = down
    if value.kind == "share" and not form and not lead and number in _SHARES and rng.random() < 0.5:
        return _SHARES[int(number)]
    plain = _digits(number, rng, words=value.kind == "int" and form != "x")
    match value.kind:
        case "int":
            return lead + plain
        case "pct" | "share":
            figure = _digits(number, rng, words=False)
            return lead + figure + rng.choice(("%", "%", " percent", " per cent"))
        case "unit":
            names = _UNITS[value.spec[0]]
            figure = _digits(number, rng, words=False)
            if form == "a":
                return f"{figure}-{names[1].removesuffix('s')}"
            return lead + figure + (" " if rng.random() < 0.97 else "\u00a0") + rng.choice(names)
    sign, name = _CASH[int(value.text)]
    if value.kind == "money":
        figure = _digits(number, rng, words=False)
        scale = "million"
        if number >= 1000:
            figure, scale = f"{number / 1000:g}", "billion"
    else:
        figure, scale = _digits(number, rng, words=False), ""
    if sign and rng.random() < 0.5:
        return lead + f"{sign}{figure} {scale}".rstrip()
    return lead + " ".join(part for part in (figure, scale, name) if part)


def _digits(number: float, rng: random.Random, words: bool) -> str:
    if number != int(number):
        return f"{number:.1f}"
    whole = int(number)
    if words and whole <= 12 and rng.random() < 0.6:
        return SMALL[whole]
    if words and whole >= 1_000_000 and whole % 10_000 == 0 and rng.random() < 0.8:
        return f"{whole / 1_000_000:g} million"
    if 1000 <= whole < 10_000 and rng.random() < 0.1:
        return str(whole)
    return f"{whole:,}"


def _write_day(value: Value, rng: random.Random, form: str, loose: bool) -> str:
    year, month, day = value.day
    name = MONTHS[month - 1]
    if value.kind == "year":
        return str(year)
    cut = rng.random() if loose and form != "b" else 1.0
    if cut < 0.12:
        return f"in {year}"
    if value.kind == "month" or cut < 0.35:
        text = f"{name} {year}"
        return text if form == "b" else f"in {text}"
    text = rng.choice((f"{day} {name} {year}", f"{day} {name} {year}", f"{name} {day}, {year}"))
    return text if form == "b" else f"on {text}"
