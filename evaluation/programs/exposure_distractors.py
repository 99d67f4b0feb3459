"""Documents that name what a claim names and say something else: for ``measure_exposure.py``.

Their sentences are taken from other documents, with the claim's name in the place of their own first name.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from evidence.segmentation.spans import spans_of
from evidence.types import Document
from factdesk.kernel import sha256_text
from language.names import content_stems, find_names
from language.nlp.pipeline import load_nlp
from language.quantities.mentions import find_slots

PREFIX = "distractor-"
DOCUMENTS, SENTENCES = 3, 4
"""Distracting documents a claim, from different publishers, and sentences in each."""
SHARED = 1
"""Words besides the name that a distracting sentence may share with the claim: more may be evidence."""


def distractors(claim: str, seen: set[str], donors: Sequence[Document], seed: int) -> list[Document]:
    """Documents that name what the claim names, in sentences about other facts; one seed, one outcome.

    Documents that the claim's questions did not find (``seen``) give their sentences first.
    """
    rng = random.Random(f"{seed}|{claim}")
    name = _subject(claim)
    if name is None:
        return []
    wanted = DOCUMENTS * SENTENCES
    sentences: list[str] = []
    for document in sorted(rng.sample(list(donors), len(donors)), key=lambda d: d.doc_id in seen):
        if len(sentences) == wanted:
            break
        fitting = [s for x in spans_of(document) if (s := _renamed(x.text, name, claim)) is not None]
        sentences += rng.sample(fitting, min(1, len(fitting)))
    parts = [sentences[i : i + SENTENCES] for i in range(0, len(sentences), SENTENCES)]
    return [_made(n, name, part) for n, part in enumerate(parts, 1)]


def _subject(claim: str) -> str | None:
    """The first name of a claim, or else its first noun phrase."""
    names = find_names(claim)
    if names:
        return names[0].text.removesuffix("'s").removesuffix("’s")
    return next((c.text for c in load_nlp()(claim).noun_chunks if content_stems(c.text)), None)


def _renamed(sentence: str, name: str, claim: str) -> str | None:
    """A sentence with ``name`` for its own first name; ``None`` where it might be evidence."""
    own = find_names(sentence)
    if not own or not 6 <= len(sentence.split()) <= 40 or name.lower() in sentence.lower():
        return None
    rest = content_stems(sentence) & (content_stems(claim) - content_stems(name))
    amounts = [{(s.kind, s.value) for s in find_slots(text)} for text in (claim, sentence)]
    if len(rest) > SHARED or amounts[0] & amounts[1]:
        return None
    return sentence[: own[0].start] + name + sentence[own[0].end :]


def _made(number: int, name: str, sentences: Sequence[str]) -> Document:
    text = " ".join(sentences)
    return Document(
        doc_id=f"{PREFIX}{number}",
        title=name[0].upper() + name[1:],
        text=text,
        sha256=sha256_text(text),
        publisher=f"Gazette {number}",
    )
