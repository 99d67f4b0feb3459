"""What is drawn into the example images, and the data in their files. Invented, like the articles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Exif:
    """What the camera of a photo-like image claims about itself.

    ``latitude`` and ``longitude`` are (degrees, minutes, seconds), north and west.
    """

    taken: str
    make: str
    model: str
    software: str
    latitude: tuple[float, float, float]
    longitude: tuple[float, float, float]


SCENE_EXIF = Exif(
    taken="2019:08:17 15:42:10",
    make="Halcyon",
    model="Halcyon HX-20",
    software="HalcyonView 3.1",
    latitude=(45.0, 12.0, 36.0),
    longitude=(31.0, 40.0, 12.0),
)

CHART_VALUES = (("Q1 2024", 512), ("Q2 2024", 388), ("Q3 2024", 341), ("Q4 2024", 547))

TABLE_HEAD = ("Rank", "Name", "Town", "Time")
TABLE_ROWS = (
    ("1", "Lena Abrook", "Port Selwick", "1:09:42"),
    ("2", "Priya Sandoval", "Averstad", "1:10:15"),
    ("3", "Marit Holmgaard", "Estwick", "1:10:58"),
    ("4", "Yara Coldwell", "Hollin", "1:11:36"),
    ("5", "Signe Ottaway", "Corvane", "1:12:04"),
    ("6", "Blanka Rusk", "Milbeck", "1:12:51"),
)

#: Every line of text that is drawn, by file name (for ``scene.jpg`` also its EXIF values), in reading order.
TEXTS: dict[str, tuple[str, ...]] = {
    "chart.png": (
        "Skerrow Bank wind farm",
        "Electricity per quarter in gigawatt hours (GWh)",
        *(text for label, value in CHART_VALUES for text in (f"{value} GWh", label)),
        "Source: Skerrow Wind, January 2025",
    ),
    "post.png": (
        "Selwick Rider Watch",
        "@selwickwatch",
        "Tram line 4 has derailed twice this week!",
        "14 people were hurt and nobody reports it.",
        "The transit authority keeps quiet. Share this!",
        "12 June 2025, 18:47",
        "214 reposts   87 likes   39 replies",
    ),
    "sign.png": (
        "HARROWMERE",
        "Population 18,740",
        "Market every Thursday",
        "Twinned with Saint-Aubry",
        "Please drive slowly",
    ),
    "scan.jpg": (
        "TARRIN HEALTH AGENCY",
        "Estbrook, 3 April 2025",
        "Bulletin No. 14: Whooping cough",
        "Period: 1 January to 31 March 2025",
        "Confirmed cases: 186",
        "Admissions to hospital: 11",
        "Deaths: 0",
        "Most infections occurred in Milbeck.",
        "All figures are provisional and may be",
        "revised after laboratory retests.",
        "Oren Falk, chief physician",
        "RECEIVED 4 APR 2025",
    ),
    "scene.jpg": (
        "LAKE BRENNICK",
        "NO BATHING",
        SCENE_EXIF.taken,
        SCENE_EXIF.make,
        SCENE_EXIF.model,
        SCENE_EXIF.software,
    ),
    "table.png": (
        "Corvane Half Marathon, 18 May 2025",
        "Women, final results",
        *TABLE_HEAD,
        *(cell for row in TABLE_ROWS for cell in row),
    ),
    "frontpage.png": (
        "THE DUNMARROW POST",
        "Wednesday, 22 January 2025",
        "Price 2.20 euros",
        "Ostrel to close tile plant",
        "340 jobs will be lost in Dunmarrow",
        "The kilns of Ostrel Ceramics",
        "will go out on 30 September.",
        "Chief executive Maud Kessling",
        "named the price of gas as",
        "the reason. The union was",
        "told on Tuesday morning.",
        "Town buys factory site",
        "for 3 million euros",
        "The contract is said to be",
        "signed. The town hall gave",
        "no comment last night.",
        "Snow expected on Friday",
    ),
    "infographic.png": (
        "When Payvane stood still",
        "64%",
        "of small shops lost sales",
        "during the Payvane outage",
        "1 in 5 shops added a second payment provider",
        "1 in 10 shops had to close for good",
        "Source: Small Trade Council, 1,204 shops asked,",
        "14 to 21 May 2025",
    ),
}
