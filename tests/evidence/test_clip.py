"""CLIP on a tiny real model that is built and saved on the spot."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter

from evidence.adapters.clip import SCENES, ClipModel
from factdesk.images.caption_file import Description
from factdesk.images.findings import clip_status
from factdesk.images.known import KnownImages
from factdesk.images.matching import Submitted
from factdesk.images.proposals import Vectors
from factdesk.kernel import BackendUnavailable, ConfigError
from factdesk.recording.recorder import LIVE
from factdesk.settings import load_settings
from tests.evidence.test_images_known import scene

CONFIG = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "head_width": 16, "patch_size": 16},
    "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 16, "heads": 2, "layers": 1},
}
GOLDEN = -0.533447
"""Cosine of the model with seed 7 and the picture, on a CPU."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with fixed weights in the form of ``local-dir:``."""
    import torch
    from open_clip.model import CLIP
    from safetensors.torch import save_file

    torch.manual_seed(7)
    model = CLIP(CONFIG["embed_dim"], CONFIG["vision_cfg"], CONFIG["text_cfg"])
    place = tmp_path_factory.mktemp("clip")
    save_file(model.state_dict(), place / "open_clip_model.safetensors")
    preprocess = {
        "mean": [0.5, 0.5, 0.5],
        "std": [0.5, 0.5, 0.5],
        "interpolation": "bicubic",
        "resize_mode": "shortest",
    }
    (place / "open_clip_config.json").write_text(json.dumps({"model_cfg": CONFIG, "preprocess_cfg": preprocess}))
    return place


def picture() -> Image.Image:
    image = Image.linear_gradient("L").resize((48, 48))
    return Image.merge("RGB", (image, image.rotate(90), image.rotate(180)))


SUBMITTED = Submitted(picture(), "ab" * 32)


def test_a_local_folder_gives_the_golden_score_with_its_own_preprocessing(folder: Path) -> None:
    model = ClipModel(f"local-dir:{folder}")
    [alone] = model.similarities(picture(), ["a flood in Graz"])
    both = model.similarities(picture(), ["a flood in Graz", "a much longer text about the fire in Rome"])
    assert alone == pytest.approx(GOLDEN, abs=2e-3)
    assert both[0] == alone, "company must change nothing"
    assert both[1] != alone
    assert str(model._prepare).count("0.5") >= 6, "mean and std of the folder, not those of OpenAI"
    scenes = model.scenes(picture())
    assert len(scenes) == 3
    assert all(name in SCENES for name, _ in scenes)
    assert 0 < sum(share for _, share in scenes) <= 1


def test_the_status_in_a_report(folder: Path) -> None:
    found = clip_status(f"local-dir:{folder}", SUBMITTED, "a flood", LIVE)
    assert found.available
    assert found.similarity is not None
    assert -1 <= found.similarity <= 1


def test_without_weights_it_is_not_available(tmp_path: Path) -> None:
    found = clip_status(None, SUBMITTED, "a flood", LIVE)
    assert (found.available, found.similarity) == (False, None)
    assert "CLIP not available" in found.reason
    with pytest.raises(BackendUnavailable, match="open_clip_config"):
        ClipModel(f"local-dir:{tmp_path}")
    with pytest.raises(BackendUnavailable, match="do not exist"):
        ClipModel(f"ViT-B-32@{tmp_path / 'none.pt'}")
    (tmp_path / "bare.pt").write_bytes(b"x")
    with pytest.raises(ConfigError, match="MODEL@FILE"):
        ClipModel(str(tmp_path / "bare.pt"))
    with pytest.raises(ConfigError, match="pickled weights can run code"):
        ClipModel(f"ViT-B-32-quickgelu@{tmp_path / 'bare.pt'}")
    (tmp_path / "bare.safetensors").write_bytes(b"x")
    with pytest.raises(BackendUnavailable, match="cannot be loaded"):
        ClipModel(f"ViT-S-32-alt@{tmp_path / 'bare.safetensors'}")
    (tmp_path / "bare.safetensors").unlink()
    (tmp_path / "open_clip_config.json").write_text("{}")
    (tmp_path / "open_clip_pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(ConfigError, match="no weights in"):
        ClipModel(f"local-dir:{tmp_path}")


def _known(tmp_path: Path, clip: str | None) -> KnownImages:
    return KnownImages(load_settings(home=tmp_path / "home", clip=clip))


def unlike(number: int) -> Image.Image:
    """The scene so blurred that nothing of its detail is left."""
    return scene(number).crop((300, 100, 640, 420)).filter(ImageFilter.GaussianBlur(14))


def test_a_picture_that_no_hash_is_near_to_is_proposed_by_its_vector(folder: Path, tmp_path: Path) -> None:
    scene(1).save(tmp_path / "flood.jpg", quality=92)
    told = Description(caption="Flood in Linz", published="2013-06-03")
    known = _known(tmp_path, f"local-dir:{folder}")
    assert known.add([tmp_path / "flood.jpg"], told, text=False).added == 1
    assert known.add([tmp_path / "flood.jpg"], told, text=False).unchanged == 1
    unlike(1).save(tmp_path / "half.jpg")
    assert _known(tmp_path, None).search(tmp_path / "half.jpg").uses == (), "no local feature is alike"
    found = known.search(tmp_path / "half.jpg")
    [use] = found.uses
    assert (use.match, use.caption, found.spans) == ("similar", "Flood in Linz", ())
    assert use.distance > 11
    assert "CLIP finds the two alike" in found.findings[0].text
    [same] = known.search(tmp_path / "flood.jpg").uses
    assert same.match == "same", "the same picture is told once, by its hash"


def test_vectors_of_another_model_are_not_compared(folder: Path, tmp_path: Path) -> None:
    scene(1).save(tmp_path / "flood.jpg", quality=92)
    told = Description(caption="Flood in Linz")
    plain = _known(tmp_path, None)
    assert plain.add([tmp_path / "flood.jpg"], told, text=False).added == 1
    assert plain.store.vectors() == ()
    known = _known(tmp_path, f"local-dir:{folder}")
    unlike(1).save(tmp_path / "half.jpg")
    assert known.search(tmp_path / "half.jpg").uses == ()
    assert known.add([tmp_path / "flood.jpg"], told, text=False).replaced == 1, "now with a vector"
    [(image_id, vector)] = known.store.vectors()
    mark = ClipModel(f"local-dir:{folder}").mark
    assert (vector[:8], len(vector)) == (mark, 8 + 4 * CONFIG["embed_dim"])
    [entry] = known.page()
    known.store.put([entry.model_copy(update={"vector": b"otherone" + vector[8:]})])
    assert image_id == entry.image_id
    assert known.search(tmp_path / "half.jpg").uses == ()


def test_only_vectors_near_enough_are_proposed() -> None:
    rows = np.eye(3, dtype=np.float32)
    kept = Vectors(("a", "b", "c"), rows)
    assert kept.near(np.array([0.0, 1.0, 0.0], dtype=np.float32)) == (("b", 1.0),)
    assert kept.near(np.array([0.6, 0.8, 0.0], dtype=np.float32)) == ()


def test_captions_of_earlier_uses_get_a_similarity(folder: Path) -> None:
    found = clip_status(f"local-dir:{folder}", SUBMITTED, "a flood", LIVE, ["a fire", "", "a fire", "a map"])
    assert [caption for caption, _ in found.captions] == ["a fire", "a map"]
    assert all(-1 <= cosine <= 1 for _, cosine in found.captions)
    assert clip_status(None, SUBMITTED, "a flood", LIVE).captions == ()
