"""Names in a claim, found by their capitals, not by a model; and whether a piece of evidence speaks of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from language import lexicon as lex
from language.lexicon import WORDS
from language.quantities.mentions import find_slots
from language.wordlists import read_words

_TOKEN = re.compile(r"(?:[A-Z]\.){2,}|[^\W\d_](?:(?:[\w.&'’]|-(?!-))*\w)?|\d[\w.,-]*", re.UNICODE)
_INITIALS = re.compile(r"[a-z](?:\.[a-z])*", re.IGNORECASE)
_BASED = re.compile(r"-(?:based|born|led|owned|backed|listed|trained|style|area|bound|made|built|run|wide)$")
"""What a name in front makes a word of its own: "Riddick-based", "London-born"."""
_FULL = {"st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort"}
"""Words that stand shortened in names."""
_OTHER_LENGTH = _FULL | {word: short for short, word in _FULL.items()}
_SHORTENED = 3
"""Letters that a short first name leaves out at least: "Matt" is Matthew, "Paul" is not Paula."""
_ALIASES = {name: group for group in lex.ALIASES for name in group}
"""All forms of a name, by each of them."""
_COUNTRIES = frozenset({"U.S.", "U.K.", "U.N.", "E.U.", "U.A.E.", "U.S.A."})


@dataclass(frozen=True)
class Name:
    """A run of capitalised words, at ``text[start:end]``; ``words`` are its telling words, lower case."""

    text: str
    start: int
    end: int
    words: tuple[str, ...]
    opens: bool
    """It stands at the start of the sentence, where any word has a capital."""


def common_words() -> frozenset[str]:
    """Words that are written small in the middle of sentences; made by ``verifier/training/wordlist.py``."""
    return read_words("common_words.txt")


def is_common(word: str) -> bool:
    """Whether a plain word is a common word, also by its singular, and so no name at a sentence's start."""
    # further English words that are no name as well (SCOWL); made by ``verifier/training/wordlist.py``
    lists = common_words(), lex.ALSO_COMMON, read_words("dictionary.txt")
    return any(form in known for form in (word, word.removesuffix("s"), word.removesuffix("es")) for known in lists)


def plain(text: str) -> str:
    """Lower case without accents and with straight apostrophes, for comparing words."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(c for c in folded if not unicodedata.combining(c)).lower()


@lru_cache(maxsize=1024)
def tokens(text: str) -> tuple[str, ...]:
    """Words and numbers of a text, plain, possessives and final stops taken off."""
    found = (plain(m[0]) for m in _TOKEN.finditer(unicodedata.normalize("NFC", text)))
    return tuple(t.removesuffix("'s").rstrip(".'-") if len(t) > 3 else t.rstrip(".'-") for t in found)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """English Snowball stem of a plain word."""
    return str(Stemmer.Stemmer("english").stemWord(word))


def content_stems(text: str) -> set[str]:
    """Stems of the words that carry meaning (no stop words, no numbers)."""
    return {stem(t) for t in tokens(text) if t not in lex.STOPWORDS and not t[:1].isdigit() and len(t) > 1}


def _telling(words: list[str]) -> tuple[str, ...]:
    kept = []
    for word in words:
        bare = plain(word).removesuffix("'s").rstrip(".'")
        acronym = len(word) > 1 and word.isupper()
        if bare and bare not in WORDS["links"] | WORDS["titles"] and (acronym or bare not in lex.STOPWORDS):
            kept.append(bare)
    return tuple(w for w in kept if not _INITIALS.fullmatch(w)) or tuple(kept)


@lru_cache(maxsize=4096)
def find_names(text: str) -> tuple[Name, ...]:
    """Names in order: runs of capitalised words joined by "of", "van", …; no months or mere sentence openers."""
    matches = [m for m in _TOKEN.finditer(text) if m[0][:1].isupper() or plain(m[0]) in WORDS["links"]]
    dates = [s for s in find_slots(text) if s.kind in {"date", "unit", "money", "percentage"}]
    runs: list[list[re.Match[str]]] = []
    for match in matches:
        if any(s.start <= match.start() < s.end for s in dates):
            continue
        if runs and _goes_on(runs[-1][-1][0], text[runs[-1][-1].end() : match.start()]):
            runs[-1].append(match)
        else:
            runs.append([match])
    return tuple(name for run in runs for name in _names_of(text, run))


def _goes_on(word: str, gap: str) -> bool:
    """A name goes on behind this word: after a space or "&", and after an initial ("J.", "J.K.")."""
    if (gap.isspace() or gap == " & ") and not word.endswith((".", "'s", "’s")):
        return True
    if len(word) == 1 or plain(word) in _FULL:
        return gap in {".", ". "}
    return gap == " " and word.endswith(".") and bool(_INITIALS.fullmatch(word[:-1])) and word not in _COUNTRIES


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?:\n"


def _names_of(text: str, run: list[re.Match[str]]) -> list[Name]:
    parts: list[list[re.Match[str]]] = [[]]
    for match in run:
        if plain(match[0]) == "and":
            parts.append([])
        else:
            parts[-1].append(match)
    names = []
    for part in parts:
        while part and (plain(part[0][0]) in WORDS["links"] or _only_opens(text, part)):
            part = part[1:]
        if len(part) > 2 and plain(part[1][0]) == "the" and is_common(plain(part[0][0])):
            part = part[2:]
        while part and (not part[-1][0][:1].isupper() or len(part[-1][0]) == 1):
            part = part[:-1]
        words = _telling([m[0] for m in part])
        if not words or (len(part) == 1 and _opens_sentence(text, part[0].start()) and _is_word(part[0][0], words[0])):
            continue
        start, end = part[0].start(), part[-1].end()
        if text[start:end].endswith(("'s", "’s")):
            end -= 2
        names.append(Name(text[start:end], start, end, words, _opens_sentence(text, start)))
    return names


def _is_word(written: str, word: str) -> bool:
    """Whether a word that opens a sentence is common, also one made of common words ("Self-checkouts", "X-rays")."""
    joined = "-" in word and written[1:].islower()
    return is_common(word) or (joined and all(len(p) == 1 or is_common(p) for p in word.split("-")))


def _only_opens(text: str, part: list[re.Match[str]]) -> bool:
    """The first word has its capital from the sentence's start; "New York" and the like stay whole. What is done to
    something ("Dredging of the Ossel") is no part of its name.
    """
    word = plain(part[0][0])
    if not _opens_sentence(text, part[0].start()):
        return False
    if len(part) > 1 and plain(part[1][0]) == "of" and (word in WORDS["deeds"] or _is_gerund(word)):
        return True
    if word not in WORDS["sentence_openers"]:
        return False
    return not (word == "new" and len(part) > 1)


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and len(word) > len("string") and is_common(word)


def _has_word(word: str, text: str) -> bool:
    """Whether a word of the text is this one, has its stem, or is as alike as a country and its people are
    ("Germany", "German").
    """
    words, stems = _words_and_stems(text)
    if word in words or stem(word) in stems:
        return True
    near = range(len(word) - 3, len(word) + 4)
    return any(
        len(w) in near and min(len(w), len(word)) >= 5 and (w.startswith(word) or word.startswith(w)) for w in words
    )


@lru_cache(maxsize=1024)
def _words_and_stems(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a text, those within "Riddick-based" and behind "St" too, and their stems."""
    words = frozenset(
        form for word in tokens(text) for form in (word, _BASED.sub("", word), _OTHER_LENGTH.get(word, word))
    )
    return words, frozenset(map(stem, words))


def _alias(name: str, text: str) -> bool:
    """Another form of the name stands in the text; "WHO" and "US" only in capitals."""
    haystack = plain(text)
    return any(
        _stands_in(other.upper(), text) if other in lex.STOPWORDS else _stands_in(other, haystack)
        for other in _ALIASES.get(plain(name).strip(), ())
    )


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _acronym(name: Name, words: Iterable[str], text: str) -> bool:
    letters = name.text.replace(".", "")
    if letters.isupper() and 2 <= len(letters) <= 6 and letters.isalpha():
        initials = "".join(w[0] for w in words if w not in lex.STOPWORDS and w[0].isalpha())
        loose = "".join(w[0] for w in words if w[0].isalpha())
        return letters.lower() in initials or letters.lower() in loose
    written = [w for w in name.text.split() if w[0].isupper()]
    return len(written) >= 2 and _stands_in("".join(w[0] for w in written), text)


def name_in(name: Name, text: str) -> bool:
    """Whether ``text`` speaks of the name: all its telling words, its last word alone where it is a
    person's or place's short form, an alias, an acronym or its expansion.
    """
    words = tokens(text)
    if not words:
        return False
    if _alias(name.text, text) or _acronym(name, words, text):
        return True
    if name.text.isupper() and name.text.lower() in lex.STOPWORDS:
        return _stands_in(name.text, text)
    present = [_has_word(w, text) for w in name.words]
    if len(name.words) == 1 and _INITIALS.match(name.text) and _other_initial(name, text):
        return False
    if all(present):
        return True
    if len(name.words) == 1:
        return False
    share = sum(present) / len(present)
    return present[-1] and share >= 0.5 and not _other_first_name(name, text)


def _bearers(name: Name, text: str) -> list[Name]:
    """The full names in the text with the same last word."""
    return [other for other in find_names(text) if len(other.words) >= 2 and other.words[-1] == name.words[-1]]


def _other_first_name(name: Name, text: str) -> bool:
    """The last word stands in the text behind another capitalised word: another bearer of the name."""
    first = name.words[0]
    firsts = [other.words[0] for other in _bearers(name, text) if other.words[0] != first]
    other = next((o for o in firsts if not _is_short_for(first, o)), None)
    return other is not None and (not other.startswith(first[:1]) or len(other) > 2)


def _is_short_for(one: str, other: str) -> bool:
    """Whether one first name is the other's beginning, as short forms are: "Matt" and "Matthew"."""
    short, whole = sorted((one, other), key=len)
    return len(short) >= 3 and len(whole) - len(short) >= _SHORTENED and whole.startswith(short)


def _other_initial(name: Name, text: str) -> bool:
    """ "J. Smith" against "Mary Smith": every bearer in the text has a first name that begins otherwise."""
    if not re.match(r"[A-Z]\.", name.text):
        return False
    firsts = [other.words[0] for other in _bearers(name, text)]
    return bool(firsts) and not any(first.startswith(name.text[0].lower()) for first in firsts)


def other_bearer(name: Name, text: str) -> str | None:
    """A different full name with the same last word ("Carl Berg" for "Anna Berg"), or ``None``."""
    if len(name.words) < 2 or name_in(name, text):
        return None
    return next((other.text for other in _bearers(name, text) if other.words[0] != name.words[0]), None)


def telling_names(text: str) -> tuple[Name, ...]:
    """The names of a text, without words that have a capital for another reason ("First" in a title)."""
    return tuple(n for n in find_names(text) if len(n.words) > 1 or not is_common(n.words[0]))


def share_a_name(first: str, second: str) -> bool:
    """Whether two texts speak of one name, or one of them has none."""
    own = telling_names(first)
    return not own or not telling_names(second) or any(name_in(name, second) for name in own)
