"""Settings of a published system under one name, for ``--preset`` and ``load_settings(preset=…)``."""

from __future__ import annotations

from collections.abc import Mapping

from factdesk.kernel import ConfigError

PRESETS: Mapping[str, Mapping[str, object]] = {
    "ragar": {
        "method": "tree",
        "veracity": "cove",
        "web": True,
        "window": "2y",
        "block": ("fact-checkers", "social"),
    },
    "claimtrust": {"ranking": "score", "claimrank": {"independence": False, "coverage": False}},
    "communitykg": {"retriever": "community", "delta": 25.0, "lam": 100.0},
}
"""RAGAR: Tree of RAG with Chain of Verification, fair setting. ClaimTrust: published ClaimRank, score mode.
CommunityKG-RAG: its best percentages."""


def with_preset(arguments: Mapping[str, object]) -> dict[str, object]:
    """Arguments with those of the preset they name below them. Raises ``ConfigError`` for an unknown one."""
    given = dict(arguments)
    name = given.pop("preset", None)
    if name is None:
        return given
    if name not in PRESETS:
        raise ConfigError(f"preset {name!r} is unknown; known: {', '.join(sorted(PRESETS))}")
    plain = {key: value for key, value in given.items() if value not in (None, ())}
    return {**PRESETS[str(name)], **plain}
