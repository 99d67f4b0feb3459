"""Days in words: models read "17 August 2019" far more surely than "2019-08-17"."""

from __future__ import annotations

from datetime import date

from language.calendar import in_words


def day_words(day: date) -> str:
    """``"17 August 2019"``, whatever the locale."""
    return in_words(f"{day:%Y-%m-%d}")
