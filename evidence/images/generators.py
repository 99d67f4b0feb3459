"""Marks that programs which make or edit pictures leave in a file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

_EDITORS = re.compile(
    r"photoshop|gimp|lightroom|affinity|pixelmator|snapseed|facetune|picsart|canva|paint|inkscape|illustrator|"
    r"darktable|capture one|luminar|photopea|krita|corel|meitu|faceapp|imagemagick",
    re.IGNORECASE,
)
_GENERATORS = re.compile(
    r"midjourney|dall[- ]?e\b|gpt-?(?:4o|image)|stable[- ]diffusion|firefly|imagen\b|gemini|\bsora\b|comfyui|"
    r"automatic1111|novelai|invokeai|fooocus|leonardo\.?ai|ideogram|bing image creator|\bgrok\b|"
    r"made with (?:google )?ai|flux\b",
    re.IGNORECASE,
)
_SYNTHETIC = re.compile(r"trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia|compositeSynthetic")
_SETTINGS = re.compile(r"\bSteps: \d+.{0,200}?\b(?:Sampler|CFG scale|Seed): ", re.DOTALL)
"""How the web interfaces of Stable Diffusion write down what a picture was made with."""
_NODES = re.compile(r'"class_type"\s*:|"last_node_id"\s*:')
"""A workflow of ComfyUI."""
_KEYS = {"invokeai_metadata": "InvokeAI", "sd-metadata": "InvokeAI", "dream": "InvokeAI", "fooocus_scheme": "Fooocus"}


def edited_by(*programs: str | None) -> str | None:
    """The first named program that edits pictures."""
    return next((p for p in programs if p and _EDITORS.search(p)), None)


def generated_by(*programs: str | None) -> str | None:
    """The first named program that makes pictures up, or the mark for that."""
    return next((p for p in programs if p and (_GENERATORS.search(p) or _SYNTHETIC.search(p))), None)


def generator_in(texts: Mapping[str, str]) -> str | None:
    """The program whose settings stand in a file's text fields (PNG chunks, comments)."""
    for key, text in texts.items():
        if key.lower() in _KEYS:
            return _KEYS[key.lower()]
        if _NODES.search(text) and _is_json(text):
            return "ComfyUI"
        if _SETTINGS.search(text):
            return "Stable Diffusion"
        if key.lower() in {"software", "source", "title", "make", "model", "comment"} and (found := generated_by(text)):
            return found[:80]
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
