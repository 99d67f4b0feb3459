"""Known images from the command line, and a check that finds an earlier use."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image, ImageDraw, ImageFont

from factdesk.checker import FactChecker
from factdesk.cli import cli
from factdesk.images.caption_file import Description, description_of
from factdesk.kernel import InputError
from tests.evidence.test_images_known import scene


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    scene(1).save(folder / "flood.jpg", quality=92)
    scene(2).save(folder / "protest.png")
    (folder / "captions.csv").write_text(
        "file,caption,published,source\nflood.jpg,Flood in Linz in June 2013,2013-06-03,Danube Post\n"
    )
    (folder / "protest.json").write_text(json.dumps({"caption": "Protest in Berlin", "published": "2019-05-02"}))
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no picture")
    return folder


def test_add_list_search_remove(archive: Path, tmp_path: Path) -> None:
    outcome = json.loads(run("images", "add", str(archive), "--json"))
    assert (outcome["added"], [name for name, _ in outcome["skipped"]]) == (2, ["broken.jpg"])
    assert json.loads(run("images", "add", str(archive), "--json"))["unchanged"] == 2
    listed = json.loads(run("images", "list", "--json"))
    assert [(k["name"], k["published"]) for k in listed] == [
        ("protest.png", "2019-05-02"),
        ("flood.jpg", "2013-06-03"),
    ]
    scene(1).crop((40, 20, 640, 470)).save(tmp_path / "copy.jpg", quality=60)
    [use] = json.loads(run("images", "search", str(tmp_path / "copy.jpg"), "--json"))
    assert (use["match"], use["source"], use["published"]) == ("same", "Danube Post", "2013-06-03")
    assert "published on 2013-06-03 by Danube Post" in run("images", "search", str(tmp_path / "copy.jpg"))
    assert run("images", "remove", listed[1]["image_id"][:12]) == "1 image(s) removed\n"
    assert run("images", "search", str(tmp_path / "copy.jpg")) == "no earlier use is known\n"


def test_a_description_with_a_wrong_day_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"published": "yesterday"}')
    with pytest.raises(InputError, match="published"):
        description_of(tmp_path / "a.jpg", Description())
    (tmp_path / "a.json").write_text("[1]")
    with pytest.raises(InputError, match="objects"):
        description_of(tmp_path / "a.jpg", Description())


def test_flags_stand_over_files(archive: Path) -> None:
    found = description_of(archive / "flood.jpg", Description(source="Other"))
    assert (found.source, found.published) == ("Other", date(2013, 6, 3))


def test_a_check_is_contradicted_by_the_record_and_not_by_the_picture(archive: Path, tmp_path: Path) -> None:
    checker = FactChecker.from_config()
    copy = tmp_path / "copy.jpg"
    scene(1).crop((40, 20, 640, 470)).save(copy, quality=60)
    before = checker.check("This photo shows a flood in Linz in June 2024.", images=[copy]).json()
    assert before["verdict"] == "not_enough_evidence"
    assert before["earlier_uses"] == []
    run("images", "add", str(archive))
    report = checker.check("This photo shows a flood in Linz in June 2024.", images=[copy])
    found = report.json()
    assert (found["verdict"], found["claims"][0]["rule"]) == ("refuted", "published_earlier")
    [use] = found["earlier_uses"]
    assert (use["published"], use["source"], use["caption"]) == (
        "2013-06-03",
        "Danube Post",
        "Flood in Linz in June 2013",
    )
    assert use["distance"] <= 11
    deciding = [f for f in found["image_findings"] if f["deciding"]]
    assert [f["kind"] for f in deciding] == ["earlier_use"]
    assert all(not f["deciding"] for f in found["image_findings"] if f["kind"] in ("tampering", "contradiction"))
    assert found["clip"] == {
        "available": False,
        "captions": [],
        "reason": found["clip"]["reason"],
        "similarity": None,
        "scenes": [],
    }
    assert "CLIP not available" in found["clip"]["reason"]
    assert report.certificate.body.documents[0]["publisher"] == "Danube Post"
    told = "'Flood in Linz in June 2013', published on 2013-06-03 by Danube Post, before the time the claim gives it"
    assert told in report.certificate.body.decisions[0].reason
    assert told.replace("'", "&#39;") in report.html()
    assert (
        checker.check("This photo shows a flood in Graz in June 2013.", images=[copy]).json()["claims"][0]["rule"]
        == "placed_elsewhere"
    )
    world = checker.check("A flood hit Linz in June 2024.", images=[copy]).json()
    assert world["verdict"] == "not_enough_evidence"


def test_an_altered_copy_is_told_and_decides_nothing(archive: Path, tmp_path: Path) -> None:
    run("images", "add", str(archive))
    painted = scene(1)
    ImageDraw.Draw(painted).ellipse((300, 200, 380, 290), fill=(250, 250, 20))
    painted.save(tmp_path / "painted.jpg", quality=85)
    found = (
        FactChecker.from_config()
        .check("This photo shows a flood in Linz in June 2024.", images=[tmp_path / "painted.jpg"])
        .json()
    )
    assert found["verdict"] == "not_enough_evidence"
    assert [u["match"] for u in found["earlier_uses"]] == ["altered"]
    [altered] = [f for f in found["image_findings"] if f["kind"] == "altered"]
    assert altered["region"]["x0"] <= 340 <= altered["region"]["x1"]


def test_a_screenshot_verifies_what_it_says_and_never_that_it_is_so(tmp_path: Path) -> None:
    image = Image.new("RGB", (900, 300), "white")
    pen = ImageDraw.Draw(image)
    pen.text((20, 30), "Rider Watch", fill="black", font=ImageFont.load_default(size=26))
    pen.text((20, 80), "@riderwatch", fill="black", font=ImageFont.load_default(size=26))
    pen.text(
        (20, 160),
        "The bridge in Graz was closed on 12 March 2021.",
        fill="black",
        font=ImageFont.load_default(size=28),
    )
    image.save(tmp_path / "post.png")
    checker = FactChecker.from_config()
    said = checker.check(
        "The post says that the bridge in Graz was closed on 12 March 2021.", images=[tmp_path / "post.png"]
    )
    found = said.json()
    assert found["verdict"] == "supported"
    assert found["image_context"]["speaker"] == "Rider Watch (@riderwatch)"
    assert [f["kind"] for f in found["image_findings"] if f["deciding"]] == ["text"]
    for claim in (
        "The bridge in Graz was closed on 12 March 2021.",
        "The photo shows that the bridge in Graz was closed.",
    ):
        assert checker.check(claim, images=[tmp_path / "post.png"]).json()["verdict"] == "not_enough_evidence"


def test_a_check_with_an_image_is_silent_lazy_and_light(tmp_path: Path) -> None:
    scene(1).save(tmp_path / "a.jpg")
    code = (
        "import sys, evidence.images, factdesk.check.pipeline\nfrom factdesk.checker import FactChecker\n"
        "assert not {'cv2', 'rapidocr', 'onnxruntime', 'PIL'} & set(sys.modules)\n"
        "from evidence.images.reader import read_image\n"
        "assert not {'rapidocr', 'onnxruntime'} & set(sys.modules)\n"
        "FactChecker.from_config().check('The photo shows a flood in Graz.', images=sys.argv[1:])\n"
        "assert not {'torch', 'open_clip', 'transformers', 'torchvision'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.jpg")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_chart_is_read_under_its_title(tmp_path: Path) -> None:
    image = Image.new("RGB", (900, 500), "#14161c")
    pen = ImageDraw.Draw(image)
    pen.text((40, 20), "New electric buses per year", fill="white", font=ImageFont.load_default(size=34))
    for n, (year, value) in enumerate((("2022", 61), ("2023", 88), ("2024", 73))):
        x = 120 + 260 * n
        pen.rectangle((x, 420 - 3 * value, x + 100, 420), fill="orange")
        for y, text in ((380 - 3 * value, str(value)), (435, year)):
            pen.text((x + 50, y), text, fill="white", font=ImageFont.load_default(size=28), anchor="ma")
    image.save(tmp_path / "chart.png")
    checker = FactChecker.from_config()
    right = checker.check("The chart shows 88 new electric buses for 2023.", images=[tmp_path / "chart.png"])
    found = right.json()
    assert found["verdict"] == "supported"
    assert found["image_context"]["speaker"] is None
    assert "CLIP not available" in right.html()
    for claim in (
        "The chart shows 61 new electric buses for 2023.",
        "The chart shows 88 new electric buses for 2022.",
        "The town bought 88 new electric buses in 2023.",
    ):
        assert checker.check(claim, images=[tmp_path / "chart.png"]).json()["verdict"] != "supported"
