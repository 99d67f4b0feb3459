"""Retrieval: it finds paraphrases, keeps to filters and caps, and always gives the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from evidence.domains import as_domain, host_of
from evidence.index.corpus_index import CorpusIndex
from evidence.index.sync import IndexRoot
from evidence.retrieval.embedder import OnnxEmbedder
from evidence.retrieval.hybrid import KEPT
from evidence.retriever_factory import RETRIEVERS, THROUGH_GRAPH, make_retriever
from evidence.types import Hit, Query
from factdesk.kernel import ConfigError
from language.tokens import stems, terms
from tests.evidence.memory_store import MemoryStore, document

ARTICLES = [
    (
        "harbour",
        "Harbour of Lindau",
        "The council met on Monday. It approved the new ferry terminal by 14 votes to 9.",
    ),
    ("bank", "Nordbank", "Nordbank moved its head office to Oslo. The lender dismissed 400 clerks."),
    (
        "bees",
        "Bees in decline",
        "Wild bees have become rarer. Pesticides kill a third of all colonies each spring.",
    ),
    (
        "marta",
        "Marta Veld",
        "Marta Veld grew up in Utrecht. She received the Turner medal for chemistry in 2011.",
    ),
    (
        "bridge",
        "Elm bridge",
        "The bridge was shut for repairs. Engineers discovered cracks in two of its pillars.",
    ),
    (
        "school",
        "Riverside school",
        "Pupils receive lunch free of charge. Parents paid 3 euros a meal before.",
    ),
    ("film", "The Quiet Sea", "The movie cost 90 million dollars. It lost money at the box office."),
    (
        "storm",
        "Storm Ida",
        "The storm felled hundreds of trees. Some 12,000 households were without electricity.",
    ),
    ("club", "FC Aldern", "The team was relegated in May. Its coach resigned the day after."),
    (
        "drug",
        "Velotrin trial",
        "The drug lowered blood pressure. One in ten patients complained of headaches.",
    ),
    (
        "tax",
        "City tax",
        "Hotel guests pay two euros a night. The levy brings the town 5 million euros a year.",
    ),
    ("train", "Night train", "The sleeper runs from Vienna to Paris. Tickets are sold out until autumn."),
]
PARAPHRASES = [
    ("A majority of councillors voted for building a ferry terminal in Lindau.", "harbour#1.2"),
    ("Nordbank laid off hundreds of employees.", "bank#1.2"),
    ("Chemicals used in farming destroy one in three bee hives.", "bees#1.2"),
    ("Marta Veld won an award for her work as a chemist.", "marta#1.2"),
    ("Damage was found in the columns that carry the Elm bridge.", "bridge#1.2"),
    ("Children at Riverside eat at no cost.", "school#1.1"),
    ("The Quiet Sea was a commercial failure.", "film#1.2"),
    ("Storm Ida caused a power cut in thousands of homes.", "storm#1.2"),
    ("The trainer of FC Aldern stepped down.", "club#1.2"),
    ("Velotrin has side effects such as pain in the head.", "drug#1.2"),
    ("Tourists staying overnight are charged a fee by the city.", "tax#1.1"),
    ("There are no seats left on the overnight train to France.", "train#1.2"),
]


@pytest.fixture(scope="module")
def embedder(onnx: OnnxEmbedder) -> OnnxEmbedder:
    return onnx


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: OnnxEmbedder) -> CorpusIndex:
    documents = [document(doc_id, text, title=title) for doc_id, title, text in ARTICLES]
    root = IndexRoot(tmp_path_factory.mktemp("index"), embedder)
    root.sync(MemoryStore("c", documents), "c")
    return root.open("c")


@pytest.mark.parametrize(("claim", "span_id"), PARAPHRASES)
def test_paraphrases_find_their_sentence(index: CorpusIndex, embedder: OnnxEmbedder, claim: str, span_id: str) -> None:
    hits = make_retriever("hybrid", index, embedder).retrieve(Query(text=claim))
    assert span_id in [hit.span.span_id for hit in hits[:3]]


@pytest.mark.parametrize("spec", ["hybrid", "bm25", "dense"])
def test_hits_are_ordered_scored_and_repeatable(index: CorpusIndex, embedder: OnnxEmbedder, spec: str) -> None:
    query = Query(text="How many households lost electricity in storm Ida?")
    hits = make_retriever(spec, index, embedder).retrieve(query)
    assert hits == make_retriever(spec, index, embedder).retrieve(query)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert hits[0].span.doc_id == "storm"

    def score(hit: Hit) -> float:
        by_spec = {"hybrid": hit.scores.rerank, "bm25": hit.scores.bm25, "dense": hit.scores.dense}
        value = by_spec[spec]
        assert value is not None
        return value

    scores = [score(hit) for hit in hits]
    assert scores == sorted(scores, reverse=True)
    if spec == "hybrid":
        assert all(0.0 <= value <= 1.0 for value in scores)
        assert all(hit.scores.dense is not None and hit.scores.fused is not None for hit in hits)


def test_nothing_found(index: CorpusIndex, embedder: OnnxEmbedder) -> None:
    for query in (Query(text="  "), Query(text="storm", limit=0)):
        assert make_retriever("hybrid", index, embedder).retrieve(query) == ()
    assert make_retriever("bm25", index, None).retrieve(Query(text="zzz qqq")) == ()
    assert make_retriever("none", None, None).retrieve(Query(text="storm")) == ()


def test_specs(index: CorpusIndex, embedder: OnnxEmbedder) -> None:
    with pytest.raises(ConfigError, match="known: hybrid, bm25, dense, semantic, none"):
        make_retriever("magic", index, embedder)
    with pytest.raises(ConfigError, match="needs a graph"):
        make_retriever("community", index, embedder)
    with pytest.raises(ConfigError, match="needs an index"):
        make_retriever("hybrid", None, embedder)
    with pytest.raises(ConfigError, match="needs an embedder"):
        make_retriever("dense", index, None)
    plain = [name for name in RETRIEVERS if name not in THROUGH_GRAPH]
    prints = {make_retriever(spec, index, embedder).fingerprint.model_dump_json() for spec in plain}
    assert len(prints) == len(plain) - 1  # semantic is dense


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory, embedder: OnnxEmbedder) -> CorpusIndex:
    """200 loud documents of one site, and four quiet ones with dates, hosts and publishers."""
    loud = [
        document(
            f"loud{i:03}",
            f"The tram opened in May {i}.",
            url="https://loud.example/a",
            published="2020-01-01",
        )
        for i in range(200)
    ]
    quiet = [
        document("old", "A tram was opened in town 1.", url="https://www.news.example/1", published="2019-06-01"),
        document("new", "A tram was opened in town 2.", url="https://notnews.example/2", published="2024-06-01"),
        document("undated", "A tram was opened in town 2.", publisher="The Times"),
        document(
            "sub",
            "A tram was opened in town 1.",
            url="https://a.b.news.example:8080/3",
            published="2021-06-01",
        ),
    ]
    root = IndexRoot(tmp_path_factory.mktemp("crowded"), embedder)
    root.sync(MemoryStore("c", [*loud, *quiet]), "c")
    return root.open("c")


@pytest.mark.parametrize("spec", ["hybrid", "bm25", "dense"])
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"only_domains": ("news.example",)}, {"old", "sub"}),
        ({"only_domains": ("https://www.news.example/x",)}, {"old", "sub"}),
        ({"only_domains": ("the times", "notnews.example")}, {"undated", "new"}),
        ({"block_domains": ("loud.example", "The Times")}, {"old", "new", "sub"}),
        ({"published_from": date(2021, 6, 1)}, {"new", "sub", "undated"}),
        ({"published_to": date(2019, 6, 1)}, {"old", "undated"}),
        ({"published_from": date(2022, 1, 1), "block_domains": ("notnews.example",)}, {"undated"}),
    ],
)
def test_filters_act_before_the_cut(
    crowded: CorpusIndex, embedder: OnnxEmbedder, spec: str, bounds: dict[str, object], expected: set[str]
) -> None:
    query = Query.model_validate({"text": "The tram opened in May", **bounds})
    hits = make_retriever(spec, crowded, embedder).retrieve(query)
    assert {hit.span.doc_id for hit in hits} == expected


def test_ties_go_by_id_and_two_copies_stay(crowded: CorpusIndex, embedder: OnnxEmbedder) -> None:
    query = Query(text="A tram was opened", block_domains=("loud.example",))
    hits = make_retriever("hybrid", crowded, embedder).retrieve(query)
    order = {hit.span.doc_id: hit for hit in hits}
    assert set(order) == {"new", "old", "sub", "undated"}
    for first, second in (("old", "sub"), ("new", "undated")):
        assert order[first].rank + 1 == order[second].rank
        assert order[first].scores.rerank == order[second].scores.rerank


def test_caps(tmp_path: Path, embedder: OnnxEmbedder) -> None:
    texts = {f"d{i}": " ".join(f"The tram number {i}{j} opened in May." for j in range(6)) for i in range(5)}
    root = IndexRoot(tmp_path, embedder)
    root.sync(MemoryStore("c", [document(doc_id, text) for doc_id, text in texts.items()]), "c")
    retriever = make_retriever("hybrid", root.open("c"), embedder)
    hits = retriever.retrieve(Query(text="When did the tram open?", max_chunks=3, max_spans_per_chunk=2))
    chunks = [hit.span.chunk_id for hit in hits]
    assert len(hits) == 6
    assert len(set(chunks)) == 3
    assert max(chunks.count(chunk) for chunk in chunks) == 2
    assert len(retriever.retrieve(Query(text="When did the tram open?", limit=4))) == 4


@pytest.mark.parametrize("spec", ["hybrid", "bm25", "dense"])
def test_a_ranking_that_was_kept_is_cut_as_a_new_one(crowded: CorpusIndex, embedder: OnnxEmbedder, spec: str) -> None:
    texts = ["The tram opened in May", "A tram was opened."]
    bounds: list[dict[str, object]] = [
        {},
        {"limit": 60},
        {"limit": 3},
        {"max_chunks": 2},
        {"max_spans_per_chunk": 1, "limit": 7},
        {"published_to": date(2019, 6, 1)},
        {"block_domains": ("loud.example",)},
        {},
    ]
    asked = make_retriever(spec, crowded, embedder)
    for text in texts:
        for given in bounds:
            query = Query.model_validate({"text": text, **given})
            assert asked.retrieve(query) == make_retriever(spec, crowded, embedder).retrieve(query)


def test_asking_again_embeds_nothing_and_few_rankings_are_kept(
    index: CorpusIndex, embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[str] = []
    embed = embedder.embed

    def counted(texts: Sequence[str]) -> NDArray[np.float32]:
        embedded.extend(texts)
        return embed(texts)

    monkeypatch.setattr(embedder, "embed", counted)
    retriever = make_retriever("hybrid", index, embedder)
    for limit in (12, 7, 40):
        retriever.retrieve(Query(text="Storm Ida", limit=limit))
    assert embedded == ["Storm Ida"]
    for number in range(KEPT):
        retriever.retrieve(Query(text=f"Storm Ida {number}"))
    retriever.retrieve(Query(text="Storm Ida"))
    assert embedded.count("Storm Ida") == 2


def test_tokens_make_like_things_alike() -> None:
    assert stems("The U.S. counted 1,788 voters") == stems("US counting of 1788 voter's")
    assert stems("São Paulo's twelve cafés") == stems("Sao Paulo 12 cafe")
    found = terms("Did Ada earn 3.50 euros?")
    assert [(t.stem, t.is_name, t.is_number) for t in found] == [
        ("ada", True, False),
        ("earn", False, False),
        ("3.5", False, True),
        ("euro", False, False),
    ]


def test_domains_as_users_write_them() -> None:
    assert as_domain(" https://www.BBC.co.uk/news?x=1 ") == as_domain("WWW.bbc.co.uk") == "bbc.co.uk"
    assert host_of("https://user@Münster.example:80/x") == as_domain("münster.example") == "xn--mnster-3ya.example"
    assert host_of("http://[broken") == host_of(None) == ""
