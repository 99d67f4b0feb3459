"""The prompts, one file each, as package resources; their hashes go into the certificate."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from factdesk.kernel import Fingerprint, sha256_text

NAMES = tuple(sorted(p.name.removesuffix(".md") for p in files("agent.prompts").iterdir() if p.name.endswith(".md")))
"""All prompts, sorted. ``rules`` precedes all but ``read_pair``; ``repair`` asks for a second try."""


@cache
def load_prompt(name: str) -> str:
    """The text of ``NAME.md``, with ``\\n`` line ends whatever the checkout has."""
    text = files("agent.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").strip()


def prompt_fingerprints() -> tuple[Fingerprint, ...]:
    """One fingerprint for each prompt: SHA-256 of the text that is sent."""
    return tuple(
        Fingerprint(name=f"prompt:{name}", version="1", sha256=sha256_text(load_prompt(name))) for name in NAMES
    )
