"""Pairs of claims and sentences that the verifier would certify, with how near they are (far-sentences.md).

    python design/notebook/far_sentences.py passages 500
    python design/notebook/far_sentences.py CLAIMS.jsonl CORPUS.jsonl.gz 10

The first takes so many of the written claims, each against its own passage and three sentences of others; the
second the given number of sentences from the five best documents of a corpus. One line of JSON for each pair.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import Stemmer

from agent.assessment.nli_pairs import pair_of
from agent.types import AtomicClaim
from evidence.segmentation.spans import spans_of
from evidence.types import Document, Span
from factdesk import FactChecker
from factdesk.kernel import sha256_text
from language.lexicon import STOPWORDS
from verifier import pair_decision
from verifier.types import Assessment

PASSAGES = Path(__file__).resolve().parents[2] / "verifier" / "training" / "passages"
Case = tuple[str, str, list[Span]]
"""A claim, its label and the sentences it is held against."""


class Index:
    """BM25 over a few thousand texts."""

    def __init__(self, texts: list[str]) -> None:
        self._stem = Stemmer.Stemmer("english").stemWords
        rows = [Counter(self.words(text)) for text in texts]
        self._lengths = [sum(row.values()) for row in rows]
        self._mean = sum(self._lengths) / len(rows)
        self._rows: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, row in enumerate(rows):
            for word, count in row.items():
                self._rows[word].append((number, count))
        self.rarity = {w: math.log(1 + len(rows) / len(found)) for w, found in self._rows.items()}

    def words(self, text: str) -> list[str]:
        return [str(w) for w in self._stem(re.findall(r"[a-z0-9]+", text.lower())) if w not in STOPWORDS]

    def best(self, query: str, count: int, without: frozenset[int] = frozenset()) -> list[int]:
        scores: Counter[int] = Counter()
        for word in set(self.words(query)):
            for number, times in self._rows.get(word, ()):
                norm = 1.2 * (0.25 + 0.75 * self._lengths[number] / self._mean)
                scores[number] += self.rarity[word] * times * 2.2 / (times + norm)  # type: ignore[assignment]
        return [n for n, _ in scores.most_common(count + len(without)) if n not in without][:count]


def document(row: dict[str, Any], number: int) -> Document:
    text = str(row["text"])
    return Document(
        doc_id=str(row.get("doc_id") or f"page-{number}"),
        title=str(row["title"]),
        text=text,
        sha256=sha256_text(text),
        media_type="text/markdown",
        publisher=row.get("publisher"),
        published=date.fromisoformat(row["date"]) if row.get("date") else None,
    )


def of_passages(count: int) -> Iterator[Case]:
    rows = [json.loads(line) for path in sorted(PASSAGES.glob("*.jsonl")) for line in path.open()]
    spans = [list(spans_of(document(row, number))) for number, row in enumerate(rows)]
    flat = [(number, span) for number, found in enumerate(spans) for span in found]
    index = Index([span.text for _, span in flat])
    claims = [(number, claim) for number, row in enumerate(rows) for claim in row["claims"]]
    random.Random(7).shuffle(claims)
    for number, claim in claims[:count]:
        own = frozenset(place for place, (home, _) in enumerate(flat) if home == number)
        others = [flat[place][1] for place in index.best(claim["claim"], 3, own)]
        yield claim["claim"], claim["label"], [*spans[number], *others]


def of_corpus(claims: Path, corpus: Path, count: int) -> Iterator[Case]:
    rows = [json.loads(line) for line in gzip.decompress(corpus.read_bytes()).splitlines()]
    index = Index([f"{row['title']} {row['text']}" for row in rows])
    for line in claims.open(encoding="utf-8"):
        claim = json.loads(line)
        words = set(index.words(claim["claim"]))
        near = [s for n in index.best(claim["claim"], 5) for s in spans_of(document(rows[n], n))]
        shared = {s.span_id: sum(index.rarity.get(w, 0) for w in words & set(index.words(s.text))) for s in near}
        near.sort(key=lambda s: -shared[s.span_id])
        yield claim["claim"], claim["label"], near[:count]


def line_of(claim: str, label: str, span: Span, found: Assessment) -> str:
    guard, mended = found.guard, found.counterfactual
    figures = {
        "told": guard.premise_overlap,
        "overlap": guard.overlap,
        "matched": guard.matched,
        "near": pair_decision.near(found),
    }
    scores = {"entailment": found.calibrated.entailment, "mended": mended and mended.claim}
    return json.dumps({"claim": claim, "label": label, "sentence": span.text, **figures, **scores})


def main(arguments: list[str]) -> None:
    passages = arguments[0] == "passages"
    cases = (
        of_passages(int(arguments[1]))
        if passages
        else of_corpus(Path(arguments[0]), Path(arguments[1]), int(arguments[2]))
    )
    verifier = FactChecker.from_config().verifier
    limits = verifier.thresholds
    for text, label, spans in cases:
        claim = AtomicClaim.model_construct(claim_id="c1", text=text, about_image=False, statement=None)
        for span, found in zip(spans, verifier.assess([pair_of(claim, s) for s in spans]), strict=True):
            entails = found.calibrated.entailment >= limits.tau_entail and found.guard.agrees
            if not span.frame and (entails or pair_decision.opposes(found, limits)):
                sys.stdout.write(line_of(text, label, span, found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
