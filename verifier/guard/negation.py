"""Opposite words; denials on one side only, and of another thing."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from language import lexicon as lex
from language.calendar import MONTHS, WEEKDAYS
from language.names import content_stems, name_in, stem
from verifier.guard.lexicon import expression
from verifier.guard.overstatement import OUTDONE, superlatives
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_SALE = re.compile(r"\b(?:sold|sells?|selling)\b(?:\s+\w+){0,4}?\s+to\b", re.I)
_PURCHASE = re.compile(r"\b(?:bought|purchased)\b(?:\s+\w+){0,3}?\s+by\b", re.I)
"""The two sides of one deal: "sold to Ada", "bought by Ada"."""
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_LIFTED = expression("ban_lifted")
_REASON = re.compile(r"[,;]?\s+(?:because|although|though|whereas|while|even though|as long as)\b|;", re.IGNORECASE)
"""Where a clause begins whose denials do not reach into the one before it."""


def _reversed_order(claim: Text, premise: Text) -> bool:
    """Whether the claim's first two names stand in the premise in the other order."""
    found = ((premise.plain.find(name.words[-1]), name) for name in claim.names)
    placed = [at for at, name in found if at >= 0 and name_in(name, premise.raw)]
    return len(placed) >= 2 and placed[0] > placed[1]


def _sides_swapped(claim: Text, premise: Text) -> bool:
    """Whether both compare, and what the claim has behind "than" stands before it in the premise: "A had more
    than B" and "B had fewer than A" are one.
    """
    mine, theirs = ([content_stems(side) for side in _THAN.split(text.raw, maxsplit=1)] for text in (claim, premise))
    if len(mine) != 2 or len(theirs) != 2:
        return False
    behind, before = mine[1] - mine[0], theirs[0] - theirs[1]
    return bool(behind & before) and not behind & theirs[1]


@lru_cache(maxsize=1024)
def opposite_words(claim: Text, premise: Text) -> tuple[str, str] | None:
    """The pair of opposite words by which claim and premise differ, or ``None``."""
    if _reversed_order(claim, premise) or _sides_swapped(claim, premise):
        return None
    deal = ((_SALE, _PURCHASE), (_PURCHASE, _SALE))
    if any(one.search(claim.raw) and other.search(premise.raw) for one, other in deal):
        return None
    mine, theirs = _lifted(claim).token_set, _lifted(premise).token_set
    for left, right in lex.OPPOSITES:
        for ours, others in ((left, right), (right, left)):
            if mine & ours and not mine & others and theirs & others and not theirs & ours:
                return sorted(mine & ours)[0], sorted(theirs & others)[0]
    return None


def _lifted(text: Text) -> Text:
    return text_of(_LIFTED.sub(r"allowed \g<what>", text.raw))


def _turned(text: Text, word: str) -> bool:
    """Whether a denial stands in the clause of ``word``; what a reason denies leaves it as it is."""
    clauses = [c for c in _REASON.split(_lifted(text).raw) if word in text_of(c).token_set]
    return any(text_of(clause).cues - {word} for clause in clauses or [text.raw])


def opposed(claim: Text, premise: Text) -> Hit | None:
    """Opposite words, neither or both of which a denial turns round."""
    found = opposite_words(claim, premise)
    if found is None or _turned(claim, found[0]) != _turned(premise, found[1]):
        return None
    return Hit(*found)


def _detect(pair: TextPair) -> Hit | None:
    return opposed(pair.claim.stated, pair.premise.stated)


_ALL = frozenset({"no", "none", "nobody", "nothing", "never"})
"""Words that deny something as a whole."""
_DAYS = frozenset(stem(word) for word in (*MONTHS, *WEEKDAYS))
_FALSE = expression("said_false")


def denies_all(text: str) -> bool:
    """Whether it says of something that it is so nowhere, never or of nobody ("Nobody has died")."""
    return bool(text_of(text).cues & _ALL)


@lru_cache(maxsize=65536)
def denies(first: str, second: str) -> bool:
    """Whether one of two statements denies the other, by negation or by opposite words; either way round.

    It says nothing of how near they are: both must be known to speak of the same matter. What is denied must
    stand in the other one: "Nobody died of cholera" denies no count of cases.
    """
    a, b = text_of(first).stated, text_of(second).stated
    if opposed(a, b) or opposed(b, a):
        return True
    if not (_conflict(a, b) or _conflict(b, a)):
        return False
    matters = [(m, b.content) for m in _denied_matter(a)] + [(m, a.content) for m in _denied_matter(b)]
    return any(matter <= held for matter, held in matters)


def _denied_matter(text: Text) -> list[set[str]]:
    """For each denial the stems of what it denies at least: its verb, or the noun behind "no" and a verb."""
    found = []
    for index in text.cue_places:
        telling = [w for w in text.words[index + 1 :] if w[0].isalpha() and w not in lex.STOPWORDS]
        found.append({stem(w) for w in telling[: 2 if text.words[index] == "no" else 1]})
    return [stems for stems in found if stems]


def _denied_heads(text: Text) -> set[str]:
    """Stem of the first telling word behind each denial: the denied verb, or the noun behind "no"."""
    behind = ([w for w in text.words[i + 1 :] if w not in lex.STOPWORDS] for i in text.cue_places)
    return {stem(w) for words in behind for w in words[:1]}


def _denies_softly(text: Text, taking: frozenset[str] = lex.TAKING) -> bool:
    """Denial within a word ("unharmed", "powerless") or by a verb that takes away ("cut", "called off")."""
    words = [part for word in text.tokens for part in word.split("-")]
    return any(w in taking or (w.startswith("un") and w[2:] in lex.UNDONE) or _is_less(w) for w in words)


def _is_less(word: str) -> bool:
    known = {"unless", "regardless", "nonetheless", "nevertheless"}
    return word.endswith("less") and len(word) > 6 and word not in known


def _only_claim_denies(claim: Text, premise: Text) -> frozenset[str] | None:
    """What of the denied words the evidence asserts; ``None`` where it denies too, if only softly."""
    if not claim.cues or premise.cues or opposite_words(claim, premise):
        return None
    shared = claim.denied & premise.stems
    if not shared and _denies_softly(premise):
        return None
    if shared and not _denied_heads(claim) & premise.stems and _denies_softly(premise, lex.EXEMPT):
        return None
    return shared


def _asserted(claim: Text, premise: Text) -> Hit | None:
    shared = _only_claim_denies(claim, premise)
    return Hit(sorted(claim.cues)[0], "", ", ".join(sorted(shared))) if shared else None


def _undenied(claim: Text, premise: Text) -> Hit | None:
    shared = _only_claim_denies(claim, premise)
    return Hit(sorted(claim.cues)[0]) if shared is not None and not shared else None


def _crossed(claim: Text, premise: Text) -> Hit | None:
    """ "a sailor, not a miner" against "a miner, not a sailor": each denies what the other one asserts."""
    asserted = (premise.denied & claim.stems) - claim.denied
    denied = (claim.denied & premise.stems) - premise.denied
    if not (asserted and denied) or opposite_words(claim, premise):
        return None
    mine, theirs, cue = ", ".join(sorted(asserted)), ", ".join(sorted(denied)), min(claim.cues)
    return Hit(cue, "", f"({mine}) what the evidence denies, and denies ({cue!r}) what it asserts ({theirs})")


def _only_premise_denies(claim: Text, premise: Text) -> frozenset[str] | None:
    """What of the claim's words the evidence denies; ``None`` where both deny, or neither does.

    "Stopped in December" says nothing of what else is to come in December.
    """
    if claim.cues or not premise.cues or opposite_words(claim, premise):
        return None
    shared = premise.denied & claim.stems
    return None if premise.cues <= lex.DENIALS and shared <= _DAYS else shared


def _denied(claim: Text, premise: Text) -> Hit | None:
    shared = _only_premise_denies(claim, premise)
    if not shared or (superlatives(claim.tokens) and OUTDONE.search(premise.raw)):
        return None
    return Hit("", sorted(premise.cues)[0], ", ".join(sorted(shared)))


def _conflict(claim: Text, premise: Text) -> bool:
    """Whether one denies what the other asserts."""
    return any(find(claim, premise) for find in (_asserted, _crossed, _denied))


def _undenied_statement(pair: TextPair) -> Hit | None:
    """A claim that denies all of a statement, and evidence that denies nothing of it.

    That both have some denial is not enough: evidence of "colleagues who were defeated" denies something,
    but not that they were.
    """
    frame = _FALSE.match(pair.claim.raw)
    if frame is None or _FALSE.match(pair.premise.raw):
        return None
    statement = text_of(pair.claim.raw[frame.end() :])
    if opposed(statement, pair.premise) or _conflict(statement, pair.premise):
        return None
    return Hit(frame[0].strip())


def _of_stated(find: Callable[[Text, Text], Hit | None]) -> Callable[[TextPair], Hit | None]:
    """A rule's detector on both texts without the values that they reject."""
    return lambda pair: find(pair.claim.stated, pair.premise.stated)


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "direction.opposite": _detect,
        "negation.asserted": _of_stated(_asserted),
        "negation.absent": _of_stated(_undenied),
        "negation.crossed": _of_stated(_crossed),
        "negation.denied": _of_stated(_denied),
        "negation.statement": _undenied_statement,
    }
)
"""Rules on opposite words."""
