"""Formats of phones, times and places inside a file, generators' marks and credentials that lie elsewhere."""

from __future__ import annotations

import base64
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from evidence.images.credentials import read_credentials
from evidence.images.file_data import exif_fields, parse_exif, parse_xmp, table_of
from evidence.images.file_findings import clock_findings, future_findings, generated_by, generator_in, placed_findings
from evidence.images.files import decode
from evidence.images.places import named_place
from evidence.types import Document, FileFacts, ImageRecord
from tests.evidence.c2pa_maker import signed_jpeg

HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAb1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "ADRpbG9jAAAAAERAAAIAAQAAAAAB4QABAAAAAAAAACUAAgAAAAACBgABAAAAAAAAAC4AAAA4aWluZgAAAAAAAgAAABVpbmZlAgAA"
    "AAABAABodmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmNDAQNwAAAA"
    "kAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq"
    "rprm4CGgwIAAAAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFw"
    "AAAAEAAAAAEAAAAQAAAAAf///9AAAAAC////0AAAAAIAAAAQcGl4aQAAAAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAA"
    "GmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAABbbWRhdAAAACEoAa8EEhMM4Pjpwmg+6nrvLpm8n7SrK+NJn3exGJKp/6AAAAAGRXhp"
    "ZgAATU0AKgAAAAgAAQE7AAIAAAAJAAAAGgAAAABBZGEgSG9sbQAA"
)
"""16 x 16 pixels of one colour, with an artist in EXIF."""

GRAZ = {1: "N", 2: (47.0, 4.0, 12.0), 3: "E", 4: (15.0, 26.0, 24.0)}


def exif_of(taken: str, offset: str | None = None, **gps: object) -> bytes:
    exif = Image.Exif()
    exif[0x013B], exif[0x8298], exif[0x010E] = "Ada Holm", "Harbour Courier 2021", "A dry river. " * 30
    sub = exif.get_ifd(0x8769)
    sub[0x9003] = taken
    if offset is not None:
        sub[0x9011] = offset
    exif.get_ifd(0x8825).update({**GRAZ, **{int(key[1:]): value for key, value in gps.items()}})
    return exif.tobytes()


def found_in(raw: bytes) -> list[str]:
    return list(clock_findings(parse_exif(raw)))


def test_avif_and_heic_are_read_with_their_data() -> None:
    pixels = Image.new("RGB", (64, 48), "steelblue")
    out = BytesIO()
    pixels.save(out, "AVIF", exif=exif_of("2021:03:01 10:00:00"))
    opened = decode(out.getvalue(), "photo.avif", 10_000)
    assert (opened.format, opened.pixels.size) == ("AVIF", (64, 48))
    assert parse_exif(opened.exif).fields["author"] == "Ada Holm"
    opened = decode(HEIC, "photo.heic", 10_000)
    assert (opened.format, opened.pixels.size) == ("HEIF", (16, 16))
    assert parse_exif(opened.exif).fields["author"] == "Ada Holm"


def test_who_made_it_whose_it_is_and_its_whole_caption_are_told() -> None:
    exif = parse_exif(exif_of("2021:03:01 10:00:00"))
    told = [sentence for _, sentence in exif.sentences()]
    assert "The image's EXIF data says it was made by Ada Holm." in told
    assert "The image's EXIF data names the copyright Harbour Courier 2021." in told
    assert max(map(len, told)) > 300
    fields = dict(exif_fields(exif_of("2021:03:01 10:00:00", x29="2021:03:01")))
    assert fields["EXIF Artist"] == "Ada Holm"
    assert fields["GPS GPSDateStamp"] == "2021:03:01"
    assert len(fields["EXIF ImageDescription"]) > 300
    made = Image.Exif()
    made.get_ifd(0x8769)[0x9286] = b"ASCII\0\0\0a harbour\nSteps: 20, Sampler: Euler a, Seed: 4"
    assert generator_in({"comment of EXIF": parse_exif(made.tobytes()).comment}) == "Stable Diffusion"
    assert exif_fields(b"Exif\0\0damaged") == ()


@pytest.mark.parametrize(
    ("taken", "offset", "gps", "words"),
    [
        ("2021:03:01 10:00:00", "+01:00", {"x29": "2021:03:01", "x7": (9.0, 0.0, 4.0)}, ""),
        ("2021:03:01 10:00:00", None, {"x29": "2021:03:01", "x7": (9.0, 0.0, 4.0)}, ""),
        ("2021:03:01 10:00:00", "+01:00", {}, ""),
        ("2021:03:05 10:00:00", "+01:00", {"x29": "2021:03:01", "x7": (9.0, 0.0, 4.0)}, "the satellites' time"),
        ("2021:03:05 10:00:00", None, {"x29": "2021:03:01", "x7": (9.0, 0.0, 4.0)}, "the satellites' time"),
        ("2021:03:01 10:00:00", "-08:00", {}, "time zone (UTC-08:00)"),
        ("2021:03:01 10:00:00", None, {"x29": "2021:03:01", "x7": (17.0, 0.0, 0.0)}, "was not set to the time"),
        ("2021:03:01 10:00:00", None, {"x29": "soon", "x7": (99.0, 0.0, 0.0)}, ""),
    ],
)
def test_clocks_are_held_against_each_other(taken: str, offset: str | None, gps: dict[str, object], words: str) -> None:
    found = " ".join(found_in(exif_of(taken, offset, **gps)))
    assert words in found
    assert bool(words) == bool(found)


def record_of(**facts: object) -> ImageRecord:
    return ImageRecord(
        sha256="0" * 64,
        name="a.jpg",
        format="JPEG",
        width=9,
        height=9,
        document=Document(doc_id="d", title="t", text="x", sha256="0" * 64),
        spans=(),
        file=FileFacts.model_validate(facts),
    )


def test_days_that_are_yet_to_come_are_told() -> None:
    today = date(2021, 3, 1)
    assert future_findings(record_of(taken=date(2021, 3, 2)), today) == []
    [told] = future_findings(record_of(taken=date(2021, 3, 4), changed=today), today)
    assert (told.kind, told.image) == ("contradiction", "0" * 64)
    assert "2021-03-04, which is yet to come" in told.text


def test_coordinates_of_xmp_and_their_distance_from_the_claimed_town() -> None:
    xmp = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="47,4.2N" exif:GPSLongitude="15,26,24E"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights><rdf:Alt><rdf:li>Ada Holm</rdf:li></rdf:Alt></dc:rights>
    </rdf:Description></rdf:RDF></x:xmpmeta>"""
    found = parse_xmp(xmp)
    assert found.place == (47.07, 15.44)
    assert "The image's XMP data says the copyright is that of Ada Holm." in [s for _, s in found.sentences()]
    record = record_of(latitude=47.07, longitude=15.44)
    [far] = placed_findings(record, named_place("Lisbon"))
    assert far.kind == "contradiction"
    assert "km from Lisbon" in far.text
    [near] = placed_findings(record, named_place("Graz"))
    assert near.kind == "metadata"
    assert placed_findings(record, None) == []


@pytest.mark.parametrize(
    ("texts", "program"),
    [
        ({"parameters": "a harbour\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 4"}, "Stable Diffusion"),
        ({"prompt": '{"3": {"class_type": "KSampler", "inputs": {}}}'}, "ComfyUI"),
        ({"comment of EXIF": "a harbour\nSteps: 30, Sampler: DPM++ 2M"}, "Stable Diffusion"),
        ({"Software": "Adobe Firefly 3"}, "Adobe Firefly 3"),
        ({"Software": "Matplotlib version 3.10"}, None),
        ({"Description": "Steps: 20 lead to the harbour"}, None),
        ({"Title": "Imagenes de la ciudad"}, None),
    ],
)
def test_generators_are_known_by_their_marks(texts: dict[str, str], program: str | None) -> None:
    assert generator_in(texts) == program


def test_marks_in_a_png_file_are_read(tmp_path: Path) -> None:
    chunks = PngImagePlugin.PngInfo()
    chunks.add_itxt("parameters", "harbour, film grain\nSteps: 20, Sampler: Euler a, Seed: 4")
    Image.new("RGB", (20, 20)).save(tmp_path / "made.png", pnginfo=chunks)
    opened = decode((tmp_path / "made.png").read_bytes(), "made.png", 1_000)
    assert generator_in(opened.texts) == "Stable Diffusion"
    assert table_of("Text", opened.texts.items())[0][0] == "Text parameters"
    kind = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
    assert generated_by(None, kind) == kind


def test_states_of_credentials_are_told_apart() -> None:
    found = read_credentials(signed_jpeg(Image.new("RGB", (64, 48), "red")), "JPEG")
    assert (found.state, found.library, found.trusted) == ("valid", "Valid", False)
    assert found.table["signer"] == "Tollgate Post / Tollgate"
    assert any("state by the C2PA library: valid, not trusted" in s for s in found.sentences())
    remote = read_credentials(b'\xff\xd8 dcterms:provenance="https://manifests.example/x.c2pa"', "JPEG")
    assert remote.state == "remote"
    assert "https://manifests.example/x.c2pa; they were not fetched" in remote.sentences()[0]
