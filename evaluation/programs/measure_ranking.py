"""Compare the search modes on labelled articles: relevance alone (``vanilla``) and with trust (``score``).

Queries are claims drawn from the articles; the article a claim comes from is left out of its results. Told
for each weight: the share of true articles among the first ten results, the mean similarity of those results,
and how many of the ten are the same as without trust. Trust is worked out as ``factdesk eval trust`` does,
and never sees a label. Usage::

    python -m evaluation.programs.measure_ranking articles.jsonl.gz [--queries 200] [--seed 7] [--pairs 800]

Prints one JSON object. The figures in docs/results/trust.md come from this command.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import click

from evaluation.data.articles import read_articles
from evidence.retrieval.rerank import TrustedOrder
from evidence.retriever_factory import make_retriever
from evidence.types import Hit, Query, Retriever
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import open_desk
from factdesk.settings import load_settings

CORPUS = "measure-ranking"
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
TOP = 10


def first(retriever: Retriever, text: str, own: str) -> list[Hit]:
    """The best hits from other articles, one an article."""
    found: dict[str, Hit] = {}
    query = Query(text=text, limit=4 * TOP, max_chunks=4 * TOP, max_spans_per_chunk=1)
    for hit in retriever.retrieve(query):
        if hit.span.doc_id != own:
            found.setdefault(hit.span.doc_id, hit)
    return list(found.values())[:TOP]


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("articles", type=Path)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=800)
    given = parser.parse_args()
    articles, settings = read_articles(given.articles), load_settings()
    labels = {a.document.doc_id: a.label for a in articles}
    corpora = Corpora(settings)
    corpora.add_documents(CORPUS, [a.document for a in articles])
    desk = open_desk(settings, CORPUS)
    desk.update(overall=given.pairs)
    scores = desk.rank().scores
    claims = sorted(desk.graph.claims.values(), key=lambda c: c.claim_id)
    queries = random.Random(given.seed).sample(claims, given.queries)
    plain = make_retriever("hybrid", corpora.index(CORPUS), corpora.embedder)
    vanilla = {q.claim_id: {h.span.doc_id for h in first(plain, q.text, q.doc_id)} for q in queries}
    rows = []
    for weight in WEIGHTS:
        ordered = TrustedOrder(plain, scores, weight)
        hits = {q.claim_id: first(ordered, q.text, q.doc_id) for q in queries}
        every = [h for found in hits.values() for h in found]
        rows.append(
            {
                "weight": weight,
                "true_share": round(sum(labels[h.span.doc_id] for h in every) / len(every), 4),
                "mean_rerank": round(sum(h.scores.rerank or 0.0 for h in every) / len(every), 4),
                "same_as_vanilla": round(
                    sum(len({h.span.doc_id for h in found} & vanilla[k]) for k, found in hits.items()) / len(every),
                    4,
                ),
            }
        )
    share = sum(labels.values()) / len(labels)
    click.echo(json.dumps({"queries": len(queries), "true_share_of_all": round(share, 4), "weights": rows}, indent=1))


if __name__ == "__main__":
    main()
