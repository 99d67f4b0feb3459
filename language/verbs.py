"""Irregular verbs: their past tense, and one stem for their forms."""

from __future__ import annotations

from language.names import stem
from language.wordlists import read_table

_WRITTEN = {
    name: dict(pair.split(":") for pair in text.split()) for name, text in read_table("language", "verbs.toml").items()
}
PAST: dict[str, str] = _WRITTEN["past"]
"""Past tense by base form."""
_STEMS = {
    **{stem(past): stem(base) for base, past in PAST.items()},
    **{stem(form): stem(base) for form, base in _WRITTEN["other"].items()},
}


def normal(word: str) -> str:
    """One stem for the forms of an irregular verb and its noun ("won", "closure"); other stems as they are."""
    return _STEMS.get(word, word)
