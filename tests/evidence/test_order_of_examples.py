"""The order in which the sentences of the examples are found, kept: an index may be made in any other way."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from evidence.index import corpus_index
from evidence.index.sync import IndexRoot
from evidence.ingest import read_paths
from evidence.retriever_factory import make_retriever
from evidence.types import Query
from tests.evidence.memory_store import MemoryStore
from tests.evidence.test_index_growth import Drawn

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "order_of_examples.json"


def found(root: IndexRoot, claims: dict[str, str]) -> dict[str, list[str]]:
    """The first twelve of each claim in both rankings, the vectors' with all compared and by bits."""
    order: dict[str, list[str]] = {}
    for way, exact, every in (("exact", 10**6, 1), ("codes", 0, 4)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(corpus_index, "EXACT_UP_TO", exact)
            patch.setattr(corpus_index, "CANDIDATES", 60)
            index = root.open("c")
            retriever = make_retriever("hybrid", index, Drawn())
            for name, claim in list(claims.items())[::every]:
                hits = retriever.retrieve(Query(text=claim, limit=12))
                order[f"{name} {way}"] = [hit.span.span_id for hit in hits]
            index.close()
    return order


def test_sentences_are_found_in_the_order_that_is_kept(repository: Path, tmp_path: Path) -> None:
    """With vectors drawn from each text, so that no processor has a part in it; added in steps, in no order."""
    lines = (repository / "examples" / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    claims = {item["id"]: item["claim"] for item in map(json.loads, lines)}
    documents = list(read_paths([repository / "examples" / "corpus"]).documents)
    random.Random(1).shuffle(documents)
    store, root = MemoryStore(), IndexRoot(tmp_path, Drawn())
    for first in (0, 50, 10):
        store.put_documents("c", documents[first:])
        root.sync(store, "c")
        store.remove_documents("c", [d.doc_id for d in documents[first : first + 5]])
    store.put_documents("c", documents)
    root.sync(store, "c")
    order = found(root, claims)
    if os.environ.get("UPDATE_GOLDEN"):
        rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(ids)}" for name, ids in order.items())
        GOLDEN.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    kept = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert order == kept, "the ranking changed; where it was meant to, run with UPDATE_GOLDEN=1"
    assert len(order) == 60 + 15
    assert all(ids for ids in order.values())
