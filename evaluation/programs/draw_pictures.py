"""Draw sixteen pictures unlike the examples: what a newsroom is sent. Everything in them is invented.

Screenshots of a chat, a news site and a press release, a photographed poster, a notice in the dark, charts in
other styles, a table scanned askew, a meme, a receipt, signs, a television still, a quotation. Each comes
back as encoded bytes, the same for the same seed. Fonts are those inside Pillow and matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from evaluation.programs.picture_pens import (
    BOLD,
    HEAVY,
    MONO,
    SANS,
    SERIF,
    askew,
    face,
    jpeg,
    noisy,
    png,
    turned,
)


def chat(seed: int) -> bytes:
    """Phone screenshot of a messenger group, with bubbles left and right."""
    image = Image.new("RGB", (720, 1280), "#e6ddd4")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 720, 120), fill="#075e54")
    pen.text((24, 8), "09:41", fill="white", font=face(22, SANS))
    pen.text((110, 44), "Parents Class 4b", fill="white", font=face(30, BOLD))
    pen.text((110, 84), "Ana, Bruno, Carla, You", fill="#cfe3df", font=face(20, SANS))
    said = (
        (
            24,
            "Ana",
            "#d3482f",
            ("Hi all, news from the school:", "There are no lessons on Friday,", "14 March."),
            "08:12",
        ),
        (24, "Bruno", "#1f7aec", ("Is the canteen closed too?",), "08:15"),
        (190, "", "", ("The canteen stays open until 13:00.",), "08:17"),
        (24, "Carla", "#8a2be2", ("The trip to Lisbon costs 85 euros,", "not 58 euros."), "08:30"),
    )
    y = 160
    for x, name, ink, lines, hour in said:
        tall = 34 * len(lines) + (34 if name else 0) + 46
        pen.rounded_rectangle((x, y, x + 506, y + tall), 14, fill="white" if name else "#dcf8c6")
        top = y + 12
        if name:
            pen.text((x + 18, top), name, fill=ink, font=face(22, BOLD))
            top += 34
        for line in lines:
            pen.text((x + 18, top), line, fill="#111111", font=face(25, SANS))
            top += 34
        pen.text((x + 440, y + tall - 28), hour, fill="#888888", font=face(17, SANS))
        y += tall + 26
    return jpeg(noisy(image, seed, 1.0), 70)


def news_app(seed: int) -> bytes:
    """News site on a phone: picture, section, headline over three lines, byline, first lines."""
    rng = np.random.default_rng(seed)
    photo = Image.fromarray((rng.random((5, 7, 3)) * 255).astype("uint8")).resize((720, 420), Image.Resampling.BICUBIC)
    image = Image.new("RGB", (720, 1180), "white")
    image.paste(photo, (0, 90))
    pen = ImageDraw.Draw(image)
    pen.text((30, 26), "The Harbour Courier", fill="#111111", font=face(34, HEAVY))
    pen.text((30, 540), "CITY", fill="#c00000", font=face(22, BOLD))
    for n, line in enumerate(("Council denies that the", "old fish market will be", "sold to Norvik Estates")):
        pen.text((30, 578 + 56 * n), line, fill="#111111", font=face(44, HEAVY))
    pen.text((30, 770), "By Ines Morrow  |  3 February 2024  |  4 min read", fill="#777777", font=face(20, SANS))
    body = (
        "The council of Lowmere said on Saturday that no",
        "offer for the market had been accepted. Rents for",
        "the 42 stalls will rise by 6 per cent in April.",
        "A decision on the roof is due in May.",
    )
    for n, line in enumerate(body):
        pen.text((30, 830 + 40 * n), line, fill="#222222", font=face(26, SERIF))
    pen.rounded_rectangle((30, 1040, 330, 1100), 30, fill="#0b5fff")
    pen.text((180, 1070), "Subscribe now", fill="white", font=face(24, BOLD), anchor="mm")
    return png(image)


def poster(seed: int) -> bytes:
    """A poster on a wall, photographed from the side: perspective, blur, grain."""
    sheet = Image.new("RGB", (700, 960), "#f6d743")
    pen = ImageDraw.Draw(sheet)
    pen.rectangle((0, 0, 700, 170), fill="#20304a")
    pen.text((350, 85), "SUMMER MARKET", fill="white", font=face(66, BOLD), anchor="mm")
    for y, line, size in (
        (250, "Saturday, 21 June 2025", 44),
        (330, "10:00 to 18:00", 44),
        (460, "Castle Square, Lowmere", 40),
        (600, "Entry 4 euros", 60),
        (690, "Children under 12 free", 36),
        (860, "Organised by the Lowmere Trade Union", 28),
    ):
        pen.text((350, y), line, fill="#20304a", font=face(size, BOLD), anchor="mm")
    seen = askew(sheet, ((250, 90), (900, 190), (860, 1010), (210, 1090)), (1100, 1180), "#8b8478")
    return jpeg(noisy(seen.filter(ImageFilter.GaussianBlur(1.4)), seed, 9.0), 75)


def night_notice(seed: int) -> bytes:
    """A notice on a door in the dark, JPEG quality 30."""
    image = Image.new("RGB", (900, 620), "#231f1c")
    pen = ImageDraw.Draw(image)
    pen.rectangle((130, 90, 770, 520), fill="#6b6459")
    for y, line, size in (
        (130, "NOTICE", 50),
        (220, "The swimming pool is closed", 36),
        (275, "from 4 to 19 November 2024.", 36),
        (360, "Season tickets stay valid.", 30),
        (430, "Phone 0555 318 402", 30),
    ):
        pen.text((450, y), line, fill="#2b2824", font=face(size, BOLD), anchor="ma")
    shade = np.asarray(image).astype(float) * np.linspace(0.45, 1.0, 900)[None, :, None]
    return jpeg(noisy(Image.fromarray(shade.astype("uint8")), seed, 6.0), 30)


def dark_chart(_seed: int) -> bytes:
    """Bars on black with a grid; labels on the axis are turned by 45 degrees, values stand over the bars."""
    image = Image.new("RGB", (1000, 720), "#14161c")
    pen = ImageDraw.Draw(image)
    pen.text((60, 28), "New electric buses per year", fill="#f0f0f0", font=face(34, BOLD))
    for step in range(0, 101, 25):
        y = 560 - 4 * step
        pen.line((90, y, 960, y), fill="#3a3f4b", width=1)
        pen.text((78, y), str(step), fill="#9aa0ac", font=face(18, SANS), anchor="rm")
    for n, (year, value) in enumerate(
        (("2019", 12), ("2020", 27), ("2021", 45), ("2022", 61), ("2023", 88), ("2024", 73))
    ):
        x = 130 + 140 * n
        pen.rectangle((x, 560 - 4 * value, x + 80, 560), fill="#ff9f1c")
        pen.text((x + 40, 548 - 4 * value), str(value), fill="#ffd28a", font=face(24, BOLD), anchor="ms")
        turned(image, year, (x + 56, 572), 45, face(22, SANS), "#f0f0f0")
    pen.text((60, 680), "Source: Lowmere Transit, annual report 2024", fill="#9aa0ac", font=face(18, SANS))
    return png(image)


def inside_chart(_seed: int) -> bytes:
    """Bars with their values inside, in white; a percent sign; labels in two lines."""
    image = Image.new("RGB", (1000, 640), "#fbfaf6")
    pen = ImageDraw.Draw(image)
    pen.text((500, 30), "Would you use the night bus?", fill="#222222", font=face(36, HEAVY), anchor="ma")
    for n, (label, value, ink) in enumerate(
        (("Yes", 54, "#2a7f62"), ("No", 31, "#b23a48"), ("Undecided", 15, "#5c6b8a"))
    ):
        x = 130 + 280 * n
        pen.rectangle((x, 540 - 7 * value, x + 180, 540), fill=ink)
        pen.text((x + 90, 550 - 7 * value), f"{value}%", fill="white", font=face(38, BOLD), anchor="ma")
        pen.text((x + 90, 555), label, fill="#222222", font=face(28, SANS), anchor="ma")
    pen.text((500, 605), "Survey of 1,012 residents, May 2025", fill="#666666", font=face(20, SANS), anchor="ma")
    return png(image)


def line_chart(_seed: int) -> bytes:
    """A line with printed values at its points, and years below."""
    image = Image.new("RGB", (1000, 620), "white")
    pen = ImageDraw.Draw(image)
    pen.text((60, 24), "Unemployment in Lowmere, in per cent", fill="#111111", font=face(30, BOLD))
    points = [
        (120 + 190 * n, 470 - round(38 * v), y, v)
        for n, (y, v) in enumerate((("2020", 8.4), ("2021", 7.1), ("2022", 5.9), ("2023", 6.3), ("2024", 5.2)))
    ]
    for step in (2, 4, 6, 8):
        pen.line((80, 470 - 38 * step, 940, 470 - 38 * step), fill="#dddddd")
    pen.line([p[:2] for p in points], fill="#0b7a75", width=5)
    for x, y, year, value in points:
        pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill="#0b7a75")
        pen.text((x, y - 16), f"{value}", fill="#0b7a75", font=face(26, BOLD), anchor="ms")
        pen.text((x, 500), year, fill="#333333", font=face(24, SANS), anchor="ma")
    return png(image)


def two_series(_seed: int) -> bytes:
    """Two bars a label, each with its value: which value is whose only the legend says."""
    image = Image.new("RGB", (1000, 620), "white")
    pen = ImageDraw.Draw(image)
    pen.text((60, 24), "Goals scored", fill="#111111", font=face(34, BOLD))
    for x, name, ink in ((600, "2023", "#264653"), (760, "2024", "#e76f51")):
        pen.rectangle((x, 32, x + 26, 58), fill=ink)
        pen.text((x + 38, 30), name, fill="#111111", font=face(24, SANS))
    for n, (team, first, second) in enumerate((("Estwick", 41, 58), ("Corvane", 63, 37), ("Hollin", 29, 46))):
        x = 110 + 290 * n
        for k, (value, ink) in enumerate(((first, "#264653"), (second, "#e76f51"))):
            left = x + 95 * k
            pen.rectangle((left, 520 - 6 * value, left + 85, 520), fill=ink)
            pen.text((left + 42, 510 - 6 * value), str(value), fill="#111111", font=face(24, BOLD), anchor="ms")
        pen.text((x + 90, 536), team, fill="#111111", font=face(26, SANS), anchor="ma")
    return png(image)


def table_scan(seed: int) -> bytes:
    """A printed table, scanned 7 degrees askew, grey and grainy."""
    page = Image.new("RGB", (1000, 620), "#f4f2ec")
    pen = ImageDraw.Draw(page)
    pen.text((60, 40), "Water quality, July 2024", fill="#1b1b1b", font=face(34, HEAVY))
    rows = (
        ("Beach", "Samples", "Grade"),
        ("Sandhaven", "18", "good"),
        ("Rockport", "24", "poor"),
        ("Lowmere Bay", "31", "excellent"),
        ("Selwick", "12", "good"),
    )
    for n, row in enumerate(rows):
        for x, cell in zip((70, 460, 720), row, strict=True):
            pen.text((x, 130 + 84 * n), cell, fill="#1b1b1b", font=face(32, HEAVY if n == 0 else SERIF))
        pen.line((60, 194 + 84 * n, 940, 194 + 84 * n), fill="#777777", width=2)
    leaning = page.rotate(-7, Image.Resampling.BICUBIC, expand=True, fillcolor="#bdbab2").convert("L")
    return jpeg(noisy(leaning.convert("RGB"), seed, 7.0), 60)


def meme(seed: int) -> bytes:
    """White capitals with a black outline above and below, on a photo."""
    rng = np.random.default_rng(seed)
    image = Image.fromarray((rng.random((8, 8, 3)) * 255).astype("uint8")).resize((800, 800), Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(image)
    for y, line in (
        (20, "BRIDGE CLOSED FOR 3 YEARS"),
        (650, "MAYOR HOLT GETS"),
        (715, "A RAISE OF 9,000 EUROS"),
    ):
        pen.text(
            (400, y),
            line,
            fill="white",
            font=face(46, BOLD),
            anchor="ma",
            stroke_width=4,
            stroke_fill="black",
        )
    return jpeg(noisy(image, seed, 5.0), 65)


def receipt(seed: int) -> bytes:
    """A till receipt, a little crumpled: items left, prices right."""
    image = Image.new("RGB", (560, 900), "#efefe9")
    pen = ImageDraw.Draw(image)
    for y, line in ((30, "CAFE MERIDIAN"), (70, "12 Quay Street, Lowmere")):
        pen.text((280, y), line, fill="#333333", font=face(26, MONO), anchor="ma")
    pen.text((40, 130), "22/08/2024  14:06   Table 9", fill="#333333", font=face(22, MONO))
    items = (
        ("2 Espresso", "5.60"),
        ("1 Lemon cake", "4.20"),
        ("1 Lobster roll", "27.50"),
        ("3 Mineral water", "9.00"),
    )
    for n, (name, price) in enumerate((*items, ("TOTAL EUR", "46.30"), ("VISA", "46.30"), ("VAT 10%", "4.21"))):
        y = 200 + 58 * n + (30 if n >= 4 else 0)
        pen.text((40, y), name, fill="#333333", font=face(26, MONO))
        pen.text((520, y), price, fill="#333333", font=face(26, MONO), anchor="ra")
    pen.text((280, 720), "Thank you for your visit", fill="#333333", font=face(22, MONO), anchor="ma")
    rows, columns = np.mgrid[0:900, 0:560]
    waves = (
        (columns + 3 * np.sin(rows / 60)).clip(0, 559).astype(int),
        (rows + 3 * np.sin(columns / 45)).clip(0, 899).astype(int),
    )
    bent = Image.fromarray(np.asarray(image)[waves[1], waves[0]])
    return jpeg(noisy(bent.rotate(2, fillcolor="#77716a"), seed, 6.0), 70)


def road_sign(seed: int) -> bytes:
    """A blue signpost with distances, from below."""
    board = Image.new("RGB", (760, 420), "#0a4da3")
    pen = ImageDraw.Draw(board)
    pen.rectangle((8, 8, 751, 411), outline="white", width=6)
    for n, (town, far) in enumerate((("Averstad", "24"), ("Port Selwick", "57"), ("Corvane", "112"))):
        pen.text((50, 50 + 120 * n), town, fill="white", font=face(58, BOLD))
        pen.text((715, 50 + 120 * n), f"{far} km", fill="white", font=face(58, BOLD), anchor="ra")
    seen = askew(board, ((170, 120), (860, 90), (910, 520), (130, 500)), (1040, 640), "#9cc2dd")
    return jpeg(noisy(seen.filter(ImageFilter.GaussianBlur(0.9)), seed, 5.0), 72)


def two_languages(_seed: int) -> bytes:
    """A board with one text in German and in English."""
    image = Image.new("RGB", (940, 640), "#f2efe4")
    pen = ImageDraw.Draw(image)
    pen.rectangle((20, 20, 919, 619), outline="#2f5d3a", width=8)
    pen.text((470, 60), "Naturschutzgebiet / Nature reserve", fill="#2f5d3a", font=face(36, BOLD), anchor="ma")
    for y, line in (
        (150, "Hunde sind an der Leine zu führen."),
        (200, "Baden ist vom 1. Mai bis 30. September erlaubt."),
        (340, "Dogs must be kept on a leash."),
        (390, "Swimming is allowed from 1 May to 30 September."),
        (440, "Camping is not allowed."),
    ):
        pen.text((60, y), line, fill="#222222", font=face(30, SANS))
    return png(image)


def tv_still(seed: int) -> bytes:
    """A television picture with a lower third and a ticker."""
    rng = np.random.default_rng(seed)
    image = Image.fromarray((rng.random((6, 9, 3)) * 200).astype("uint8")).resize((1280, 720), Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 500, 1280, 610), fill="#b00020")
    pen.text((50, 516), "PLANT TO CLOSE IN MARCH", fill="white", font=face(44, BOLD))
    pen.text((50, 570), "Dora Lindqvist, head of Arvo Steel", fill="#ffe0e0", font=face(26, SANS))
    pen.rectangle((0, 640, 1280, 700), fill="#f5f5f5")
    pen.text(
        (50, 652),
        "Arvo Steel cuts 260 jobs in Hollin  +++  Fuel price falls to 1.49 euros a litre",
        fill="#111111",
        font=face(26, BOLD),
    )
    pen.text((1180, 30), "CH 5", fill="white", font=face(34, BOLD))
    return jpeg(image, 55)


def quote_tile(_seed: int) -> bytes:
    """A quotation as it is shared: quotation marks, a name below."""
    image = Image.new("RGB", (1080, 1080), "#1b3a4b")
    pen = ImageDraw.Draw(image)
    for n, line in enumerate(("“We will not build", "a second runway", "before 2031.”")):
        pen.text((110, 300 + 90 * n), line, fill="#f4f1de", font=face(66, HEAVY))
    pen.text((110, 640), "— Petra Vance", fill="#e07a5f", font=face(44, BOLD))
    pen.text((110, 700), "Minister of Transport", fill="#f4f1de", font=face(32, SANS))
    return png(image)


def press_release(seed: int) -> bytes:
    """A letter photographed with a phone: two columns, small print, a stamp across."""
    page = Image.new("RGB", (1100, 1300), "#fcfcfa")
    pen = ImageDraw.Draw(page)
    pen.text((80, 70), "Northgate Hospital Trust", fill="#123456", font=face(40, HEAVY))
    pen.text((80, 130), "Press release, 9 May 2025", fill="#333333", font=face(26, SANS))
    pen.text((80, 210), "New ward opens with 36 beds", fill="#111111", font=face(42, BOLD))
    left = (
        "The new ward of the hospital",
        "opened on Thursday. It has",
        "36 beds and cost 7.4 million",
        "euros. The old ward will be",
        "torn down next year.",
    )
    right = (
        "Waiting times fell from 41 to",
        "29 days, the trust said. It",
        "denied reports that nurses",
        "were to be dismissed. Talks",
        "on wages go on in June.",
    )
    for x, lines in ((80, left), (590, right)):
        for n, line in enumerate(lines):
            pen.text((x, 320 + 48 * n), line, fill="#222222", font=face(27, SERIF))
    pen.text((80, 1220), "Contact: Ruth Amsel, press office", fill="#555555", font=face(20, SANS))
    leaning = page.rotate(2.5, Image.Resampling.BICUBIC, fillcolor="#4a463f")
    shade = np.asarray(leaning).astype(float) * (1 - 0.35 * np.linspace(0, 1, 1300)[:, None, None])
    return jpeg(noisy(Image.fromarray(shade.astype("uint8")), seed, 5.0), 60)


PICTURES: dict[str, Callable[[int], bytes]] = {
    f.__name__: f
    for f in (
        chat,
        news_app,
        poster,
        night_notice,
        dark_chart,
        inside_chart,
        line_chart,
        two_series,
        table_scan,
        meme,
        receipt,
        road_sign,
        two_languages,
        tv_still,
        quote_tile,
        press_release,
    )
}
