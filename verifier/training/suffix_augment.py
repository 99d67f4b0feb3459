"""Evidence as reporters write it: with who said so, or with one more clause about something else.

The label stays: "No tram derailed in June, and nobody was hurt, the office said on Monday." denies of the
trams what "No tram derailed in June." denies. A model that has mostly seen short premises loses the thread.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from language.names import content_stems
from verifier.calibration.labelled_pairs import Pair
from verifier.guard.value_repair import inner

TRAILING = "trailing"
"""Name of the source of such pairs."""
MOST = 200
"""Characters of evidence up to which it gets something added."""
_SPOKEN = re.compile(
    r"\b(?:sa(?:y|ys|id)|stat(?:es?|ed)|announc\w+|accord\w+|report(?:s|ed)?|t(?:ells?|old)|den(?:y|ies|ied)|"
    r"claim\w*|believ\w+|think\w*|if|whether|not true|false|rumou?r\w*)\b|[\"\u201c\u201d?!:;(]",
    re.IGNORECASE,
)
_WHO = (
    "the office",
    "the agency",
    "the council",
    "a spokeswoman",
    "a spokesman",
    "the authority",
    "the company",
    "the organisers",
    "the board",
    "the police",
    "the ministry",
    "the institute",
    "the operator",
    "the group",
)
_HOW = (
    "said",
    "announced",
    "stated in its report",
    "reported",
    "explained at a meeting",
    "wrote in a letter",
    "told reporters",
    "confirmed",
)
_WHEN = ("", "", " on Monday", " on Tuesday", " on Thursday", " on Friday", " this week", " in the evening")
_BEFORE = ("According to {who}, ", "As {who} said{when}, ", "In a statement{when}, {who} said that ")
_CLAUSES = (
    "and nobody was hurt",
    "and no complaint has been received",
    "and more is to follow in autumn",
    "and the weather stayed dry",
    "and visitors took it calmly",
    "and the bill has been settled",
    "while the neighbours hardly noticed",
    "and no window was broken",
    "though the lifts were out of order",
    "and the canteen remained open",
    "and nothing was stolen",
    "while the phones rang all morning",
    "and the keys have been handed over",
    "though not everybody was pleased",
    "and the files were put away",
    "and there was coffee for everyone",
)


def trailing_pairs(pairs: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    """``count`` of ``pairs`` at most, in random order, their one-sentence evidence with a clause more, with
    who said so, or with both; the label is that of the pair.
    """
    fit = [p for p in pairs if _plain(p.premise)]
    rng.shuffle(fit)
    made = (_with_more(p, rng) for p in fit)
    return list(islice((p for p in made if p is not None), count))


def _plain(premise: str) -> bool:
    """One sentence that nobody is said to have said."""
    body = premise.strip()
    single = body.endswith(".") and ". " not in body[:-1]
    return single and body.count(" ") >= 4 and len(body) <= MOST and not _SPOKEN.search(body)


def _with_more(pair: Pair, rng: random.Random) -> Pair | None:
    body, way = pair.premise.strip()[:-1], rng.random()
    clause = rng.choice(_CLAUSES)
    if way < 0.6:
        if content_stems(clause) & content_stems(f"{pair.hypothesis} {body}"):
            return None
        body = f"{body}, {clause}"
    if way > 0.3:
        who, when = rng.choice(_WHO), rng.choice(_WHEN)
        if content_stems(who) & content_stems(pair.hypothesis):
            return None
        if rng.random() < 0.7:
            body = f"{body}, {who} {rng.choice(_HOW)}{when}"
        else:
            body = rng.choice(_BEFORE).format(who=who, when=when) + inner(body)
    return replace(pair, premise=f"{body}.", source=TRAILING)
