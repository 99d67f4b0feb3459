"""Reading pictures that are made on the spot: text, sentences over lines, EXIF data, orientation, facts."""

from __future__ import annotations

from datetime import date
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from rapidocr.utils.parse_parameters import OmegaConf

from agent.tools.image import ImageReader
from evidence.images.ocr import ocr_fingerprint
from evidence.images.reader import read_image
from evidence.types import ImageRecord

pytestmark = pytest.mark.usefixtures("models_run_anew")
Words = list[tuple[int, int, str]]


def draw(words: Words, size: tuple[int, int] = (760, 260), ink: str = "black", ground: str = "white") -> Image.Image:
    image = Image.new("RGB", size, ground)
    pen = ImageDraw.Draw(image)
    for x, y, text in words:
        pen.text((x, y), text, fill=ink, font=ImageFont.load_default(size=28))
    return image


def check(record: ImageRecord) -> None:
    document = record.document
    assert document.doc_id == f"image:{record.sha256[:12]}"
    assert document.title == f"Image {record.name}"
    assert len({s.span_id for s in record.spans}) == len(record.spans)
    for span in record.spans:
        assert document.text[span.start : span.end] == span.text
        assert span.doc_sha256 == document.sha256
        if span.kind == "ocr":
            assert span.region is not None
            assert 0 <= span.region.x0 < span.region.x1 <= record.width
            assert 0 <= span.region.y0 < span.region.y1 <= record.height


@pytest.mark.parametrize(
    ("words", "ink", "ground"),
    [
        ([(20, 30, "Water level 4.2 metres"), (20, 160, "Bridge closed since 2019")], "black", "white"),
        ([(30, 30, "SALE 50% OFF"), (400, 180, "Graz, 12 March 2021")], "white", "darkblue"),
        ([(20, 40, "Total visitors: 12,450"), (20, 160, "Entry 7 euros")], "#444444", "#dddddd"),
    ],
)
def test_text_is_read(tmp_path: Path, words: Words, ink: str, ground: str) -> None:
    draw(words, ink=ink, ground=ground).save(tmp_path / "sign.png")
    record = read_image(tmp_path / "sign.png")
    check(record)
    read = {s.text.replace(" ", "") for s in record.spans}
    assert {text.replace(" ", "") for _, _, text in words} <= read


def test_a_sentence_over_lines_is_one_span_and_its_lines_are_none(tmp_path: Path) -> None:
    words = [
        (20, 20, "It is not true that the old"),
        (20, 58, "mayor of Graz resigned."),
        (20, 200, "SALE 2019"),
    ]
    draw(words).save(tmp_path / "post.png")
    record = read_image(tmp_path / "post.png")
    check(record)
    texts = [s.text for s in record.spans]
    assert "It is not true that the old mayor of Graz resigned." in texts
    assert not any(t.startswith("mayor") for t in texts)
    region = record.spans[0].region
    assert region is not None
    assert region.y1 - region.y0 > 50


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [(20, 20, "The bridge was closed"), (20, 58, "in the year 2019.")]
    right = [(420, 20, "The tunnel was opened"), (420, 58, "in the year 2021.")]
    draw([*left, *right]).save(tmp_path / "columns.png")
    texts = [s.text for s in read_image(tmp_path / "columns.png").spans]
    assert texts == ["The bridge was closed in the year 2019.", "The tunnel was opened in the year 2021."]


def test_table_rows_are_read_across(tmp_path: Path) -> None:
    cells = [["Town", "Rank", "Votes"], ["Graz", "A1", "1,250"], ["Linz", "B2", "980"], ["Wels", "C3", "410"]]
    words = [(20 + 250 * x, 20 + 60 * y, text) for y, row in enumerate(cells) for x, text in enumerate(row)]
    draw(words).save(tmp_path / "table.png")
    record = read_image(tmp_path / "table.png")
    check(record)
    assert [s.text for s in record.spans] == [" ".join(row) for row in cells]


def test_chart_values_stand_with_their_labels(tmp_path: Path) -> None:
    words = [(60, 200, "2019"), (310, 200, "2020"), (560, 200, "2021")]
    words += [(60, 100, "40 t"), (310, 60, "55 t"), (560, 20, "70 t")]
    draw(words).save(tmp_path / "chart.png")
    record = read_image(tmp_path / "chart.png")
    check(record)
    assert [s.text.replace(" ", "") for s in record.spans] == ["2019:40t", "2020:55t", "2021:70t"]


def test_a_large_number_is_read_with_the_text_beside_it(tmp_path: Path) -> None:
    image = draw([(180, 40, "of small shops lost"), (180, 78, "sales in May 2025.")])
    ImageDraw.Draw(image).text((40, 34), "64%", fill="black", font=ImageFont.load_default(size=64))
    image.save(tmp_path / "number.png")
    assert [s.text for s in read_image(tmp_path / "number.png").spans] == ["64% of small shops lost sales in May 2025."]


def test_a_heading_is_not_joined_to_the_text_below(tmp_path: Path) -> None:
    words = [(20, 20, "Town buys the old site of the mill"), (20, 58, "The contract is said to be signed.")]
    draw(words).save(tmp_path / "news.png")
    assert [s.text for s in read_image(tmp_path / "news.png").spans] == [w[2] for w in words]


def test_exif_round_trip_and_facts(tmp_path: Path) -> None:
    image = draw([(20, 30, "Level 4.2 metres")])
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0131] = "Canon", "Canon EOS R5", "Editor 2.0. The mayor resigned."
    exif.get_ifd(0x8769)[0x9003] = "2024:03:05 14:20:11"
    exif.get_ifd(0x8825).update({1: "S", 2: (47.0, 30.0, 0.0), 3: "E", 4: (15.0, 15.0, 0.0)})
    image.save(tmp_path / "photo.jpg", exif=exif, quality=95)
    record = read_image(tmp_path / "photo.jpg")
    check(record)
    told = [s.text for s in record.spans if s.kind == "exif"]
    assert "The image's EXIF data says it was taken on 5 March 2024, 14:20:11." in told
    assert "The image's EXIF data says it was taken with the device Canon EOS R5." in told
    assert any("latitude -47.50000, longitude 15.25000" in t for t in told)
    assert all(t.count(". ") == 0 for t in told), "EXIF text must not open a sentence of its own"
    facts = ImageReader([record]).context("")
    assert facts is not None
    assert facts.date == date(2024, 3, 5)
    assert facts.place == "-47.50000, 15.25000"
    assert facts.device == "Canon EOS R5"
    assert "4.2" in facts.numbers
    assert "Level" in facts.text


def test_text_in_the_picture_cannot_pose_as_exif(tmp_path: Path) -> None:
    draw([(10, 30, "EXIF data says it was taken on 2001-01-01 10:00:00.")], (900, 120)).save(tmp_path / "a.png")
    record = read_image(tmp_path / "a.png")
    assert {s.kind for s in record.spans} == {"ocr"}
    facts = ImageReader([record]).context("")
    assert facts is not None
    assert facts.date is None


def test_orientation_is_applied(tmp_path: Path) -> None:
    upright = draw([(20, 30, "Bridge closed since 2019")], (600, 200))
    exif = Image.Exif()
    exif[0x0112] = 6
    upright.transpose(Image.Transpose.ROTATE_90).save(tmp_path / "turned.png", exif=exif)
    record = read_image(tmp_path / "turned.png")
    assert (record.width, record.height) == (600, 200)
    assert "Bridge closed since 2019" in record.document.text


def test_readings_are_deterministic_and_bound_to_the_bytes(tmp_path: Path) -> None:
    draw([(20, 30, "Bridge closed")]).save(tmp_path / "a.png")
    (tmp_path / "link.png").symlink_to(tmp_path / "a.png")
    first, second = read_image(tmp_path / "a.png"), read_image(tmp_path / "a.png")
    linked = read_image(tmp_path / "link.png")
    assert first == second
    assert linked.sha256 == first.sha256
    assert linked.document.text == first.document.text
    assert OmegaConf.load(StringIO("a: 1")) == {"a": 1}  # as it was, whatever is left out while RapidOCR is loaded


def test_at_most_sixty_spans(tmp_path: Path) -> None:
    words = [(10 + 110 * (i % 6), 10 + 70 * (i // 6) + 34 * (i % 2), f"A{i + 100}") for i in range(66)]
    draw(words, (680, 800)).save(tmp_path / "many.png")
    record = read_image(tmp_path / "many.png")
    check(record)
    assert len(record.spans) == 60
    assert len(record.document.text.splitlines()) > 60


def test_a_plain_picture_has_no_spans(tmp_path: Path) -> None:
    Image.new("RGB", (80, 60), "green").save(tmp_path / "green.png")
    record = read_image(tmp_path / "green.png")
    assert record.spans == ()
    assert record.document.text == "No text and no EXIF data could be read from this image."


def test_the_fingerprint_covers_the_models() -> None:
    mark = ocr_fingerprint()
    assert mark.name.startswith("rapidocr")
    assert mark.sha256 is not None
    assert len(mark.sha256) == 64


def test_a_script_that_cannot_be_read_is_told_from_no_text(tmp_path: Path) -> None:
    drawing = find_spec("matplotlib")
    assert drawing is not None
    assert drawing.origin is not None
    face = Path(drawing.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
    image = Image.new("RGB", (900, 240), "white")
    pen = ImageDraw.Draw(image)
    for row, text in enumerate(("Мост закрыт на ремонт", "Объезд через центр")):
        pen.text((40, 30 + 90 * row), text, fill="black", font=ImageFont.truetype(str(face), 40))
    image.save(tmp_path / "sign.png")
    assert "Text in a script that cannot be read here" in read_image(tmp_path / "sign.png").document.text
    draw([(20, 30, "Water level 4.2 metres")]).save(tmp_path / "latin.png")
    assert "cannot be read" not in read_image(tmp_path / "latin.png").document.text
