"""CLIP on a tiny real model that is built and saved on the spot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from evidence.adapters.clip import SCENES, ClipModel
from evidence.types import ImageRecord
from factdesk.image_report import clip_status
from factdesk.kernel import BackendUnavailable, ConfigError
from factdesk.recording import LIVE

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
    (place / "open_clip_config.json").write_text(
        json.dumps({"model_cfg": CONFIG, "preprocess_cfg": preprocess})
    )
    return place


def picture() -> Image.Image:
    image = Image.linear_gradient("L").resize((48, 48))
    return Image.merge("RGB", (image, image.rotate(90), image.rotate(180)))


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


def test_the_status_in_a_report(folder: Path, tmp_path: Path) -> None:
    picture().save(tmp_path / "a.png")
    data = (tmp_path / "a.png").read_bytes()
    record = ImageRecord.model_construct(sha256="ab" * 32, name="a.png")
    found = clip_status(f"local-dir:{folder}", record, data, "a flood", LIVE)
    assert found.available
    assert found.similarity is not None
    assert -1 <= found.similarity <= 1


def test_without_weights_it_is_not_available(tmp_path: Path) -> None:
    record = ImageRecord.model_construct(sha256="ab" * 32, name="a.png")
    found = clip_status(None, record, b"", "a flood", LIVE)
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
        ClipModel(f"ViT-B-32-quickgelu@{tmp_path / 'bare.safetensors'}")
    (tmp_path / "bare.safetensors").unlink()
    (tmp_path / "open_clip_config.json").write_text("{}")
    (tmp_path / "open_clip_pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(ConfigError, match="no weights in"):
        ClipModel(f"local-dir:{tmp_path}")
