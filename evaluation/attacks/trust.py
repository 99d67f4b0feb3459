"""``factdesk eval trust``: trust of articles against their labels, without seeds and with some."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.data.articles import Article, read_articles, read_relations
from evaluation.data.kaggle_articles import read_kaggle
from evaluation.metrics.style import auroc, style_scores, within_strata
from factdesk.corpus_trust.build import Built, Progress
from factdesk.kernel import InputError, Record, sha256_text
from factdesk.settings import Settings
from trust.claim_graph import Ranking, TrustGraph
from trust.types import ClaimLink, DocumentFacts, options_of

SHUFFLES = 20


class TrustFigures(Record):
    """AUROC of trust against labels; seeds are never scored. ``None`` where a label is missing."""

    auroc: float | None
    auroc_connected: float | None
    """Among documents with at least one relation."""
    n: int
    n_connected: int
    iterations: int
    seconds: float
    """For everything: claims, pairs, relations, ranking."""
    seeds: int
    draws: int
    auroc_sd: float | None
    """Between draws."""
    variants: tuple[str, ...]
    shuffled: float | None
    """AUROC with labels shuffled, mean of 20; 0.5 when nothing leaks."""
    shuffled_sd: float | None
    style: float | None
    """AUROC of style alone, which unlike trust was fitted on labels."""
    within_style: float | None
    """AUROC of trust among articles of the same style."""
    halves: tuple[float | None, float | None]
    """AUROC in either half of the articles, by the parity of their hash: how much chance there is in it."""
    relations: str
    claims: int
    supporting: int
    refuting: int
    model: str | None
    """sha256 of the verifier's weights; ``None``: relations were brought along."""


def evaluate_trust(
    path: Path,
    settings: Settings,
    *,
    relations: Path | None = None,
    seeds: int = 0,
    draws: int = 20,
    variants: Sequence[str] = (),
    overall: int | None = None,
    progress: Progress | None = None,
) -> TrustFigures:
    """Rank labelled articles and compare with the labels; ``seeds`` true articles are drawn ``draws`` times.

    Labels are read for the seeds and the figures alone. Without ``relations`` claims are drawn and related
    here, and kept in the cache folder. Raises ``InputError`` for files that do not fit.
    """
    options, start = options_of(variants), time.perf_counter()
    articles = read_kaggle(path) if path.is_dir() else read_articles(path)
    graph, built = (_given(articles, relations), None) if relations else _own(articles, settings, overall, progress)
    labels = np.array([a.label for a in articles])
    rankings = [graph.rank(options, chosen) for chosen in _draws(articles, labels, seeds, draws if seeds else 1)]
    seconds = time.perf_counter() - start
    style = style_scores([a.document.text for a in articles], labels)
    found = [_figures(articles, labels, ranking, style) for ranking in rankings]
    mean = _mean_of(found)
    return TrustFigures(
        auroc=mean(0),
        auroc_connected=mean(1),
        n=len(articles) - seeds,
        n_connected=len(rankings[0].connected),
        iterations=max(r.result.iterations for r in rankings),
        seconds=round(seconds, 3),
        seeds=seeds,
        draws=len(rankings),
        auroc_sd=round(float(np.std([f[0] or 0.0 for f in found])), 4) if len(found) > 1 else None,
        variants=tuple(variants),
        shuffled=mean(2),
        shuffled_sd=mean(3),
        style=_rounded(auroc(style, labels)),
        within_style=mean(4),
        halves=(mean(5), mean(6)),
        relations=relations.name if relations else "own",
        claims=len(graph.claims),
        supporting=sum(link.weight > 0 for link in graph.links),
        refuting=sum(link.weight < 0 for link in graph.links),
        model=built.model if built else None,
    )


def _draws(articles: Sequence[Article], labels: NDArray[np.bool_], seeds: int, draws: int) -> list[list[str]]:
    rng = np.random.default_rng(0)
    true = np.flatnonzero(labels)
    if seeds >= len(true):
        raise InputError(f"{seeds} seeds leave no true article to be scored; there are {len(true)}")
    return [[articles[int(i)].document.doc_id for i in rng.choice(true, seeds, replace=False)] for _ in range(draws)]


def _figures(
    articles: Sequence[Article], labels: NDArray[np.bool_], ranking: Ranking, style: NDArray[np.float64]
) -> tuple[float | None, ...]:
    scores = np.array([ranking.scores[a.document.doc_id] for a in articles])
    kept = np.array([a.document.doc_id not in ranking.seeds for a in articles])
    joined = kept & np.array([a.document.doc_id in ranking.connected for a in articles])
    half = np.array([int(a.document.sha256[0], 16) % 2 == 0 for a in articles])
    rng = np.random.default_rng(0)
    chance = [auroc(scores[kept], rng.permutation(labels[kept])) or 0.5 for _ in range(SHUFFLES)]
    return (
        auroc(scores[kept], labels[kept]),
        auroc(scores[joined], labels[joined]),
        float(np.mean(chance)),
        float(np.std(chance)),
        within_strata(scores[kept], labels[kept], style[kept]),
        auroc(scores[kept & half], labels[kept & half]),
        auroc(scores[kept & ~half], labels[kept & ~half]),
    )


def _mean_of(found: Sequence[tuple[float | None, ...]]) -> Callable[[int], float | None]:
    def mean(column: int) -> float | None:
        values = [row[column] for row in found if row[column] is not None]
        return _rounded(float(np.mean([v for v in values if v is not None]))) if values else None

    return mean


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _given(articles: Sequence[Article], relations: Path) -> TrustGraph:
    """The graph of relations that were brought along; copies are known by the texts alone."""
    from trust.independence import corpus_clusters

    claims, links = read_relations(relations)
    known = {a.document.doc_id for a in articles}
    unknown = sorted({c.doc_id for c in claims} - known)
    if unknown:
        raise InputError(f"{relations.name} speaks of {unknown[0]!r}, which is none of the articles")
    clusters = corpus_clusters({a.document.doc_id: a.document.text for a in articles}, _by_date(articles))
    return TrustGraph.of([_facts(a, clusters) for a in articles], claims, _unique(links))


def _unique(links: Sequence[ClaimLink]) -> list[ClaimLink]:
    return list({(link.source, link.target): link for link in links}.values())


def _by_date(articles: Sequence[Article]) -> list[str]:
    order = sorted((str(a.document.published or "9999"), a.document.doc_id) for a in articles)
    return [doc_id for _, doc_id in order]


def _facts(article: Article, clusters: dict[str, str]) -> DocumentFacts:
    document = article.document
    return DocumentFacts(
        doc_id=document.doc_id,
        title=document.title,
        publisher=document.publisher or "",
        published=document.published.isoformat() if document.published else "",
        cluster=clusters[document.doc_id],
    )


def _own(
    articles: Sequence[Article],
    settings: Settings,
    overall: int | None,
    progress: Progress | None,
) -> tuple[TrustGraph, Built]:
    """The graph that is drawn from the articles' own claims, kept in the cache."""
    from factdesk.corpus_trust.open import open_cached

    told = "".join(f"{a.document.doc_id} {a.document.sha256}\n" for a in articles)
    name = f"eval-{sha256_text(told)[:16]}"
    desk = open_cached(settings, name, [a.document for a in articles])
    built = desk.update(overall=overall, progress=progress) if progress else desk.update(overall=overall)
    return desk.graph, built
