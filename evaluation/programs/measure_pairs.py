"""How many of the pairs of claims that bear on each other the pair search keeps, by sampling.

Claims and near pairs of labelled articles come about as in ``factdesk eval trust`` (labels are not read).
In bands of likeness a sample of pairs is scored by the verifier both ways; a pair is meaningful where it
supports or refutes either way. Told for each band: its pairs, the share that is meaningful, and how many that
makes. Usage::

    python -m evaluation.programs.measure_pairs articles.jsonl.gz [--sample 150] [--seed 7]

Prints one JSON object a band. The figures in docs/results/trust.md come from this command.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from evaluation.data.articles import read_articles
from factdesk.corpus_trust.build import vectors_of
from factdesk.corpus_trust.open import CACHE, open_cached
from factdesk.kernel import sha256_bytes
from factdesk.parallel.stages import SCORE_RELATIONS, Models
from factdesk.settings import Settings, load_settings
from store.engine import open_engine
from store.trust import TrustStore
from store.types import StoredClaim
from trust.neighbours import LEAST, nearest
from verifier.types import PairText

RANKS = (800, 2000, 4036)
"""Ends of the bands among the near pairs, the nearest first; 4,036 is the paper's number of pairs."""
COSINES = (1.01, LEAST, 0.40, -1.01)
"""Ends of the bands among all other pairs of claims of two articles."""
ROWS = 500

Pairs = NDArray[np.int64]


def claims_of(path: Path, settings: Settings) -> list[StoredClaim]:
    """The claims of the articles, drawn and kept in the cache."""
    name = f"eval-{sha256_bytes(path.read_bytes())[:16]}"
    open_cached(settings, name, [a.document for a in read_articles(path)]).update(overall=0)
    return TrustStore(open_engine(settings.paths.cache / CACHE)).claims(name)


def bands(claims: list[StoredClaim], sample: int, seed: int) -> Iterator[tuple[str, int, Pairs]]:
    """Name, number of pairs and a sample of each band. *Shape* of the sample: ``(at most sample, 2)``."""
    rng = np.random.default_rng(seed)
    vectors = vectors_of(claims)
    owners = np.unique([c.doc_id for c in claims], return_inverse=True)[1].astype(np.int64)
    near = nearest(vectors, owners)
    both = np.stack([near.first, near.second], axis=1)
    for start, end in zip((0, *RANKS), (*RANKS, len(near)), strict=True):
        chosen = np.sort(rng.permutation(np.arange(start, end))[:sample])
        yield f"near, {start + 1} to {end}", end - start, both[chosen]
    kept = set(map(tuple, both.tolist()))
    for high, low in pairwise(COSINES):
        count, drawn = _others(vectors, owners, kept, (low, high), sample, rng)
        yield f"not near, cosine {max(low, -1):.2f} to {min(high, 1):.2f}", count, drawn


def _others(
    vectors: NDArray[np.float32],
    owners: NDArray[np.int64],
    kept: set[tuple[int, ...]],
    band: tuple[float, float],
    sample: int,
    rng: np.random.Generator,
) -> tuple[int, Pairs]:
    """How many pairs outside ``kept`` have a cosine in the band, and some of them, each as likely."""
    count, drawn = 0, list[tuple[float, int, int]]()
    for start in range(0, len(vectors), ROWS):
        cosines = vectors[start : start + ROWS] @ vectors.T
        wanted = (cosines >= band[0]) & (cosines < band[1])
        wanted &= owners[start : start + ROWS, None] != owners[None]
        rows, columns = np.nonzero(np.triu(wanted, start + 1))
        luck = rng.random(len(rows))
        best = np.argsort(luck)[: 4 * sample]
        drawn += [(luck[i], int(rows[i]) + start, int(columns[i])) for i in best]
        count += len(rows)
    drawn.sort()
    others = [(a, b) for _, a, b in drawn if (a, b) not in kept]
    if band[0] >= LEAST:
        count -= len(kept)
    return count, np.array(others[:sample], dtype=np.int64).reshape(-1, 2)


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("articles", type=Path)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    settings = load_settings()
    claims = claims_of(given.articles, settings)
    models = Models.of(settings)
    for name, count, pairs in bands(claims, given.sample, given.seed):
        texts = [(claims[a].text, claims[b].text) for a, b in pairs.tolist()]
        ways = [PairText(claim=y, premise=x) for a, b in texts for x, y in ((a, b), (b, a))]
        weights = np.array(SCORE_RELATIONS.work(models, ways)).reshape(-1, 2)
        share = float((weights != 0).any(axis=1).mean()) if len(weights) else 0.0
        refuting = int((weights < 0).any(axis=1).sum())
        row = {"band": name, "pairs": count, "sample": len(pairs), "share": round(share, 4)}
        click.echo(json.dumps({**row, "meaningful": round(share * count), "refuting": refuting}))


if __name__ == "__main__":
    main()
