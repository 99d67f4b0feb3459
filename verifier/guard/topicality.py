"""Whether a sentence speaks of the claim's own matter, and whether it counts the same thing otherwise.

Two sentences about one tram share its name and nothing else when one gives its cost and the other its
speed. What they share besides names, amounts and dates tells the two cases apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from language import lexicon as lex
from language.calendar import first_day, iso_day
from language.names import content_stems, find_names, stem
from language.quantities.mentions import find_slots
from language.quantities.types import Slot
from verifier.guard.quantities import quantity_findings
from verifier.types import GuardFinding

COUNTED = frozenset({"number", "unit"})
LEAST_ALIKE = 0.3
"""Share of the claim's own words that a sentence which counts the same thing has."""
_COUNTED_WORDS = 2
_REACH = 60
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_OF_ANOTHER = re.compile(
    r"^\W*(?:(?:the|an?|its|their|his|her|all|some|many|most|two|three|four)\s+)*"
    r"(?:other|older|rival|neighbou?ring|competing|another|remaining)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:will|is to|are to|was to|were to|expected to|due to (?:open|close|begin|start|be)|plans? to|"
    r"(?<!than )planned to|intends? to|is due|are due|would(?! have\b(?! to\b))"
    r"|according to the (?:plans?|draft|designs?|proposal)"
    r"|present(?:s|ed) (?:the|its|their|a|his|her) (?:plans?|draft|designs?|proposal))\b",
    re.IGNORECASE,
)


def told(claim: str, premise: str, context: str = "") -> float:
    """Share of the claim's telling words that the premise has, names, amounts and dates left aside: 0 to 1.

    1 where the claim has no such words; 0 where the premise is about another one of the kind ("The older
    tram lines reached 88 percent"). Words that the heading supplies ("whooping cough") do not count, unless
    it supplies all.
    """
    if _OF_ANOTHER.search(premise) and not _OF_ANOTHER.search(claim):
        return 0.0
    names = {stem(w) for n in (*find_names(claim), *find_names(premise)) for w in n.words}
    mine, theirs = own_words(claim) - names, own_words(premise)
    mine = (mine - (own_words(context) - theirs)) or mine
    return len(mine & theirs) / len(mine) if mine else 1.0


def own_words(text: str) -> set[str]:
    """Stems of the telling words of a text, amounts and dates left out."""
    for slot in sorted(find_slots(text), key=lambda s: -s.start):
        text = f"{text[: slot.start]} {text[slot.end :]}"
    return content_stems(text)


def speaks_ahead(claim: str, premise: str) -> bool:
    """The premise says what is to come; the claim says what is or was."""
    return _AHEAD.search(premise) is not None and _AHEAD.search(claim) is None


def published_before(published: str, slots: Sequence[Slot]) -> bool:
    """Whether a day of publication (ISO) lies before all dates among ``slots``, each of them a full one."""
    day = iso_day(published)
    days = [first_day(slot.value) for slot in slots if slot.kind == "date"]
    return day is not None and bool(days) and all(first is not None and day < first for first in days)


def counts_otherwise(
    claim: str, premise: str, context: str, published: str, findings: tuple[GuardFinding, ...]
) -> bool:
    """The premise gives another number of what the claim counts ("37 pairs", "31 breeding pairs"), with
    enough of its words, for no other day and as no plan.
    """
    if any(f.slot == "modality" or (f.slot == "date" and f.evidence_value) for f in findings):
        return False
    if not any(f.kind == "conflict" and f.slot in COUNTED for f in findings):
        return False
    if speaks_ahead(claim, premise) or told(claim, premise, context) < LEAST_ALIKE:
        return False
    return any(
        _counted(claim, slot.end) & _counted(premise, rival.end)
        for finding, slot, rivals in quantity_findings(claim, premise, context, published)
        if finding.kind == "conflict" and slot.kind in COUNTED
        for rival in rivals
    )


def _counted(text: str, at: int) -> set[str]:
    """Stems of the (at most two) telling words behind a number, up to the next comma."""
    words = [w.lower() for w in _WORD.findall(text[at : at + _REACH].partition(",")[0])]
    if words[:1] and words[0] in lex.STOPWORDS:
        return set()
    return {stem(w) for w in [w for w in words if w not in lex.STOPWORDS][:_COUNTED_WORDS]}
