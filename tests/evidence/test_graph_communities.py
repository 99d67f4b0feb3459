"""Communities, the paper's equations and the retrievers that go through the graph."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from evidence.graph.build import RulesExtractor
from evidence.graph.communities import Communities, louvain, open_communities, share
from evidence.graph.entity_graph import KnowledgeGraph
from evidence.graph.entity_resolution import merge
from evidence.graph.retrieval import GraphParts, ranked_triples
from evidence.graph.stats import graph_stats
from evidence.index.corpus_index import CorpusIndex
from evidence.index.sync import IndexRoot
from evidence.retrieval.embedder import OnnxEmbedder
from evidence.retriever_factory import make_retriever
from evidence.types import Document, Query
from factdesk.kernel import ConfigError, sha256_text
from language.nlp.pipeline import load_nlp, nlp_fingerprint
from store.documents import SqlDocumentStore
from store.engine import open_engine

TEXTS = {
    "library": "The Tollgate Library cost 6.2 million pounds. Samir Oakes leads the Tollgate Library. "
    "Samir Oakes lives in Estwick.",
    "tram": "Anna Berg opened the Harbour Line in Lorvain. The Harbour Line carries tourists to Lorvain.",
    "cranes": "The Brennick Marsh feeds cranes. Ralph Idle counted the cranes at Brennick Marsh.",
}


@pytest.fixture(scope="module")
def embedder(onnx: OnnxEmbedder) -> OnnxEmbedder:
    return onnx


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, embedder: OnnxEmbedder) -> tuple[CorpusIndex, GraphParts]:
    folder = tmp_path_factory.mktemp("graph")
    store = SqlDocumentStore(open_engine(folder / "h.db"))
    documents = [
        Document(doc_id=d, title=d, text=t, sha256=sha256_text(t), published=date(2025, 1, 1 + i))
        for i, (d, t) in enumerate(TEXTS.items())
    ]
    store.put_documents("c", documents)
    root = IndexRoot(folder / "index", embedder)
    root.sync(store, "c")
    rules = RulesExtractor(load_nlp(), nlp_fingerprint())
    triples = [t for d in documents for t in rules.extract(d)]
    graph = KnowledgeGraph(merge(triples), triples)
    return root.open("c"), GraphParts(graph, open_communities(graph, embedder, folder / "graph"))


def test_louvain_finds_two_cliques_and_their_modularity() -> None:
    cliques = [(a, b, 1) for group in (range(4), range(4, 8)) for a in group for b in group if a < b]
    labels, modularity = louvain(8, np.array([*cliques, (0, 4, 1)]))
    assert len(set(labels[:4])) == len(set(labels[4:])) == 1
    assert labels[0] != labels[4]
    # 13 edges, 6 inside each community, degrees sum to 13 each: 12/13 - 2 * (13/26)^2
    assert modularity == pytest.approx(12 / 13 - 0.5, abs=1e-6)
    again, _ = louvain(8, np.array([*cliques, (0, 4, 1)]))
    assert (again == labels).all()


def test_louvain_without_edges_leaves_every_node_alone() -> None:
    labels, modularity = louvain(3, np.zeros((0, 3), dtype=np.int64))
    assert (sorted(labels.tolist()), modularity) == ([0, 1, 2], 0.0)


def test_a_community_is_the_mean_of_its_nodes() -> None:
    features = np.array([[1, 0], [0, 1], [4, 4]], dtype=np.float32)
    found = Communities(("a", "b", "c"), np.array([0, 0, 1], dtype=np.int32), features, 0.0)
    assert found.vectors.tolist() == [[0.5, 0.5], [4, 4]]


@pytest.mark.parametrize(("count", "percent", "kept"), [(8, 25, 2), (9, 25, 3), (1, 25, 1), (0, 25, 0), (7, 100, 7)])
def test_a_share_is_rounded_up(count: int, percent: float, kept: int) -> None:
    assert share(count, percent) == kept


def test_relevance_is_the_dot_product(made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder) -> None:
    communities = made[1].communities
    claim = embedder.embed(["The Tollgate Library cost a lot."])[0]
    expected = [
        float(np.mean([x for x, c in zip(communities.features, communities.labels, strict=True) if c == i], 0) @ claim)
        for i in range(len(communities))
    ]
    assert communities.relevance(claim) == pytest.approx(expected, abs=1e-5)
    best = communities.best(claim, 100)
    assert communities.relevance(claim)[best].tolist() == sorted(communities.relevance(claim), reverse=True)


def test_vectors_of_names_are_kept_and_reused(
    made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder, tmp_path: Path
) -> None:
    class Asked:
        fingerprint, dimension = embedder.fingerprint, embedder.dimension
        texts = 0

        def embed(self, texts: list[str]) -> object:
            Asked.texts += len(texts)
            return embedder.embed(texts)

    first = open_communities(made[1].graph, Asked(), tmp_path)  # type: ignore[arg-type]
    asked = Asked.texts
    second = open_communities(made[1].graph, Asked(), tmp_path)  # type: ignore[arg-type]
    assert asked > 0
    assert Asked.texts == asked
    assert (second.labels == first.labels).all()
    assert second.modularity == first.modularity
    next(tmp_path.glob("names-*.npz")).write_bytes(b"damaged")
    assert (open_communities(made[1].graph, Asked(), tmp_path).labels == first.labels).all()  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["community", "both", "kaping", "semantic"])
def test_each_retriever_finds_the_sentence_and_obeys_the_bounds(
    spec: str, made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder
) -> None:
    index, parts = made
    retriever = make_retriever(spec, index, embedder, parts)
    query = Query(text="Samir Oakes leads the Tollgate Library", limit=3)
    hits = retriever.retrieve(query)
    assert hits[0].span.text == "Samir Oakes leads the Tollgate Library."
    assert [h.rank for h in hits] == list(range(1, len(hits) + 1))
    assert retriever.retrieve(query) == hits
    late = retriever.retrieve(query.model_copy(update={"published_from": date(2025, 1, 2)}))
    assert all(h.span.doc_id != "library" for h in late)
    assert retriever.retrieve(Query(text="  ")) == ()


def test_delta_bounds_what_is_looked_at(made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder) -> None:
    index, parts = made
    query = Query(text="Samir Oakes leads the Tollgate Library", limit=20, max_spans_per_chunk=20)
    few, all_ = (
        make_retriever("community", index, embedder, GraphParts(parts.graph, parts.communities, delta)).retrieve(query)
        for delta in (1.0, 100.0)
    )
    assert {h.span.span_id for h in few} < {h.span.span_id for h in all_}
    half = GraphParts(parts.graph, parts.communities, 100.0, 50.0)
    assert len(make_retriever("community", index, embedder, half).retrieve(query)) == share(len(all_), 50)


def test_kaping_ranks_triples_of_named_entities(made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder) -> None:
    found = ranked_triples(made[1].graph, embedder, "Where does Samir Oakes live?", 10)
    assert found[0][0].triple.relation == "live in"
    assert ranked_triples(made[1].graph, embedder, "Nothing is named here.", 10) == []


def test_statistics_grow_with_delta(made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder) -> None:
    parts = made[1]
    stats = graph_stats(parts.graph, parts.communities, embedder, ["The Tollgate Library cost a lot."])
    assert stats.nodes + stats.values == stats.entities
    assert [d.nodes for d in stats.deltas] == sorted(d.nodes for d in stats.deltas)
    assert stats.deltas[-1].nodes == stats.nodes
    assert stats.deltas[-1].edges == stats.edges


@pytest.mark.parametrize("delta", [0.0, -1.0, 101.0])
def test_percentages_are_checked(delta: float, made: tuple[CorpusIndex, GraphParts]) -> None:
    with pytest.raises(ConfigError, match="delta"):
        GraphParts(made[1].graph, made[1].communities, delta)


def test_a_graph_is_asked_for(made: tuple[CorpusIndex, GraphParts], embedder: OnnxEmbedder) -> None:
    with pytest.raises(ConfigError, match="graph build"):
        make_retriever("community", made[0], embedder)
