"""What the tamper tests work on: a history of real certificates, tools that remember, and a tally.

``FULL_TAMPER=1`` alters every single field of 51 certificates, ``FULL_TAMPER=kinds`` each kind of field once
in each. ``FULL_TAMPER_SHARD=1/2`` alters those of every second certificate only, so that two processes share
the work; ``FULL_TAMPER_TALLY=FILE`` writes down what noticed how many alterations.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from report.certificate.canonical import canonical
from report.certificate.keys import PrivateKey
from report.certificate.signing import PublicKey
from report.types import Certificate, Head
from report.verification.findings import Completeness, Tools
from report.verification.integrity import Links, read_links, verify_chain, verify_member
from tests.report.forging import Forge, Path_, leaves, pattern, read
from verifier.types import Assessment, PairText, Verifier

FULL = bool(os.environ.get("FULL_TAMPER"))
EVERY = FULL and os.environ["FULL_TAMPER"] != "kinds"
_WRITTEN: dict[str, bytes] = {}
SHARD, SHARDS = (int(part) for part in os.environ.get("FULL_TAMPER_SHARD", "1/1").split("/"))


@dataclass(frozen=True)
class Desk:
    """A history of real certificates, with its key."""

    texts: tuple[str, ...]
    head: Head
    key: PrivateKey
    known: dict[str, PublicKey]
    tools: Tools

    @cached_property
    def data(self) -> tuple[Any, ...]:
        """Not to be altered in place."""
        return tuple(read(text) for text in self.texts)

    @cached_property
    def forges(self) -> tuple[Forge, ...]:
        """Of the certificates whose fields are altered here."""
        return tuple(Forge(data) for data in self.data[SHARD - 1 :: SHARDS])

    @cached_property
    def links(self) -> Links:
        return read_links(self.texts)

    @cached_property
    def whole(self) -> Completeness:
        return self.chain(list(self.texts))

    def chain(self, texts: list[str], head: Head | None = None, *kept: Head) -> Completeness:
        return verify_chain(texts, head=head or self.head, known=kept, keys=self.known, scope="export")

    def in_history(self, certificate: Certificate) -> Completeness:
        return verify_member(certificate, self.links, self.whole)


class Remembering:
    """A verifier that assesses equal pairs once: what it says depends on their texts alone."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._known: dict[PairText, Assessment] = {}
        self.fingerprint = verifier.fingerprint
        self.can_contradict = verifier.can_contradict
        self.thresholds = verifier.thresholds

    def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(new, self._verifier.assess(new) if new else (), strict=True))
        return tuple(self._known[pair] for pair in pairs)


def canonical_once(value: Any) -> bytes:
    """``canonical``, worked out once for equal data: the same body comes back under several seals."""
    exact = json.dumps(value, ensure_ascii=False)
    if exact not in _WRITTEN:
        if len(_WRITTEN) > 16:
            _WRITTEN.clear()
        _WRITTEN[exact] = canonical(value)
    return _WRITTEN[exact]


def remembering(tools: Tools, verifier: Verifier) -> Tools:
    """Tools that work out what depends on texts alone once for each text."""
    return replace(tools, verifier=Remembering(verifier), pair_of=lru_cache(maxsize=8192)(tools.pair_of))


def body_leaves(data: Any) -> list[Path_]:
    return [("body", *path) for path in leaves(data["body"])]


def chosen(desk: Desk) -> list[tuple[Forge, list[Path_]]]:
    """Fields to alter: each kind once, in the first certificate that has it; with FULL, in each or all."""
    found, seen = [], set[Any]()
    for forge in desk.forges:
        if FULL:
            seen.clear()
        paths = []
        for path in body_leaves(forge.data):
            if EVERY or pattern(path) not in seen:
                seen.add(pattern(path))
                paths.append(path)
        found.append((forge, paths))
    return found


@dataclass
class Tally:
    """What noticed how many alterations."""

    certificates: int = 0
    noticed: dict[str, Counter[str]] = field(default_factory=dict)
    began: float = field(default_factory=time.time)

    def add(self, attack: str, answer: str) -> None:
        self.noticed.setdefault(attack, Counter())[answer] += 1

    def write(self) -> None:
        """Into the file that ``FULL_TAMPER_TALLY`` names."""
        if name := os.environ.get("FULL_TAMPER_TALLY"):
            found = {attack: dict(sorted(count.items())) for attack, count in self.noticed.items()}
            whole = {
                "shard": f"{SHARD}/{SHARDS}",
                "certificates": self.certificates,
                "seconds": round(time.time() - self.began),
                "cpu_seconds": round(time.process_time()),
                "noticed": found,
            }
            Path(name).write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
