"""METEOR without WordNet, and AVeriTeC's scores over it.

AVeriTeC compares questions and evidence by METEOR (Banerjee and Lavie 2005; alpha 0.9, beta 3, gamma 0.5) and
the best assignment. Its script also matches synonyms of WordNet, which factdesk does not carry: words match
here when they are equal or have the same stem (Porter). Scores are a little lower than the script's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.data.formats.types import Answered
from evaluation.metrics.measures import rounded
from factdesk.kernel import InputError

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
MAX_QUESTIONS = 10
"""So many questions of a run are compared, as in AVeriTeC's script."""
LEVELS = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5)
"""Evidence scores that a verdict needs in order to count; 0.25 is the one that the paper reports."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
Pairs = list[tuple[int, int]]
_Words = list[tuple[int, str]]


@cache
def _stemmer() -> Any:
    from Stemmer import Stemmer

    return Stemmer("porter")


def meteor(hypothesis: str, reference: str) -> float:
    """METEOR of a sentence against one reference, 0 to 1."""
    said = list(enumerate(_TOKEN.findall(hypothesis.lower())))
    wanted = list(enumerate(_TOKEN.findall(reference.lower())))
    if not said or not wanted:
        return 0.0
    lengths = len(said), len(wanted)
    matches = _match(said, wanted)
    stem = _stemmer().stemWord
    said, wanted = ([(i, stem(word)) for i, word in words] for words in (said, wanted))
    matches = sorted([*matches, *_match(said, wanted)])
    if not matches:
        return 0.0
    precision, recall = len(matches) / lengths[0], len(matches) / lengths[1]
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    together = sum(b == (a[0] + 1, a[1] + 1) for a, b in pairwise(matches))
    chunks = len(matches) - together
    return float(mean * (1 - GAMMA * (chunks / len(matches)) ** BETA))


def _match(said: _Words, wanted: _Words) -> Pairs:
    """Pairs of equal words, from the end on; what matches is taken out of both."""
    found: Pairs = []
    for i in range(len(said) - 1, -1, -1):
        for j in range(len(wanted) - 1, -1, -1):
            if said[i][1] == wanted[j][1]:
                found.append((said.pop(i)[0], wanted.pop(j)[0]))
                break
    return found


def assigned(found: Sequence[str], wanted: Sequence[str]) -> float:
    """The best assignment of found texts to wanted ones: sum of METEOR over the number wanted (Hu-METEOR).

    Raises ``InputError`` when nothing is wanted.
    """
    from scipy.optimize import linear_sum_assignment

    if not wanted:
        raise InputError("there are no reference questions to compare with")
    if not found:
        return 0.0
    table: NDArray[np.float64] = np.array([[meteor(f, w) for w in wanted] for f in found[:MAX_QUESTIONS]])
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(table[rows, columns].sum()) / len(wanted)


def averitec_scores(
    questions: Sequence[Sequence[str]],
    answers: Sequence[Sequence[tuple[str, str]]],
    wanted: Sequence[Sequence[Answered]],
    right: Sequence[bool],
) -> dict[str, float | None]:
    """AVeriTeC's scores, each list with one entry a claim; claims without reference questions are left out.

    ``q_only`` and ``q_and_a``: Hu-METEOR of the questions, and of questions with their answers;
    ``averitec@LEVEL``: share of claims with the right verdict and a ``q_and_a`` above the level.
    """
    kept = [n for n, asked in enumerate(wanted) if asked]
    if not kept:
        return {}
    alone = [assigned(questions[n], list(dict.fromkeys(a.question for a in wanted[n]))) for n in kept]
    both = [
        assigned([f"{q} {a}" for q, a in answers[n]], [f"{a.question} {a.answer}" for a in wanted[n]]) for n in kept
    ]
    found: dict[str, float | None] = {
        "q_only": rounded(float(np.mean(alone))),
        "q_and_a": rounded(float(np.mean(both))),
    }
    for level in LEVELS:
        counted = [right[n] and score > level for n, score in zip(kept, both, strict=True)]
        found[f"averitec@{level}"] = rounded(float(np.mean(counted)))
    return found
