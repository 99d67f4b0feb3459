"""CLIP by ``open_clip``: how near a claim is to a picture, and what scene it is likeliest to be. A hint only.

Spec: ``local-dir:PATH`` (a folder with ``open_clip_config.json``), ``MODEL@FILE`` (an architecture of
open_clip and a weights file; for OpenAI's weights take the ``-quickgelu`` names, since a bare file carries no
configuration and nothing else would tell), or a hub id (``ORG/NAME`` or ``hf-hub:ORG/NAME``).
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

from factdesk.kernel import BackendUnavailable, ConfigError, install_line

if TYPE_CHECKING:
    from PIL.Image import Image

SCENES = tuple(
    (
        "a flood, a fire, a protest, a crowd, a concert, a sports match, an explosion, a storm, a war zone, a "
        "building, a street, a forest, the sea, a portrait of a person, a chart, a screenshot of text, a map, a "
        "document, an animal, food"
    ).split(", ")
)
PROMPT = "a photo of {}"
_UNLOADABLE = (RuntimeError, OSError, ValueError, KeyError, AttributeError, EOFError, UnpicklingError)
BEST = 3
SAFE = ".safetensors"
PICKLED = "pickled weights can run code and are not opened; save them as safetensors"


class ClipModel:
    """A loaded model with its own preprocessing and tokenizer."""

    def __init__(self, spec: str) -> None:
        """Raises ``ConfigError`` for a spec that is none, ``BackendUnavailable`` for what cannot load."""
        name, pretrained, files = _parsed(spec)
        try:
            import open_clip
            import torch
            from safetensors import SafetensorError
        except ImportError as error:
            raise BackendUnavailable(f"CLIP needs open-clip-torch; {install_line('models')}") from error
        self._torch: Any = torch
        try:
            made = open_clip.create_model_and_transforms(name, pretrained=pretrained, weights_only=True)
            self._tokenizer: Any = open_clip.get_tokenizer(name)
        except (*_UNLOADABLE, SafetensorError) as error:
            why = " ".join(str(error).split())[:200]
            raise BackendUnavailable(f"CLIP {spec!r} cannot be loaded ({why}); check the path") from error
        self.mark = _mark(spec, files)
        """8 bytes that tell this model's vectors from others'."""
        self._model: Any = made[0].eval()
        self._prepare: Any = made[2]

    def image_vector(self, image: Image) -> list[float]:
        """Unit vector of a picture."""
        with self._torch.no_grad():
            found = self._model.encode_image(self._prepare(image).unsqueeze(0), normalize=True)[0]
        return [float(v) for v in found]

    def similarities(self, image: Image, texts: list[str]) -> list[float]:
        """Cosines of the picture and each text, -1 to 1; each text alone, so that company changes nothing."""
        picture = self._torch.tensor(self.image_vector(image))
        found = []
        with self._torch.no_grad():
            for text in texts:
                vector = self._model.encode_text(self._tokenizer([text]), normalize=True)[0]
                found.append(round(float((picture * vector).sum()), 6))
        return found

    def scenes(self, image: Image) -> tuple[tuple[str, float], ...]:
        """The likeliest of the known scenes with their probability, best first."""
        cosines = self.similarities(image, [PROMPT.format(scene) for scene in SCENES])
        scale = float(self._model.logit_scale.detach().exp())
        shares = self._torch.softmax(self._torch.tensor(cosines) * scale, dim=0)
        pairs = sorted(zip(SCENES, (round(float(s), 4) for s in shares), strict=True), key=lambda p: -p[1])
        return tuple(pairs[:BEST])


def _parsed(spec: str) -> tuple[str, str | None, list[Path]]:
    """The model and its weights as open_clip names them, and the files of weights that are at hand."""
    if spec.startswith("local-dir:"):
        folder = Path(spec.removeprefix("local-dir:"))
        if not (folder / "open_clip_config.json").is_file():
            raise BackendUnavailable(f"{str(folder)!r} has no open_clip_config.json; give a folder that has")
        weights = sorted(folder.glob(f"*{SAFE}"))
        if not weights:
            raise ConfigError(f"{str(folder)!r} has no weights in {SAFE!r}; {PICKLED}")
        return spec, None, weights
    if "@" in spec:
        name, _, file = spec.partition("@")
        if not Path(file).is_file():
            raise BackendUnavailable(f"the CLIP weights {file!r} do not exist; check the path")
        if not file.endswith(SAFE):
            raise ConfigError(f"the CLIP weights {file!r} do not end in {SAFE!r}; {PICKLED}")
        return name, file, [Path(file)]
    if Path(spec).exists():
        raise ConfigError(
            f"clip {spec!r} names a file without its architecture; write MODEL@FILE (ViT-B-32-quickgelu@...)"
        )
    return (spec if spec.startswith("hf-hub:") else f"hf-hub:{spec}"), None, []


def _mark(spec: str, files: list[Path]) -> bytes:
    """Of a folder or a file by its bytes, wherever it lies; of a hub's model by its name."""
    digest = sha256(b"" if spec.startswith("local-dir:") else spec.partition("@")[0].encode())
    for place in files:
        with place.open("rb") as weights:
            digest.update(file_digest(weights, "sha256").digest())
    return digest.digest()[:8]


@lru_cache(maxsize=1)
def load_clip(spec: str) -> ClipModel:
    """The model of a spec, loaded once."""
    return ClipModel(spec)
