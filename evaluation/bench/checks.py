"""``checks``: whole checks a minute by method, models loaded, on articles made by rule.

Every method gets the same claims, in turns, with the score cache off, so that none profits from another.
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from typing import Literal

from evaluation.bench import generate
from evaluation.bench.types import BenchRecord, Effort, alone, more_is_better

METHODS: tuple[Literal["chain", "tree", "subq"], ...] = ("chain", "tree", "subq")
SENTENCES = 8


def run(effort: Effort) -> list[BenchRecord]:
    """Checks a minute of each method; tree and subq beside the chain."""
    claims, articles = effort.of(3, 12), effort.of(20, 200)
    with tempfile.TemporaryDirectory(prefix="factdesk-bench-") as temporary:
        rates = _rates(Path(temporary), claims, articles)
    chain = rates["chain"]
    return [
        alone("checks.chain", chain, "checks/min"),
        *(
            more_is_better(f"checks.{name}.vs_chain", rates[name], "checks/min", "--method chain", chain)
            for name in METHODS[1:]
        ),
    ]


def _rates(home: Path, claims: int, articles: int) -> dict[str, float]:
    from factdesk.checker import FactChecker
    from factdesk.corpora.stored import Corpora
    from factdesk.settings import Settings

    rng = random.Random(11)
    documents = generate.articles(articles, SENTENCES)
    texts = [rng.choice(d.text.split(". ")).rstrip(".") + "." for d in documents[:claims]]
    texts = [t if n % 2 else t.replace("19", "20", 1) for n, t in enumerate(texts)]
    Corpora(Settings(home=home)).add_documents("bench", documents)
    seconds = {}
    for name in METHODS:
        checker = FactChecker(Settings(home=home, corpus=("bench",), method=name, score_cache=False))
        checker.check(texts[0], record=False)
        start = time.perf_counter()
        for text in texts:
            checker.check(text, record=False)
        seconds[name] = time.perf_counter() - start
    return {name: 60 * len(texts) / taken for name, taken in seconds.items()}
