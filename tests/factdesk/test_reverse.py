"""Reverse image search: an engine on loopback names pages, our own comparison says which of them count."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factdesk.checker import FactChecker
from tests.agent.web_server import Web, serving
from tests.evidence.test_images_known import scene
from tests.factdesk.conftest import Run

KEY = "k-3141592653"
STORY = """<!doctype html><html><head><title>Flood in Linz</title>
<meta property="article:published_time" content="2013-06-03T08:00:00Z">
<meta property="og:site_name" content="Danube Post"></head><body><article><h1>Flood in Linz</h1>
<p>The Danube rose to its highest level in Linz since measurements began, the water authority said.</p>
<figure><img src="/flood.jpg" alt="water"><figcaption>Flooded quay in Linz, 3 June 2013</figcaption></figure>
<p>Hundreds of people left their houses on Sunday night.</p></article></body></html>"""
OTHER = """<!doctype html><html><head><title>Market</title></head><body><article><h1>Market</h1>
<p>The market sells fruit and fish on Saturdays, and the old hall is full of people by nine.</p>
<figure><img src="/market.jpg"><figcaption>Flooded quay in Linz</figcaption></figure></article></body>"""


def jpeg(number: int, quality: int = 85) -> bytes:
    stream = io.BytesIO()
    scene(number).save(stream, "JPEG", quality=quality)
    return stream.getvalue()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with serving() as found:
        monkeypatch.setattr("agent.tools.web.fetch.AddressGuard", lambda: found.guard)
        monkeypatch.setenv("FACTDESK_IMAGESEARCH__PROVIDER", "serpapi")
        monkeypatch.setenv("FACTDESK_IMAGESEARCH__URL", f"http://127.0.0.1:{found.port}/search.json")
        monkeypatch.setenv("FACTDESK_IMAGESEARCH__API_KEY", KEY)
        html = "text/html; charset=utf-8"
        found.extra = {
            "/story": (STORY.encode(), html),
            "/other": (OTHER.encode(), html),
            "/flood.jpg": (jpeg(1), "image/jpeg"),
            "/market.jpg": (jpeg(5), "image/jpeg"),
        }
        found.images = [
            found.url("/other", "b.example"),
            found.url("/story"),
            found.url("/gone", "c.example"),
        ]
        yield found


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    place = tmp_path / "photo.jpg"
    place.write_bytes(jpeg(1, 60))
    return place


def check(run: Run, photo: Path, *more: str) -> Any:
    arguments = ("check", "The photo shows a flood in Linz in 2021.", "--image", str(photo), "--json", *more)
    return run(*arguments).json()


def test_a_page_counts_when_its_picture_is_the_submitted_one(run: Run, web: Web, photo: Path) -> None:
    result = check(run, photo, "--image-url", "https://desk.example/photo.jpg")
    [use] = result["earlier_uses"]
    assert (use["origin"], use["match"], use["published"]) == ("web", "same", "2013-06-03")
    assert use["caption"] == "Flooded quay in Linz, 3 June 2013"
    assert use["url"] == web.url("/story")
    told = [f for f in result["image_findings"] if f["text"].startswith("On the web: ")]
    assert len(told) == 1
    assert not told[0]["deciding"]
    assert web.image_keys == [KEY]


def test_what_the_web_says_of_a_picture_decides_nothing(run: Run, web: Web, photo: Path) -> None:
    result = check(run, photo, "--image-url", "https://desk.example/photo.jpg")
    assert result["verdict"] == "not_enough_evidence"
    assert not any("Linz" in e["text"] for c in result["claims"] for e in c["evidence"])


def test_pages_without_the_picture_are_no_uses_and_said_so(run: Run, web: Web, photo: Path) -> None:
    web.images = [web.url("/other", "b.example"), web.url("/good")]
    result = check(run, photo, "--image-url", "https://desk.example/photo.jpg")
    assert result["earlier_uses"] == []
    assert any("Of 2 pages" in f["text"] and "none" in f["text"] for f in result["image_findings"])


def test_without_an_address_or_an_engine_that_answers_it_says_so(run: Run, web: Web, photo: Path) -> None:
    [failure] = [f for f in check(run, photo)["failures"] if f["where"] == "web.images"]
    assert "--image-url" in failure["message"]
    assert not failure["deciding"]
    web.search_status = 401
    [failure] = [
        f
        for f in check(run, photo, "--image-url", "https://desk.example/p.jpg")["failures"]
        if f["where"] == "web.images"
    ]
    assert "api_key" in failure["message"]
    assert KEY not in json.dumps(failure)


def test_a_recording_replays_without_the_web_and_holds_no_key(run: Run, web: Web, photo: Path, tmp_path: Path) -> None:
    place = tmp_path / "run.jsonl.zst"
    more = ("--image-url", "https://desk.example/photo.jpg", "--record", str(place))
    result = check(run, photo, *more)
    asked = len(web.asked)
    replayed = run("replay", str(place), "--json").json()
    assert replayed["body_sha256"] == result["body_sha256"]
    assert len(web.asked) == asked
    import zstandard

    raw = zstandard.ZstdDecompressor().decompressobj().decompress(place.read_bytes())
    assert KEY.encode() not in raw
    certificate = run("history", "show", result["certificate_id"], "--certificate").out
    assert KEY not in certificate


def test_off_unless_an_engine_is_named(photo: Path) -> None:
    report = FactChecker.from_config().check(
        "The photo shows a flood.", images=[photo], image_urls=["https://desk.example/p.jpg"], record=False
    )
    body = report.certificate.body
    assert "imagesearch" not in body.settings
    assert not [f for f in body.failures if f.where == "web.images"]


def test_its_captions_answer_questions_and_settle_nothing(run: Run, web: Web, photo: Path) -> None:
    result = check(run, photo, "--image-url", "https://desk.example/photo.jpg")
    body = run("history", "show", result["certificate_id"], "--certificate").json()["body"]
    spans = [s for c in body["claims"] for s in c["spans"] if s["span"]["kind"] == "caption"]
    assert {s["span"]["text"] for s in spans} == {"Flooded quay in Linz, 3 June 2013"}
    assert spans[0]["span"]["url"] == web.url("/story")
    assert any(spans[0]["span"]["span_id"] in a["span_ids"] for a in body["answers"])
    assert [d["state"] for d in body["decisions"]] == ["UNVERIFIED"]
