"""What of a picture a claim speaks of; the time and the town it plainly gives the picture."""

from __future__ import annotations

from datetime import date

import pytest

from agent.intake.image_claims import image_aspect, is_about_image, pictured_from, pictured_place, shown_scene
from evidence.images.places import scene_place
from language.scenes import place_in


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("The sign says that 18,740 people live there.", "text"),
        ("The chart shows 341 GWh for the third quarter of 2024.", "text"),
        ("In the table, Yara Coldwell is listed fourth.", "text"),
        ("The photo shows a sign saying 50% off.", "text"),
        ("The photo shows a flood in Graz.", "scene"),
        ("The image shows that the mayor resigned.", "scene"),
        ("The screenshot was taken in 2019.", "scene"),
        ("The post says that the photo was taken in 2019.", "scene"),
        ("In the photo, soldiers march in Kyiv.", "scene"),
        ("Photo shows a fire in Rome.", "scene"),
        ("The EXIF data says the photo was taken in 2019.", "file"),
        ("The QR code in the poster leads to example.org.", "code"),
    ],
)
def test_aspect(text: str, aspect: str) -> None:
    assert is_about_image(text)
    assert image_aspect(text) == aspect


@pytest.mark.parametrize(
    ("text", "first", "place"),
    [
        ("The photo was taken in June 2024.", date(2024, 6, 1), None),
        ("This photo shows a flood in Graz in June 2024.", date(2024, 6, 1), "Graz"),
        ("The picture shows a large protest in New York on 3 March 2022.", date(2022, 3, 3), "New York"),
        ("This is a photo of the fire in Rome in 2019.", date(2019, 1, 1), "Rome"),
        ("The photo was taken in Graz, Austria, in June 2024.", date(2024, 6, 1), "Graz"),
        ("The photo shows a flood in Graz.", None, "Graz"),
        ("The photo is from 2016.", date(2016, 1, 1), None),
        ("The photo shows people fleeing Kabul airport in August 2021.", date(2021, 8, 1), "Kabul"),
        ("The image shows rescuers after the quake in Izmir in October 2020.", date(2020, 10, 1), "Izmir"),
        ("The photo shows smoke over Kyiv on 24 February 2022.", date(2022, 2, 24), "Kyiv"),
        ("Photo of thousands of protesters in the streets of Tehran in 2022.", date(2022, 1, 1), "Tehran"),
        ("The photo shows a march against higher fares in Paris in May 2019.", date(2019, 5, 1), None),
        ("The photo shows a crowd in Graz watching the final.", None, "Graz"),
        ("The photo shows a ceremony in Graz marking the games in 2026.", None, "Graz"),
    ],
)
def test_plain_times_and_towns(text: str, first: date | None, place: str | None) -> None:
    assert pictured_from(text) == first
    found = scene_place(pictured_place(text))
    assert (found.name if found else None) == place


@pytest.mark.parametrize(
    "text",
    [
        "The photo shows the winner of the vote in 2024.",
        "The photo shows the stadium built in 2024.",
        "The photo was taken near the bridge opened in 2024.",
        "The video shows a rally for the vote in 2024.",
        "The photo was taken at the stadium of the games in 2026.",
        "The photo shows a flood which hit Graz in 2024.",
        "The photo was not taken in 2024.",
        "The photo was taken before June 2024.",
        "The photo shows a flood in 2013 and a fire in 2024.",
        "The photo shows the model of the hall planned for 2027.",
        "The photo shows the president in 2019.",
        "The photo shows the house destroyed in 2022.",
        "The photo shows the mayor of Graz visiting Vienna.",
        "The photo shows a train to London, one of 2020 and 2021.",
        "The photo shows Paris Hilton with a guest.",
        "The photo shows a march for higher wages in Paris in May 2019.",
    ],
)
def test_a_time_that_may_belong_to_something_else_is_not_taken(text: str) -> None:
    assert pictured_from(text) is None
    assert scene_place(pictured_place(text)) is None


@pytest.mark.parametrize(
    ("text", "first", "place"),
    [
        (
            "The photo shows a woman beside a burnt-out tram in Dnipro on 14 January 2023.",
            "2023-01-14",
            "Dnipro",
        ),
        ("A photo of police officers blocking a road in central Nairobi on 25 June 2024.", "2024-06-25", "Nairobi"),
        (
            "The photo shows passengers on the floor of Frankfurt airport in July 2022.",
            "2022-07-01",
            "Frankfurt",
        ),
        ("The photo shows Yangon's streets empty during a strike in February 2021.", "2021-02-01", "Yangon"),
        ("The image shows the collapse of a bridge in Genoa in August 2018.", "2018-08-01", "Genoa"),
        ("The picture shows a crater in Gorlovka during the summer of 2014.", "2014-01-01", "Gorlovka"),
        ("The photo shows vigils in Toronto and Ottawa in 2017.", "2017-01-01", ""),
        ("The photo shows the striker signed by Porto in 2022.", "", ""),
        ("The photo shows a billboard announcing a concert in Manchester in 2027.", "", ""),
        ("The photo shows a rendering of a tower in Jeddah in 2028.", "", ""),
        ("The photo shows the pilot of the plane that crashed in Smolensk in 2010.", "", ""),
        ("The photo shows a protest against the summit in Hamburg in July 2017.", "", ""),
        ("The photo shows a rally for peace in Gaza in 2023.", "", ""),
        ("The photo shows a mural of a footballer born in Rosario in 1987.", "", ""),
        ("The photo allegedly shows a flood in Valencia in October 2024.", "", ""),
        ("The photo shows the governor in 2015.", "", ""),
        ("The photo shows a bus to Kraków in 2022.", "", ""),
    ],
)
def test_captions_of_another_style(text: str, first: str, place: str) -> None:
    day, found = pictured_from(text), scene_place(pictured_place(text))
    assert (day.isoformat() if day else "", found.name if found else "") == (first, place)


@pytest.mark.parametrize(
    ("caption", "place"),
    [
        ("Rescuers search the rubble of an apartment block in Izmir, Turkey, on 30 October 2020.", "Izmir"),
        ("LVIV, Ukraine — Volunteers sort donated clothes, 4 March 2022", "LVIV"),
        ("People are evacuated from a tower in Beirut.", "Beirut"),
        ("Smoke over the harbour, Cape Town, 3 May 2019", "Cape Town"),
        ("A boy with a flag (Caracas, 2017)", "Caracas"),
        ("The mayor of Lyon at a congress in Turin", ""),
        ("The team that won in Seville returns home", ""),
        ("Statue made in Florence", ""),
    ],
)
def test_a_record_says_where_its_picture_was_taken(caption: str, place: str) -> None:
    found = scene_place(place_in(caption))
    assert (found.name if found else "") == place


def test_what_is_shown_stands_alone() -> None:
    assert shown_scene("This photo shows a flood in Graz in June 2024.") == "A flood in Graz in June 2024."
    assert shown_scene("The image shows that the mayor resigned.") is None
