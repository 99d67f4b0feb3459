"""The scores that a desk keeps between checks, authenticated with a secret of its own."""

from __future__ import annotations

from factdesk.kernel import ConfigError
from factdesk.settings import Settings
from report.certificate.keys import Keyring
from verifier.backends.score_cache import ScoreCache


def open_score_cache(settings: Settings) -> ScoreCache | None:
    """The cache below the home folder; ``None`` where it is off, or the desk can keep no secret."""
    if not settings.score_cache:
        return None
    try:
        secret = Keyring(settings.paths.keys).secret("scores")
    except ConfigError:
        return None
    return ScoreCache(settings.paths.cache / "scores.sqlite", secret=secret)
