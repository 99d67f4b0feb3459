"""C2PA manifests ("content credentials"), read and validated by ``c2pa-python`` (extra ``images``).

A manifest binds a signer's word to the very bytes of the file. Whether the signer deserves belief is another
matter: without a list of trusted certificates the signature only says that nothing was changed since.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from evidence.images.file_data import clean
from factdesk.kernel import InputError
from language.wordlists import read_table

_WORDS = read_table("evidence.images", "data/credentials.toml")
_ELSEWHERE = re.compile(rb"dcterms:provenance(?:=[\"']|>)(https?://[^\"'<\s]{4,300})")
"""Where XMP says that the manifest lies."""
_MARKS = (b"c2pa", b"jumb", b"jumdc2ma")
"""The first two together, or the third: what a manifest begins with, which says nothing of its worth."""
MAX_TOLD = 6


@dataclass(frozen=True)
class Problem:
    """A failure of the validation: the part it speaks of ("unknown", or one of the table's), and its code."""

    part: str
    code: str


@dataclass(frozen=True)
class Credentials:
    """What was found. ``state`` is of integrity alone: ``none``, ``unread`` (no library), ``valid`` (the file
    is what was signed), ``invalid`` (it is not), ``unknown`` (that cannot be told), ``damaged``, ``remote``
    (they lie elsewhere and are not fetched).
    """

    state: str = "none"
    trusted: bool = False
    """The signer's certificate is on the list of trusted ones; without a list never."""
    signer: str = ""
    generator: str = ""
    actions: tuple[str, ...] = ()
    ingredients: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    source_types: tuple[str, ...] = ()
    library: str = ""
    """The library's own word: ``Invalid``, ``Valid`` (well-formed, unchanged, its certificate in time), ``Trusted``."""
    address: str = ""
    """Where a manifest lies that is not in the file."""

    @property
    def table(self) -> dict[str, str]:
        """What was found by name, for the table of a report."""
        if self.state == "none":
            return {}
        return {
            "state": self.state,
            "state by the library": self.library,
            "signer": self.signer,
            "generator": self.generator,
            "actions": ", ".join(self.actions),
            "ingredients": ", ".join(self.ingredients),
            "source types": ", ".join(self.source_types),
            "failures": ", ".join(problem.code for problem in self.problems),
            "address": self.address,
        }

    def sentences(self) -> tuple[str, ...]:
        """Plain sentences; empty where there are no credentials."""
        if self.state == "none":
            return ()
        if self.state == "unread":
            return ("The image carries content credentials (C2PA), which were not read: install the extra 'images'.",)
        if self.state == "remote":
            lie = f"said to lie at {self.address}"
            return (f"Content credentials (C2PA) of the image are {lie}; they were not fetched.",)
        if self.state in ("invalid", "damaged"):
            found = [f"The content credentials (C2PA) of the image are not valid{self._codes('integrity')}."]
            return (*found, "The image or its credentials were changed after they were signed, or damaged.")
        told = [text + f"{self._codes(part)}." for part, text in _WORDS["doubts"].items() if self._codes(part)]
        if self.state == "unknown":
            codes = self._codes("unknown")
            return (f"Whether the content credentials (C2PA) of the image hold could not be told{codes}.", *told)
        return (*self._integrity(bool(told)), *told, *self._contents())

    def _integrity(self, doubted: bool) -> tuple[str, ...]:
        by = f" and were signed by {self.signer}" if self.signer else ""
        if not doubted:
            return (f"The content credentials (C2PA) of the image are valid{by}.",)
        named = (f"The content credentials name {self.signer} as their signer.",) if self.signer else ()
        return ("The content credentials (C2PA) match the image: nothing was changed since they were signed.", *named)

    def _contents(self) -> tuple[str, ...]:
        state = f" (state by the C2PA library: {self.library.lower()}, not trusted)" if self.library else ""
        found = {
            f"The signer of the content credentials is on no list of trusted signers here{state}.": not self.trusted,
            f"The content credentials say the image was made with {self.generator}.": self.generator,
            f"The content credentials name these actions: {', '.join(self.actions)}.": self.actions,
            f"The content credentials name these ingredients: {', '.join(self.ingredients)}.": self.ingredients,
        }
        return tuple(sentence for sentence, told in found.items() if told)

    def _codes(self, part: str) -> str:
        codes = dict.fromkeys(problem.code for problem in self.problems if problem.part == part)
        return f" ({'; '.join(codes)})" if codes else ""


def read_credentials(data: bytes, format_: str) -> Credentials:
    """Read and validate the manifest of a file. Never raises for what the file holds."""
    media = _WORDS["media"].get(format_)
    if media is None:
        return Credentials()
    if not (all(mark in data for mark in _MARKS[:2]) or _MARKS[2] in data):
        elsewhere = _ELSEWHERE.search(data)
        address = clean(elsewhere[1].decode("ascii", "replace")) if elsewhere else ""
        return Credentials("remote", address=address) if elsewhere else Credentials()
    if find_spec("c2pa") is None:
        return Credentials("unread")
    from evidence.adapters.content_credentials import read_manifest

    try:
        found = read_manifest(data, media)
    except InputError as error:
        return Credentials("damaged", problems=(Problem("integrity", clean(str(error))[:120]),))
    return Credentials() if found is None else _credentials(*found)


def _credentials(store: dict[str, Any], state: str) -> Credentials:
    active = str(store.get("active_manifest"))
    manifest = store.get("manifests", {}).get(active, {})
    signature = manifest.get("signature_info") or {}
    signer = " / ".join(clean(str(signature[k])) for k in ("common_name", "issuer") if signature.get(k))
    found = [_problem(s, active) for s in store.get("validation_status") or () if isinstance(s, dict)]
    problems = tuple(dict.fromkeys(problem for problem in found if problem is not None))
    actions, kinds = _actions(manifest)
    titles = (_told(i.get("title")) for i in manifest.get("ingredients") or () if isinstance(i, dict))
    return Credentials(
        state=_integrity(store, state, problems),
        trusted=state == "Trusted",
        signer=signer[:120],
        generator=_generator(manifest),
        actions=actions[:MAX_TOLD],
        ingredients=tuple(title for title in titles if title)[:MAX_TOLD],
        problems=problems[:MAX_TOLD],
        source_types=kinds,
        library=clean(state),
    )


def _problem(status: dict[str, Any], active: str) -> Problem | None:
    """A failure by its code in the C2PA specification; a signer on no list of ours is told elsewhere."""
    code, place = clean(str(status.get("code", ""))), str(status.get("url") or "")
    if code == "signingCredential.untrusted":
        return None
    if "/c2pa/" in place and active not in place:
        return Problem("ingredient", code)
    return Problem(next((part for part, codes in _WORDS["parts"].items() if re.match(codes, code)), "unknown"), code)


def _integrity(store: dict[str, Any], state: str, problems: tuple[Problem, ...]) -> str:
    parts = {problem.part for problem in problems}
    if "integrity" in parts:
        return "invalid"
    results = (store.get("validation_results") or {}).get("activeManifest") or {}
    passed = {str(s.get("code", "")) for s in results.get("success") or () if isinstance(s, dict)}
    bound = any(re.fullmatch(r"assertion\.(?:data|bmff|boxes|collection)Hash\.match", code) for code in passed)
    signed = "claimSignature.validated" in passed
    sound = (bound and signed) or (state in ("Valid", "Trusted") and not problems)
    return "valid" if sound and "unknown" not in parts else "unknown"


def _generator(manifest: dict[str, Any]) -> str:
    infos = manifest.get("claim_generator_info") or ()
    names = (_told(i.get("name")) for i in infos if isinstance(i, dict))
    return next((n for n in names if n), _told(manifest.get("claim_generator")))


def _actions(manifest: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was done to the picture, and kinds of sources that went into it."""
    listed = (a for a in manifest.get("assertions") or () if str(a.get("label", "")).startswith("c2pa.actions"))
    actions = [action for a in listed for action in (a.get("data") or {}).get("actions") or ()]
    names = dict.fromkeys(_told(a.get("action")).removeprefix("c2pa").lstrip(". ") for a in actions)
    kinds = dict.fromkeys(str(kind).rsplit("/", 1)[-1] for a in actions if (kind := a.get("digitalSourceType")))
    return tuple(n for n in names if n), tuple(kinds)


def _told(value: object) -> str:
    return clean(str(value or ""))
