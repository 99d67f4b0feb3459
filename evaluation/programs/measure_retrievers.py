"""Compare the retrievers, and the settings of the one by communities, on labelled claims.

For each retriever: recall of gold sentences at 5 and 20, then the whole check: accuracy, macro F1, what was
wrongly Verified or refuted. ``--sentences`` cuts the corpus down to so many sentences (all documents that the
claims cite, others drawn by ``--seed``) and stores it under a name of its own; ``--claims`` draws so many
claims for the verdicts, label by label. ``--sweep`` measures the retriever ``community`` at each delta, and
each lam that can matter, instead. Usage::

    python -m evaluation.programs.measure_retrievers CLAIMS.jsonl CORPUS [--sentences 10000]
        [--claims 60] [--sweep]

Prints one JSON object a line. The figures in docs/results/graph.md come from this command.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from evaluation.data.claims import evaluate_claims
from evaluation.metrics.retrieval import evaluate_retrieval
from evidence.graph.communities import share
from evidence.graph.retrieval import CommunityRetriever
from evidence.segmentation.spans import spans_of
from evidence.types import Document
from factdesk.checker import FactChecker
from factdesk.corpora.graphs import Graphs
from factdesk.corpora.stored import Corpora
from factdesk.kernel import InputError
from factdesk.settings import load_settings

RETRIEVERS = ("none", "semantic", "kaping", "hybrid", "community", "both")
PERCENT = (25, 50, 75, 100)
READ = 100
"""More sentences than a check asks a retriever for: a lam that keeps as many changes nothing."""


def cut(corpora: Corpora, name: str, rows: list[dict[str, Any]], sentences: int, seed: int) -> str:
    """Store the part of a corpus that is measured on; gives its name."""
    made = f"{name}-{sentences}"
    if corpora.has(made):
        return made
    _, store, _ = corpora.resolve(name)
    documents = {d.doc_id: d for d in store.iter_documents(name)}
    cited = sorted({g["doc_id"] for r in rows for g in r.get("gold_evidence", ())} & documents.keys())
    others = sorted(documents.keys() - set(cited))
    random.Random(seed).shuffle(others)
    chosen: list[Document] = []
    count = 0
    for doc_id in [*cited, *others]:
        if count >= sentences:
            break
        chosen.append(documents[doc_id])
        count += len(list(spans_of(documents[doc_id])))
    corpora.add_documents(made, chosen)
    return made


def drawn(rows: list[dict[str, Any]], count: int | None, seed: int) -> list[dict[str, Any]]:
    """``count`` claims, as many of each label as can be, in the order of the file."""
    if count is None or count >= len(rows):
        return rows
    by_label: dict[str, list[int]] = {}
    for number in random.Random(seed).sample(range(len(rows)), len(rows)):
        by_label.setdefault(rows[number]["label"], []).append(number)
    kept: list[int] = []
    while len(kept) < count:
        for label in sorted(by_label):
            if by_label[label] and len(kept) < count:
                kept.append(by_label[label].pop())
    return [rows[n] for n in sorted(kept)]


def verdicts(rows: list[dict[str, Any]], corpus: str, **settings: Any) -> dict[str, Any]:
    """The whole check on some claims."""
    checker = FactChecker(load_settings(corpus=(corpus,), **settings))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "claims.jsonl"
        file.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
        begun = time.process_time()
        found = evaluate_claims(checker, file)
    names = ("n", "accuracy", "macro_f1", "wrong_verified", "wrong_refuted", "coverage", "pairs")
    certified = [o.id for o in found.outcomes if o.verdict == o.label != "not_enough_evidence"]
    matrix = Counter(f"{o.label} as {o.verdict}" for o in found.outcomes)
    return {
        **{name: getattr(found, name) for name in names},
        "certified": certified,
        "verdicts": dict(matrix),
        "cpu_seconds_per_claim": round((time.process_time() - begun) / found.n, 2),
    }


def sizes(corpus: str, rows: list[dict[str, Any]], delta: float) -> dict[str, Any]:
    """How many sentences the chosen communities have, and whether ``lam`` can change what is read."""
    settings = load_settings(corpus=(corpus,), retriever="community", delta=delta)
    corpora = Corpora(settings)
    parts = Graphs(settings, corpora).parts(corpus)
    retriever = CommunityRetriever(corpora.index(corpus), corpora.embedder, parts)
    counts = sorted(len(retriever.rows_for(r["claim"])) for r in rows)
    return {
        "communities": len(parts.communities),
        "modularity": parts.communities.modularity,
        "sentences_median": counts[len(counts) // 2],
        "sentences_least": counts[0],
    }


def swept(corpus: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each delta with each lam that could give something else than the next greater one."""
    found: list[dict[str, Any]] = []
    for delta in PERCENT:
        size = sizes(corpus, rows, delta)
        lams = [lam for lam in PERCENT if lam == PERCENT[-1] or share(size["sentences_least"], lam) < READ]
        click.echo(json.dumps({"delta": delta, "lams_that_matter": lams, **size}))
        found += [{"retriever": "community", "delta": delta, "lam": lam} for lam in lams]
    return found


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("claims", type=Path)
    parser.add_argument("corpus")
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--claims", dest="count", type=int, help="claims for the verdicts; 0: none")
    parser.add_argument("--retriever", action="append", choices=RETRIEVERS)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.claims.read_text(encoding="utf-8").splitlines()]
    corpora = Corpora(load_settings())
    corpus = given.corpus
    if given.sentences is not None:
        corpus = cut(corpora, corpus, rows, given.sentences, given.seed)
    chosen = drawn(rows, given.count, given.seed)
    settings: list[dict[str, Any]] = [{"retriever": r} for r in given.retriever or RETRIEVERS]
    for one in swept(corpus, rows) if given.sweep else settings:
        row: dict[str, Any] = {"corpus": corpus, **one}
        try:
            found = evaluate_retrieval(load_settings(**one), corpus, given.claims, [one["retriever"]])[0]
            row["recall"] = found.model_dump(exclude={"retriever"})
        except InputError as error:  # no gold evidence in this file
            row["recall"] = str(error)
        if chosen:
            row["verdicts"] = verdicts(chosen, corpus, **one)
        click.echo(json.dumps(row))


if __name__ == "__main__":
    main()
