"""What a certificate records of the surroundings of a check: prompts, retrieval, corpora."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

from report.types import Retrieval

if TYPE_CHECKING:
    from agent.bounds import Bounds
    from factdesk.check.evidence_source import Evidence


def prompts_sha256() -> str:
    """Hex SHA-256 over names and bytes of all prompt files, in the order of their names."""
    digest = hashlib.sha256()
    found = {p.name: p.read_bytes() for p in files("agent.prompts").iterdir() if p.name.endswith(".md")}
    for name in sorted(found):
        digest.update(f"{name}\0{len(found[name])}\0".encode() + found[name])
    return digest.hexdigest()


def retrieval_of(evidence: Evidence, bounds: Bounds) -> Retrieval:
    """The retrieval configuration of a check; web pages stand by their own hashes, not in the snapshot."""
    return Retrieval.of(bounds, retriever=evidence.fingerprint, snapshot_id=evidence.snapshot_id())
