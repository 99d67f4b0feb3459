"""C2PA manifests ("content credentials"), read and validated by ``c2pa-python`` (extra ``images``).

A manifest binds a signer's word to the very bytes of the file. Whether the signer deserves belief is another
matter: without a list of trusted certificates the signature only says that nothing was changed since.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from evidence.images.metadata import clean
from factdesk.kernel import InputError

_MEDIA = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "TIFF": "image/tiff",
          "GIF": "image/gif"}  # fmt: skip
_MARKS = (b"c2pa", b"jumb", b"jumdc2ma")
MAX_TOLD = 6


@dataclass(frozen=True)
class Credentials:
    """What was found. ``state``: ``none``, ``unread`` (no library), ``valid``, ``invalid``, ``damaged``."""

    state: str = "none"
    trusted: bool = False
    """The signer's certificate is on the list of trusted ones; without a list never."""
    signer: str = ""
    generator: str = ""
    actions: tuple[str, ...] = ()
    ingredients: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()

    def sentences(self) -> tuple[str, ...]:
        """Plain sentences; empty where there are no credentials."""
        if self.state == "none":
            return ()
        if self.state == "unread":
            return (
                "The image carries content credentials (C2PA), which were not read: "
                "install the extra 'images'.",
            )
        if self.state in ("invalid", "damaged"):
            why = f" ({'; '.join(self.problems)})" if self.problems else ""
            found = [f"The content credentials (C2PA) of the image are not valid{why}."]
            return (*found, "The image or its credentials were changed after they were signed, or damaged.")
        by = f" and were signed by {self.signer}" if self.signer else ""
        found = [f"The content credentials (C2PA) of the image are valid{by}."]
        if not self.trusted:
            found.append("The signer of the content credentials is on no list of trusted signers here.")
        if self.generator:
            found.append(f"The content credentials say the image was made with {self.generator}.")
        if self.actions:
            found.append(f"The content credentials name these actions: {', '.join(self.actions)}.")
        if self.ingredients:
            found.append(f"The content credentials name these ingredients: {', '.join(self.ingredients)}.")
        return tuple(found)


def has_mark(data: bytes) -> bool:
    """Whether the bytes hold what a manifest begins with; says nothing of its worth."""
    return all(mark in data for mark in _MARKS[:2]) or _MARKS[2] in data


def read_credentials(data: bytes, format_: str) -> Credentials:
    """Read and validate the manifest of a file. Never raises for what the file holds."""
    media = _MEDIA.get(format_)
    if media is None or not has_mark(data):
        return Credentials()
    if find_spec("c2pa") is None:
        return Credentials("unread")
    from evidence.adapters.content_credentials import read_manifest

    try:
        found = read_manifest(data, media)
    except InputError as error:
        return Credentials("damaged", problems=(clean(str(error))[:120],))
    return Credentials() if found is None else _credentials(*found)


def _credentials(store: dict[str, Any], state: str) -> Credentials:
    manifest = store.get("manifests", {}).get(store.get("active_manifest"), {})
    signature = manifest.get("signature_info") or {}
    signer = " / ".join(clean(str(signature[k])) for k in ("common_name", "issuer") if signature.get(k))
    problems = tuple(
        dict.fromkeys(
            clean(str(s.get("code", "")))
            for s in store.get("validation_status") or ()
            if isinstance(s, dict) and not str(s.get("code", "")).startswith("signingCredential.untrusted")
        )
    )
    actions, kinds = _actions(manifest)
    valid = state in ("Valid", "Trusted") and not problems
    return Credentials(
        state="valid" if valid else "invalid",
        trusted=state == "Trusted",
        signer=signer[:120],
        generator=_generator(manifest),
        actions=actions[:MAX_TOLD],
        ingredients=_ingredients(manifest)[:MAX_TOLD],
        problems=problems[:MAX_TOLD],
        source_types=kinds,
    )


def _generator(manifest: dict[str, Any]) -> str:
    infos = manifest.get("claim_generator_info") or ()
    names = [clean(str(i.get("name", ""))) for i in infos if isinstance(i, dict)]
    return next((n for n in names if n), clean(str(manifest.get("claim_generator") or "")))


def _actions(manifest: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names: dict[str, None] = {}
    kinds: dict[str, None] = {}
    for assertion in manifest.get("assertions") or ():
        if not str(assertion.get("label", "")).startswith("c2pa.actions"):
            continue
        for action in (assertion.get("data") or {}).get("actions") or ():
            names.setdefault(clean(str(action.get("action", ""))).removeprefix("c2pa").lstrip(". "))
            if action.get("digitalSourceType"):
                kinds.setdefault(str(action["digitalSourceType"]).rsplit("/", 1)[-1])
    return tuple(n for n in names if n), tuple(kinds)


def _ingredients(manifest: dict[str, Any]) -> tuple[str, ...]:
    found = (clean(str(i.get("title", ""))) for i in manifest.get("ingredients") or () if isinstance(i, dict))
    return tuple(title for title in found if title)
