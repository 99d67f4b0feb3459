"""The stored graph: replaced by document, gone with its corpus; building is incremental."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence.graph.build import RulesExtractor, sync_graph
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.types import Triple
from evidence.types import Document
from factdesk.kernel import Fingerprint, InputError, sha256_text
from language.nlp.pipeline import load_nlp, nlp_fingerprint
from store.documents import SqlDocumentStore
from store.engine import open_engine
from store.graphs import SqlGraphStore
from store.location import Place

TEXTS = {
    "a": "The Tollgate Library cost 6.2 million pounds. Samir Oakes leads the Tollgate Library.",
    "b": "Samir Oakes lives in Estwick. Estwick borders Harrowmere.",
}


def document(doc_id: str, text: str) -> Document:
    return Document(doc_id=doc_id, title="", text=text, sha256=sha256_text(text))


class Counting:
    """The rules, and which documents they were asked for."""

    def __init__(self) -> None:
        self._inner = RulesExtractor(load_nlp(), nlp_fingerprint())
        self.asked: list[str] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def extract(self, document: Document) -> tuple[Triple, ...]:
        self.asked.append(document.doc_id)
        return self._inner.extract(document)


@pytest.fixture
def stores(place: Place) -> tuple[SqlDocumentStore, SqlGraphStore]:
    engine = open_engine(place)
    documents = SqlDocumentStore(engine)
    documents.put_documents("c", [document(d, t) for d, t in TEXTS.items()])
    return documents, SqlGraphStore(engine)


def test_only_what_changed_is_parsed_again(stores: tuple[SqlDocumentStore, SqlGraphStore]) -> None:
    documents, graphs = stores
    rules = Counting()
    first = sync_graph(documents, graphs, "c", rules, None)
    assert (first.parsed, rules.asked) == (2, ["a", "b"])
    assert sync_graph(documents, graphs, "c", rules, None).parsed == 0
    documents.put_documents("c", [document("b", "Samir Oakes lives in Lorvain.")])
    again = sync_graph(documents, graphs, "c", rules, None)
    assert (again.parsed, rules.asked) == (1, ["a", "b", "b"])
    documents.remove_documents("c", ["a"])
    last = sync_graph(documents, graphs, "c", rules, None)
    assert last.removed == 1
    assert [(t.subject.text, t.relation, t.object.text) for t in graphs.triples("c")] == [
        ("Samir Oakes", "live in", "Lorvain")
    ]


def test_the_way_to_a_graph_plays_no_part(stores: tuple[SqlDocumentStore, SqlGraphStore], tmp_path: Path) -> None:
    documents, graphs = stores
    rules = Counting()
    sync_graph(documents, graphs, "c", rules, None)
    engine = open_engine(tmp_path / "other.db")
    others, other = SqlDocumentStore(engine), SqlGraphStore(engine)
    for doc_id in ("b", "a"):
        others.put_documents("c", [document(doc_id, TEXTS[doc_id])])
        sync_graph(others, other, "c", rules, None)
    left = KnowledgeGraph(graphs.entities("c"), graphs.triples("c"))
    right = KnowledgeGraph(other.entities("c"), other.triples("c"))
    assert left.edges
    assert left.sha256 == right.sha256


def test_a_graph_goes_with_its_corpus(stores: tuple[SqlDocumentStore, SqlGraphStore]) -> None:
    documents, graphs = stores
    sync_graph(documents, graphs, "c", Counting(), None)
    assert documents.drop_corpus("c")
    assert (graphs.triples("c"), graphs.entities("c"), graphs.graph_documents("c")) == ((), (), {})
    with pytest.raises(InputError, match="no corpus"):
        graphs.put_triples("c", ())
