"""The output of REBEL (Huguet Cabot and Navigli, 2021): a text with marks, read back into triples.

``<triplet> Oslo <subj> Norway <obj> capital of <subj> 1048 <obj> inception`` gives (Oslo, capital of, Norway)
and (Oslo, inception, 1048): after ``<triplet>`` the subject, after ``<subj>`` an object, after ``<obj>`` the
relation.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"(<triplet>|<subj>|<obj>)")
_FRAME = re.compile(r"<s>|</s>|<pad>")


def parse_rebel(text: str) -> tuple[tuple[str, str, str], ...]:
    """(subject, relation, object) in order, each once; what is cut short or empty is left out."""
    parts = _MARK.split(_FRAME.sub(" ", text))
    found: dict[tuple[str, str, str], None] = {}
    subject = target = ""
    for mark, words in zip(parts[1::2], (" ".join(p.split()) for p in parts[2::2]), strict=True):
        if mark == "<triplet>":
            subject, target = words, ""
        elif mark == "<subj>":
            target = words
        elif subject and target and words:
            found[subject, words, target] = None
            target = ""
    return tuple(found)
