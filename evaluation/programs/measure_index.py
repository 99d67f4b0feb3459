"""Measure a large index: building, opening, asking, updating, removing, reading during a write.

    python -m evaluation.programs.measure_index --spans 1000000 OUT

The corpus is made by rule from ``--seed``: documents of eight sentences, words by Zipf's law (from its 50th
word on, since function words are not searched for), a topic for each document. Vectors are made too, not
embedded: the sum of a vector for the topic and one for each word, and noise. Real embeddings of a million
sentences take hours on two cores and would change nothing about the index but the recall, which
``--real CORPUS`` measures on the embeddings of a stored corpus of yours, as if it were large.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence.index.corpus_index import CorpusIndex
from evidence.index.sync import IndexRoot
from evidence.retriever_factory import make_retriever
from evidence.types import Document, Query
from factdesk.kernel import Fingerprint, sha256_text
from store.documents import SqlDocumentStore
from store.engine import open_engine

SENTENCES, TOPICS, WORDS, DIMENSION = 8, 5_000, 200_000, 384
SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "on")]
PAGE = 5_000
"""Documents that are put into the store together."""


class Made:
    """Vectors made from words, in the place of an embedder (``evidence.types.Embedder``)."""

    dimension = DIMENSION

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self._table = random.standard_normal((4096, DIMENSION)).astype(np.float32)
        self._topics = random.standard_normal((TOPICS, DIMENSION)).astype(np.float32)

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(name="embedder:made", version="1", sha256="0" * 64)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Of each text: its topic (the title's number) and its words."""
        found = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for i, text in enumerate(texts):
            words = [number_of(word) for word in text.lower().split()]
            topic = next((int(w.strip(".")) for w in text.split() if w.strip(".").isdigit()), 0) % TOPICS
            noise = np.random.default_rng(number_of(text)).standard_normal(DIMENSION).astype(np.float32)
            found[i] = 2.5 * self._topics[topic] + 2.0 * noise
            for word in words:
                found[i] += self._table[word % 4096]
        unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit


def number_of(text: str) -> int:
    """The same for the same text in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


def word_of(number: int) -> str:
    """A word for a number: three syllables or more."""
    parts: list[str] = []
    while number or len(parts) < 3:
        number, rest = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[rest])
    return "".join(parts)


def documents(count: int, seed: int, first: int = 0) -> Iterator[Document]:
    """Documents by rule. Most words are drawn by Zipf's law, a few from the document's topic."""
    names = [word_of(number) for number in range(WORDS)]
    weights = 1.0 / np.arange(50, WORDS + 50)
    ends = np.cumsum(weights / weights.sum())
    for number in range(first, first + count):
        random = np.random.default_rng([seed, number])
        topic = int(random.integers(TOPICS))
        drawn = np.searchsorted(ends, random.random((SENTENCES, 11)))
        own = (topic * 37 + random.integers(0, 40, (SENTENCES, 4))) % WORDS
        sentences = []
        for common, special in zip(drawn, own, strict=True):
            words = [names[n] for n in (*common, *special)]
            sentences.append(f"{words[0].capitalize()} {' '.join(words[1:])} {int(random.integers(1900, 2025))}.")
        text = " ".join(sentences)
        yield Document(
            doc_id=f"doc-{number:08}",
            title=f"{word_of(WORDS + topic)} {topic}",
            text=text,
            sha256=sha256_text(text),
            url=f"https://desk{topic % 50}.example/{number}",
        )


def fill(store: SqlDocumentStore, count: int, seed: int) -> None:
    page: list[Document] = []
    for document in documents(count, seed):
        page.append(document)
        if len(page) == PAGE:
            store.put_documents("large", page)
            page = []
    if page:
        store.put_documents("large", page)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """p50 and p95 in ms."""
    return {f"p{q}_ms": round(1000 * float(np.percentile(seconds, q)), 1) for q in (50, 95)}


def asked(index: CorpusIndex, count: int, seed: int) -> list[str]:
    """Questions: the words of a sentence in part, with its topic."""
    random = np.random.default_rng(seed)
    found = []
    for span in index.spans(random.integers(0, len(index), count).tolist()):
        words = span.text.rstrip(".").split()
        keep = random.random(len(words)) < 0.6
        found.append(f"{span.title}. {' '.join(w for w, k in zip(words, keep, strict=True) if k)}.")
    return found


def queries(index: CorpusIndex, embedder: Any, texts: Sequence[str], **bounds: Any) -> dict[str, float]:
    """p50 and p95 by the clock, and of the processor's time."""
    retriever = make_retriever("hybrid", index, embedder)
    clock, processor = [], []
    for text in texts:
        spent = time.process_time()
        clock.append(timed(partial(retriever.retrieve, Query(text=text, **bounds)))[0])
        processor.append(time.process_time() - spent)
    return {**spread(clock), **{f"processor_{name}": value for name, value in spread(processor).items()}}


def recall(index: CorpusIndex, vectors: NDArray[np.float32]) -> dict[str, float]:
    """Share of the nearest by cosine, exactly, that the codes chose."""
    hit = {10: 0, 100: 0}
    for vector in vectors:
        rows = index.chosen(vector, None)
        best = np.argsort(-index.cosines(vector), kind="stable")
        for k in hit:
            hit[k] += len(set(best[:k].tolist()) & set(rows.tolist()))
    return {f"recall_at_{k}": round(n / (k * len(vectors)), 4) for k, n in hit.items()}


def read_on(folder: Path, seed: int, texts: list[str], stop: Any, answers: Any) -> None:
    """Another process: opens the index again and again, and asks."""
    root, embedder = IndexRoot(folder, Made(seed)), Made(seed)
    opened, taken = [], []
    while not stop.is_set():
        seconds, index = timed(lambda: root.open("large"))
        opened.append(seconds)
        retriever = make_retriever("hybrid", index, embedder)
        for text in texts[:5]:
            start = time.perf_counter()
            retriever.retrieve(Query(text=text))
            taken.append(time.perf_counter() - start)
        index.close()
    answers.put((opened, taken))


def during(folder: Path, seed: int, texts: list[str], write: Callable[[], Any]) -> dict[str, Any]:
    context = multiprocessing.get_context("spawn")
    stop, answers = context.Event(), context.Queue()
    reader = context.Process(target=read_on, args=(folder, seed, texts, stop, answers))
    reader.start()
    time.sleep(4)
    seconds, _ = timed(write)
    time.sleep(1)
    stop.set()
    opened, taken = answers.get(timeout=120)
    reader.join(timeout=120)
    return {
        "write_seconds": round(seconds, 2),
        "reads": len(taken),
        "reader_failed": reader.exitcode != 0,
        "open_max_ms": round(1000 * max(opened), 1),
        **spread(taken),
    }


def size_of(folder: Path) -> dict[str, float]:
    return {path.name: round(path.stat().st_size / 1e6, 1) for path in sorted(folder.iterdir())}


def changes(store: SqlDocumentStore, root: IndexRoot, first: int, seed: int) -> Iterator[tuple[str, Any]]:
    """Each in seconds, with what the store and the index took; new documents are numbered from ``first``."""
    new = list(documents(1001, seed + 1, first=first))
    changed = list(documents(1, seed + first))
    there = sorted(store.document_hashes("large"))[1:1002]
    for name, work in {
        "add 1 document": lambda: store.put_documents("large", new[:1]),
        "change 1 document": lambda: store.put_documents("large", changed),
        "add 1000 documents": lambda: store.put_documents("large", new[1:]),
        "remove 1 document": lambda: store.remove_documents("large", there[:1]),
        "remove 1000 documents": lambda: store.remove_documents("large", there[1:]),
    }.items():
        stored, _ = timed(work)
        spent = time.process_time()
        seconds, done = timed(lambda: root.sync(store, "large"))
        yield (
            name,
            {
                "store_s": round(stored, 2),
                "index_s": round(seconds, 2),
                "index_processor_s": round(time.process_time() - spent, 2),
                "embedded": done.embedded,
            },
        )


def report(name: str, value: Any) -> None:
    sys.stdout.write(json.dumps({name: value}) + "\n")
    sys.stdout.flush()


def on_real(home_corpus: str) -> None:
    """Recall on the embeddings of a stored corpus, and what embedding a question with the model costs."""
    from factdesk.corpora.stored import Corpora
    from factdesk.settings import load_settings

    corpora = Corpora(load_settings())
    index = corpora.index(home_corpus)
    rows = np.random.default_rng(1).integers(0, len(index), 200).tolist()
    found = recall(index, index.vectors(rows))
    texts = [span.text for span in index.spans(rows[:50])]
    spent = [timed(partial(corpora.embedder.embed, [text]))[0] for text in texts]
    report("real embeddings", {"spans": len(index), **found, "embedding_a_question": spread(spent)})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="folder; one that is there is asked and changed")
    parser.add_argument("--spans", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--real", metavar="CORPUS", help="a stored corpus")
    given = parser.parse_args()
    if given.real:
        on_real(given.real)
    count, seed = given.spans // SENTENCES, given.seed
    report("machine", {"cores": len(os.sched_getaffinity(0)), "load": os.getloadavg()})
    if given.out.exists():
        store = SqlDocumentStore(open_engine(given.out / "documents.sqlite"))
        root = IndexRoot(given.out / "index", Made(seed))
        with_index(root, Made(seed), given.queries, seed)
        for name, found in changes(store, root, 2 * count + len(store.document_hashes("large")), seed):
            report(name, found)
        return
    given.out.mkdir(parents=True)
    store = SqlDocumentStore(open_engine(given.out / "documents.sqlite"))
    report("fill the store, s", round(timed(lambda: fill(store, count, seed))[0], 1))
    embedder = Made(seed)
    root = IndexRoot(given.out / "index", embedder)
    build(store, root)
    with_index(root, embedder, given.queries, seed)
    for name, found in changes(store, root, count, seed):
        report(name, found)
    store.put_documents("large", list(documents(3000, seed + 3, first=count + 5000)))
    index = root.open("large")
    texts = asked(index, given.queries, seed)
    index.close()
    found = during(given.out / "index", seed, texts, lambda: root.sync(store, "large"))
    report("reads while 3000 documents are written", found)
    index = root.open("large")
    report("after all changes", {"spans": len(index), **queries(index, embedder, texts)})
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    report("largest resident memory (mapped files included), MB", round(peak / 1e6))


def build(store: SqlDocumentStore, root: IndexRoot) -> None:
    spent = time.process_time()
    seconds, done = timed(lambda: root.sync(store, "large"))
    spent = time.process_time() - spent
    report(
        "build",
        {
            "seconds": round(seconds, 1),
            "processor_s": round(spent, 1),
            "documents": done.documents,
            "spans": done.spans,
        },
    )
    report("size on disk, MB", size_of(root.folder("large")))


def with_index(root: IndexRoot, embedder: Made, count: int, seed: int) -> None:
    seconds, index = timed(lambda: root.open("large"))
    report("open, ms", round(1000 * seconds, 1))
    texts = asked(index, count, seed)
    report("first query", queries(index, embedder, texts[:1]))
    queries(index, embedder, texts)
    report("hybrid query", queries(index, embedder, texts))
    report(
        "hybrid query, documents of two sites left out",
        queries(index, embedder, texts, block_domains=("desk1.example", "desk2.example")),
    )
    vectors = embedder.embed(texts[:50])
    chosen = len(index.candidates(vectors[0], None)[0])
    report("codes against exact", {"chosen": chosen, **recall(index, vectors)})
    index.close()


if __name__ == "__main__":
    main()
