"""The words that the guard does not take for names at a sentence's start: counted, and from a dictionary.

A word is common when it occurs at least ``LEAST`` times in the middle of the training texts' sentences and is
written small there in at least ``SMALL`` of the cases: ``python -m verifier.training wordlist`` writes
``common_words.txt``. Many more ("hackers", "rust") are rare in them: ``python -m verifier.training dictionary
FILE...`` takes from lists of English words all that are no name as well, and writes ``dictionary.txt``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from language.names import stem

LEAST = 3
SMALL = 0.5
_PLAIN = re.compile(r"[a-z]{3,}")
_WORD = re.compile(r"(?<=[a-z,;] )[A-Za-z][a-z'-]+")


def common_words(texts: Iterable[str]) -> list[str]:
    """Sorted common words of the texts, in small letters."""
    small: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text in texts:
        for word in _WORD.findall(text):
            every[word.lower()] += 1
            small[word.lower()] += word[0].islower()
    return sorted(w for w, n in every.items() if n >= LEAST and small[w] / n >= SMALL)


def dictionary_words(lists: Iterable[Iterable[str]], known: Collection[str]) -> list[str]:
    """Sorted words of the lists that stand there in small letters only, without those in ``known``.

    A list has one word a line; what has a capital there is a name ("Mark"). Plurals in -s are left out where
    their singular is kept, since ``is_common`` looks for it.
    """
    small: set[str] = set()
    names: set[str] = set()
    for words in lists:
        for word in words:
            if _PLAIN.fullmatch(word):
                small.add(word)
            elif word[:1].isupper():
                names.add(word.lower())
    kept = small - names - set(known)
    whole = kept | set(known)
    return sorted(w for w in kept if not (w.endswith("s") and w[:-1] in whole))


def write_words(texts: Iterable[str], path: Path) -> int:
    """Write one word a line, and their stems beside them; returns how many words."""
    words = common_words(texts)
    path.write_text("\n".join(words) + "\n", encoding="utf-8")
    stems = sorted({stem(word) for word in words})
    path.with_name("common_stems.txt").write_text("\n".join(stems) + "\n", encoding="utf-8")
    return len(words)
