"""What a picture's record or its file says, and what it does not say."""

from __future__ import annotations

from datetime import date

import pytest

from evidence.images.credentials import Credentials, _credentials
from evidence.images.file_data import Block, parse_xmp
from evidence.images.file_findings import file_facts
from evidence.images.places import named_place, nearest_place
from evidence.images.records import record_spans, shows_no_event
from evidence.types import Frame, KnownImage

MADE_UP = [
    "An AI-generated picture of a bishop on a surfboard",
    "A photoshopped image of a whale in the harbour of Tarnby.",
    "A bishop on a surfboard, in an image made with Midjourney",
    "A whale in the harbour of Tarnby. The photo is a montage.",
    "Doctored photo of a whale in the harbour",
    "A still from the film The Long Tide: a whale in the harbour of Tarnby",
    "A whale lies in the harbour, in a scene from the series The Long Tide",
    "Screenshot from a video game: tanks cross the Sill bridge",
    "A painting of the great fire of Tarnby",
    "Actors re-enact the landing at Tarnby",
    "This image is a composite of two photographs",
    "A staged photo of a thief in the museum",
    "Wax figure of the bishop on the quay",
]
REAL = [
    "A bishop on a surfboard at the quay of Tarnby",
    "Visitors look at a painting of the great fire",
    "The director of the film speaks in Tarnby",
    "Firefighters at the harbour after an exercise of the navy was called off",
    "People queue for the new game outside a shop",
    "A model of the bridge's owner, Edda Brisk, at the opening",
]


def spans(caption: str, source: str = "Tarnby Post") -> list[Frame]:
    known = KnownImage(
        image_id="0" * 64,
        name="a.jpg",
        caption=caption,
        source=source,
        published=date(2021, 5, 3),
        width=1,
        height=1,
        hashes=b"",
        thumbnail=b"",
    )
    return [span.frame for span in record_spans(known)]


@pytest.mark.parametrize("caption", MADE_UP)
def test_a_record_of_a_picture_that_is_made_up_is_a_witness_against(caption: str) -> None:
    assert set(spans(caption)) == {"made_up"}


@pytest.mark.parametrize("caption", REAL)
def test_other_records_vouch_for_what_they_say(caption: str) -> None:
    assert not shows_no_event(caption)
    assert set(spans(caption)) == {""}


def test_a_caption_that_quotes_a_rumour_vouches_for_nothing() -> None:
    assert set(spans("Viral post: a whale lies in the harbour of Tarnby")) != {""}


@pytest.mark.parametrize(
    ("latitude", "longitude", "words"),
    [
        (40.7375, -73.9861, "near Gramercy Park and New York City, United States"),
        (47.07, 15.44, "near Graz, Austria"),
        (51.4613, -0.1156, "London, United Kingdom"),
    ],
)
def test_a_quarter_is_told_with_its_city(latitude: float, longitude: float, words: str) -> None:
    near = nearest_place(latitude, longitude)
    assert near is not None
    assert words in near.words


def test_a_name_that_several_places_bear_stays_open() -> None:
    odessa = named_place("Odessa")
    assert odessa is not None
    near = {(round(latitude), round(longitude)) for latitude, longitude in odessa.points}
    assert {(46, 31), (32, -102)} <= near
    york = named_place("New York")
    assert york is not None
    assert (41, -74) in {(round(latitude), round(longitude)) for latitude, longitude in york.points}
    assert named_place("Tarnbyhavn") is None


def test_the_day_a_file_was_made_or_changed_is_not_the_day_taken() -> None:
    rdf = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2023-04-09" xmp:ModifyDate="2024-01-02"{}/>'
        "</rdf:RDF>"
    )
    nothing = file_facts(Block("EXIF"), Block("IPTC"), parse_xmp(rdf.format("").encode()), Credentials(), {})
    assert nothing.taken is None
    own = ' xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:DateCreated="2019-08-17"'
    told = file_facts(Block("EXIF"), Block("IPTC"), parse_xmp(rdf.format(own).encode()), Credentials(), {})
    assert told.taken == date(2019, 8, 17)


def store(failures: list[tuple[str, str]], passed: bool = True) -> dict[str, object]:
    """What the C2PA library says of a manifest whose hashes and signature ``passed``."""
    success = ["claimSignature.validated", "assertion.dataHash.match"] if passed else []
    return {
        "active_manifest": "urn:c2pa:one",
        "manifests": {"urn:c2pa:one": {"signature_info": {"common_name": "Edda Brisk", "issuer": "Tarnby"}}},
        "validation_status": [{"code": c, "url": f"self#jumbf=/c2pa/{m}/c2pa.signature"} for c, m in failures],
        "validation_results": {"activeManifest": {"success": [{"code": code} for code in success]}},
    }


OWN, OTHER = "urn:c2pa:one", "urn:c2pa:two"
CHANGED = "changed after they were signed"


@pytest.mark.parametrize(
    ("failures", "state", "told"),
    [
        ([("signingCredential.untrusted", OWN)], "valid", "are valid and were signed by Edda Brisk"),
        ([("signingCredential.expired", OWN)], "valid", "certificate does not hold today"),
        ([("signingCredential.revoked", OWN)], "valid", "certificate does not hold today"),
        ([("timeStamp.outsideValidity", OWN)], "valid", "time of the signing could not be confirmed"),
        ([("cawg.ica.did_unavailable", OWN)], "valid", "identity that the content credentials name"),
        ([("assertion.dataHash.mismatch", OTHER)], "valid", "picture that went into this one"),
        ([("some.new.code", OWN)], "unknown", "could not be told (some.new.code)"),
    ],
)
def test_integrity_signer_time_and_identity_are_told_apart(
    failures: list[tuple[str, str]], state: str, told: str
) -> None:
    found = _credentials(store(failures), "Invalid")
    sentences = " ".join(found.sentences())
    assert (found.state, told in sentences, CHANGED in sentences) == (state, True, False)
    if "untrusted" not in failures[0][0]:
        assert "are valid" not in sentences


@pytest.mark.parametrize("code", ["assertion.dataHash.mismatch", "claimSignature.mismatch", "assertion.missing"])
def test_what_was_changed_after_signing_is_told(code: str) -> None:
    found = _credentials(store([("signingCredential.expired", OWN), (code, OWN)], passed=False), "Invalid")
    assert found.state == "invalid"
    assert CHANGED in " ".join(found.sentences())


def test_where_nothing_says_that_the_hashes_hold_it_cannot_be_told() -> None:
    found = _credentials(store([("signingCredential.expired", OWN)], passed=False), "Invalid")
    assert found.state == "unknown"
    assert "are valid" not in " ".join(found.sentences())
