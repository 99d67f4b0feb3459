"""Which language a text is in where it is surely not English, told offline by py3langid."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from language.lexicon import WORDS
from language.names import is_common
from language.tokens import FUNCTION_WORDS
from language.wordlists import read_table

LEAST_WORDS = 4
"""A shorter text is taken for English: names and numbers alone tell nothing."""
MOST_ENGLISH = 0.15
"""Share of English function words from which on a text is English."""
LEAST_SURE = 0.8
"""Probability of a language from which on it is named, and from which on one foreign word is enough."""
MOSTLY = 0.6
"""Share of words that are no English ones, names among them."""
NAMES: dict[str, str] = read_table("language", "languages.toml")
_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def other_language(text: str) -> str | None:
    """The name of a text's language, or "another language"; ``None`` where it may be English.

    It is told where at least half of the words that are written small are no English ones, or most of all.
    """
    words = _WORD.findall(text)
    if len(words) < LEAST_WORDS and len(_UNSPACED.findall(text)) < LEAST_WORDS:
        return None
    own = sum(word.lower() in FUNCTION_WORDS - WORDS["shared"] for word in words)
    foreign = [word for word in words if not is_common(word.lower()) and word.lower() not in FUNCTION_WORDS]
    small = [word for word in words if not word[0].isupper() and len(word) > 1]
    strange = [word for word in foreign if word in small]
    if own >= MOST_ENGLISH * len(words) or not strange:
        return None
    mostly, half = len(foreign) >= MOSTLY * len(words), len(strange) >= len(small) / 2
    if not (mostly or half):
        return None
    code, sure = _identifier().classify(text)
    if code == "en" or ((mostly > half or len(strange) < 2) and float(sure) < LEAST_SURE):
        return None
    return NAMES.get(code, "another language") if float(sure) >= LEAST_SURE else "another language"


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
