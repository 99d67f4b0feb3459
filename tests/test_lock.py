"""``requirements.lock``: what the default install needs, with versions and hashes, and no address."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

REPOSITORY = Path(__file__).resolve().parent.parent
LOCK = REPOSITORY / "requirements.lock"


def pinned() -> dict[str, list[tuple[Version, Marker | None, list[str]]]]:
    """By normalised name: version, where it holds, and hashes."""
    found: dict[str, list[tuple[Version, Marker | None, list[str]]]] = {}
    text = LOCK.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", line)
        requirement = Requirement(re.sub(r"\s*--hash=\S+", "", line))
        [specifier] = requirement.specifier
        assert specifier.operator == "=="
        found.setdefault(canonicalize_name(requirement.name), []).append(
            (Version(specifier.version), requirement.marker, hashes)
        )
    return found


def declared() -> list[Requirement]:
    table = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    return [Requirement(line) for line in table["project"]["dependencies"]]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_the_lock_has_what_is_declared(requirement: Requirement) -> None:
    """After a change in pyproject.toml: just lock."""
    versions = pinned().get(canonicalize_name(requirement.name), [])
    assert versions, f"{requirement.name} is not in {LOCK.name}; run: just lock"
    assert all(requirement.specifier.contains(version) for version, _, _ in versions)
    environments = [{"python_full_version": f"3.{minor}.0", "python_version": f"3.{minor}"} for minor in (11, 12)]
    for environment in environments:
        held = [v for v, marker, _ in versions if marker is None or marker.evaluate(environment)]
        assert len(held) == 1, f"{requirement.name}: {held} for {environment}"


def test_every_version_has_its_hashes() -> None:
    found = pinned()
    assert len(found) > len(declared()), "what the requirements require is there too"
    assert all(hashes for versions in found.values() for _, _, hashes in versions)


def test_the_lock_names_no_address() -> None:
    """Where packages come from is for those who install to say."""
    text = LOCK.read_text(encoding="utf-8")
    assert not re.findall(r"https?:|file:|--(?:extra-)?index|--find-links|@ ", text)
