"""Slot guard: who did which thing, where the evidence names several ("written by A, with art by B").

Names, and words that are the claim's own, may all stand in a sentence that gives the deed to somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from language.names import Name, find_names, name_in, stem, tokens
from verifier.guard.words import finding_of, stems_of
from verifier.types import GuardFinding

_BY = re.compile(
    r"\b(?P<deed>[A-Za-z]{3,}(?:ed|en|wn|lt|ung|un|ld|de|id|ot|ught|nt|et|ut|on|nd))\s+by\s+", re.IGNORECASE
)
"""A deed and who did it: "written by", "led by"."""
_NO_DEED = frozenset(
    "followed stand nd second and accompanied surrounded replaced succeeded end need went".split()
)
"""Words before "by" that tell of no doer, or of one on the other side."""
_END = re.compile(
    r"[.;:()]|\b(?:with|while|whereas|which|who|whose|where|but|by|after|before|in|on|at|for|from)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";|,?\s\b(?:while|whereas)\b|,\s+but\b")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_STATES = re.compile(
    r"^[^:]*\b(?:is|are|was|were|has|have|had|will|did|does|went|came|took|got|gave|made|held|lies|stood|cost|ran|won|left"
    r"|paid|began|drew|wrote|built|led|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
"""A clause that states something; a row of a table ("Genre: rock") does not."""
_PART = 1 / 3
"""Share of what the claim tells of its name that stands in the other clause alone."""
_POINTS_BACK = re.compile(r"\W*(?:it|its|he|his|she|her|they|their|both|this|these|there)\b", re.IGNORECASE)


def maker_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A claim that gives a deed, or a thing, to another of the names than the evidence does; one at most."""
    return _by_another(claim, premise) or _of_another_clause(claim, premise)


def _by_another(claim: str, premise: str) -> list[GuardFinding]:
    theirs = list(_doers(premise))
    for deed, mine in _doers(claim):
        stated = [name for other, names in theirs if other == deed for name in names]
        for name in mine:
            if not stated or not name_in(name, premise):
                continue
            if any(name_in(name, other.text) or name_in(other, name.text) for other in stated):
                continue
            told = ", ".join(dict.fromkeys(n.text for n in stated))
            message = f"The claim gives it to {name.text!r}; the evidence gives that to {told!r}."
            return [finding_of("entity", "conflict", name.text, told, message)]
    return []


def _doers(text: str) -> Iterator[tuple[str, list[Name]]]:
    """Stem of each deed that is told with "by", and the names behind it."""
    for match in _BY.finditer(text):
        if match["deed"].lower() in _NO_DEED:
            continue
        end = _END.search(text, match.end())
        reach = end.start() if end else len(text)
        yield (
            stem(match["deed"].lower()),
            [n for n in find_names(text) if match.end() <= n.start and n.end <= reach],
        )


def _of_another_clause(claim: str, premise: str) -> list[GuardFinding]:
    """The claim's only name stands in one clause, a thing of the claim only in another that has its own."""
    names = find_names(claim)
    clauses = [c for c in _CLAUSE.split(_ASIDE.sub(" ", premise)) if c.strip()]
    if len(names) != 1 or len(clauses) < 2:
        return []
    [name] = names
    inside = [c for c in clauses if set(name.words) <= set(tokens(c))]
    if len(inside) != 1:
        return []
    own = {w for n in find_names(premise) for w in n.words}
    wanted = stems_of(claim) - {stem(w) for w in (*name.words, *own)}
    missing = wanted - stems_of(inside[0])
    for clause in clauses:
        others = [n for n in find_names(clause) if not name_in(n, claim)]
        if clause is inside[0] or not others or _POINTS_BACK.match(clause) or not _STATES.search(clause):
            continue
        if len(told := missing & stems_of(clause)) >= max(1, _PART * len(wanted)):
            word, instead = sorted(told)[0], others[0].text
            message = (
                f"The claim tells of {name.text!r} what the evidence tells in another clause, of {instead!r} "
                f"({word})."
            )
            return [finding_of("entity", "conflict", name.text, instead, message)]
    return []
