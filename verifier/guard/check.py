"""The guard: its rules in their order, asked about one claim and one premise, and how far these share a matter.

Two sentences about one tram share its name and nothing else when one gives its cost and the other its
speed. What they share besides names, amounts and dates tells the two cases apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from language import lexicon as lex
from language.calendar import first_day, iso_day
from language.names import name_in, stem
from language.nlp.delegation import answerable
from language.types import Slot
from verifier.guard import amounts, attachment, negation, overstatement
from verifier.guard.amounts import EMPTY, unnamed
from verifier.guard.lexicon import expression
from verifier.guard.quantities import amounts_worked_out, quantity_findings
from verifier.guard.rule import PATTERN_RULES, Rule, hear, left_out
from verifier.guard.structure import assertion, denial, difference, occasion, refutation, roles, scope
from verifier.guard.structure.pairing import Pairing
from verifier.guard.text import TextPair, names_a_thing, rejects, text_of, without_rejected
from verifier.types import GuardFinding, GuardReport

SUBJECT_OVERLAP = 0.34
"""Least share of a claim's telling words that evidence about the same subject contains."""
NAMED_OVERLAP = 0.2
"""The same where the evidence has all of the claim's names."""
COUNTED = frozenset({"number", "unit"})
LEAST_ALIKE = 0.3
"""Share of the claim's own words that a sentence which counts the same thing has."""
_COUNTED_WORDS = 2
_REACH = 60
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_RARE = re.compile(r"(?<![\w-])[a-z]{6,}(?![\w-])")
_OF_ANOTHER = expression("of_another")
_AHEAD = expression("ahead")


def overlap(pair: TextPair) -> float:
    """Share of the claim's telling words that premise and context hold, 0 to 1."""
    mine = pair.claim.content
    return len(mine & pair.around.content) / len(mine) if mine else 0.0


def same_subject(pair: TextPair) -> bool:
    """Whether premise and context speak of what the claim is about."""
    names, around = pair.claim.names, pair.around.raw
    if names and not name_in(names[0], around):
        return False
    least = NAMED_OVERLAP if names and all(name_in(n, around) for n in names) else SUBJECT_OVERLAP
    return bool(pair.claim.content) and overlap(pair) >= least


def uncovered_terms(pair: TextPair) -> tuple[str, ...]:
    """Rare words of the claim (six letters and more) whose stem neither premise nor context has, in order.

    Words within amounts and dates are left to those; a common word may well be paraphrased.
    """
    slots = [(s.start, s.end) for s in pair.claim.slots]
    found = [
        m[0]
        for m in _RARE.finditer(pair.claim.raw)
        if stem(m[0]) not in common_stems() and not any(a <= m.start() < b for a, b in slots)
    ]
    return tuple(w for w in dict.fromkeys(found) if stem(w) not in pair.around.content) if found else ()


@cache
def common_stems() -> frozenset[str]:
    """Stems of the common words: what is none of them is a name or a rare word.

    They lie beside the words, since making them takes as long as comparing twenty pairs.
    """
    return frozenset(files("language.wordlists").joinpath("common_stems.txt").read_text(encoding="utf-8").split())


def told(claim: str, premise: str, context: str = "") -> float:
    """Share of the claim's telling words that the premise has, names, amounts and dates left aside: 0 to 1.

    1 where the claim has no such words; 0 where the premise is about another one of the kind ("The older
    tram lines reached 88 percent"). Words that the heading supplies ("whooping cough") do not count, unless
    it supplies all.
    """
    if _OF_ANOTHER.search(premise) and not _OF_ANOTHER.search(claim):
        return 0.0
    names = {stem(w) for n in (*text_of(claim).names, *text_of(premise).names) for w in n.words}
    mine, theirs = own_words(claim) - names, own_words(premise)
    mine = (mine - (own_words(context) - theirs)) or mine
    return len(mine & theirs) / len(mine) if mine else 1.0


def own_words(text: str) -> set[str]:
    """Stems of the telling words of a text, amounts and dates left out."""
    return set(text_of(text).own)


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


SLOT_RULES: tuple[Rule[TextPair], ...] = (
    *amounts.RULES,
    *negation.RULES,
    *overstatement.RULES,
    *PATTERN_RULES,
    *attachment.RULES,
)
"""Rules that compare the words of both sides."""
PARSE_RULES: tuple[Rule[Pairing], ...] = (
    *roles.RULES,
    *denial.RULES,
    *assertion.RULES,
    *scope.RULES,
    *difference.RULES,
    *refutation.RULES,
    *occasion.RULES,
)
"""Rules that compare the parses of both sides, in the order in which their hits are told."""
RULES: tuple[Rule[TextPair] | Rule[Pairing], ...] = (EMPTY, *SLOT_RULES, *PARSE_RULES)
"""Every rule: those on words, and those on the parses of both sides."""


def check(
    claim: str,
    premise: str,
    context: str = "",
    published: str = "",
    without: frozenset[str] = frozenset(),
) -> GuardReport:
    """Compare the slots of ``claim`` with those of ``premise``.

    ``context`` (title, sentence before) may supply names and dates that the premise leaves
    out; amounts and words must stand in the premise itself. ``published`` (ISO day) dates a premise
    that states no date of its own. ``without``: ids of rules that are not asked.
    """
    without |= left_out()
    report = compare(claim, premise, context, published, frozenset())
    hear(f.rule for f in report.findings)
    if without.isdisjoint(f.rule for f in report.findings):
        return report
    return compare(claim, premise, context, published, without)


@lru_cache(maxsize=8192)
def compare(claim: str, premise: str, context: str, published: str, without: frozenset[str]) -> GuardReport:
    """What the rules find, and how far the premise speaks of the claim's matter."""
    pair = TextPair(claim, premise, context, published)
    if empty := EMPTY.findings(pair):
        return GuardReport(findings=empty, same_subject=False)
    findings = _findings(pair, without)
    same = same_subject(pair)
    return GuardReport(
        findings=findings,
        same_subject=same,
        matched=_stated_amounts(pair),
        named=len(pair.claim.names) - len(unnamed(pair)),
        overlap=round(overlap(pair), 4),
        uncovered=uncovered_terms(pair),
        value_rejected=rejects(claim, premise),
        premise_overlap=round(told(claim, premise, context), 4),
        premise_future=speaks_ahead(claim, premise),
        predates_claim=published_before(published, pair.claim.slots),
        count_differs=same and counts_otherwise(claim, premise, context, published, findings),
        worked_out=tuple(found.how for _, found in amounts_worked_out(claim, without_rejected(premise))),
    )


def _stated_amounts(pair: TextPair) -> int:
    """How many amounts and dates of the claim the premise states, those in names ("line 4") left aside."""
    claim = pair.claim.raw
    otherwise = [s for _, s, _ in quantity_findings(claim, pair.premise.raw, pair.context, pair.published)]
    return _amounts(claim, pair.claim.slots) - _amounts(claim, otherwise)


def _amounts(claim: str, slots: Sequence[Slot]) -> int:
    return sum(not names_a_thing(claim, slot) for slot in slots)


def _findings(pair: TextPair, without: frozenset[str]) -> tuple[GuardFinding, ...]:
    found: list[GuardFinding] = []
    told: set[str] = set()
    for rule in SLOT_RULES:
        if rule.id in without or rule.group in told:
            continue
        hits = rule.findings(pair)
        found += hits
        if hits and rule.group:
            told.add(rule.group)
    return tuple(found)


def unsupported(claim: str, premise: str, context: str = "") -> tuple[GuardFinding, ...]:
    """What keeps the premise from supporting the claim, by the parses of both; empty: nothing."""
    return _by_parse(claim, premise, context, "support")


def unopposed(claim: str, premise: str, context: str = "") -> tuple[GuardFinding, ...]:
    """What keeps the premise from speaking against the claim: it tells of something else. Empty: nothing."""
    return _by_parse(claim, premise, context, "contradiction")


def unrefuted(claim: str, premise: str, context: str = "") -> tuple[GuardFinding, ...]:
    """What keeps the premise from refuting the claim, though it may speak against it. Empty: nothing."""
    return _by_parse(claim, premise, context, "refutation")


def _by_parse(claim: str, premise: str, context: str, effect: str) -> tuple[GuardFinding, ...]:
    findings = _parsed(claim, premise, context, effect)
    hear(f.rule for f in findings)
    without = left_out()
    return tuple(f for f in findings if f.rule not in without) if without else findings


@lru_cache(maxsize=16384)
def _parsed(claim: str, premise: str, context: str, effect: str) -> tuple[GuardFinding, ...]:
    return tuple(GuardFinding.model_validate_json(found) for found in compare_parses(claim, premise, context, effect))


@answerable
def compare_parses(claim: str, premise: str, context: str, effect: str) -> list[str]:
    """What the rules of an effect find, each finding as JSON."""
    pair = Pairing(claim, premise, context)
    found = (finding for rule in PARSE_RULES if rule.effect == effect for finding in rule.findings(pair))
    return [finding.model_dump_json() for finding in found]
