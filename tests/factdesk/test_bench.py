"""The benchmarks: what they generate, how ratios are formed, and that each one really runs."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from evaluation.bench import cold_start, generate, registry
from evaluation.bench.machine import describe
from evaluation.bench.types import BenchReport, Effort, less_is_better, more_is_better, take_turns
from evidence.types import Query
from factdesk.cli import cli
from factdesk.kernel import BackendUnavailable, ConfigError
from language.tokens import stems

FIGURE = st.floats(1e-6, 1e6)


def words(premise: str, hypothesis: str) -> int:
    return len(premise.split()) + len(hypothesis.split())


@given(FIGURE, FIGURE)
def test_a_ratio_above_one_means_that_ours_is_better(ours: float, theirs: float) -> None:
    rate = more_is_better("a", ours, "pairs/s", "peer", theirs)
    span = less_is_better("a", ours, "s", "peer", theirs)
    assert rate.ratio == pytest.approx(ours / theirs, rel=1e-3)
    assert span.ratio == pytest.approx(theirs / ours, rel=1e-3)
    assert rate.peer_value == span.peer_value == pytest.approx(theirs, rel=1e-3)


def test_turns_are_taken_and_the_first_round_does_not_count() -> None:
    order: list[str] = []

    def slow() -> None:
        order.append("slow")
        time.sleep(0.02 if len(order) > 2 else 0.6)

    def fast() -> None:
        order.append("fast")

    slow_seconds, fast_seconds = take_turns([slow, fast], 3)
    assert order == ["slow", "fast"] * 4
    assert 0.02 <= slow_seconds < 0.6
    assert fast_seconds < slow_seconds


@given(st.integers(1, 12), st.integers(45, 80), st.integers(0, 9))
def test_pairs_have_the_length_that_was_asked_for(count: int, tokens: int, seed: int) -> None:
    made = generate.pairs(count, tokens, words, seed=seed)
    assert len(set(made)) == count
    assert {words(*pair) for pair in made} == {tokens}
    assert made == generate.pairs(count, tokens, words, seed=seed)


def test_pairs_are_64_tokens_of_the_shipped_model(repository: Path) -> None:
    from evaluation.bench.nli import TOKENS, _counter

    count = _counter(repository / "verifier" / "models" / "minilm-fact" / "tokenizer.json")
    assert {count(*pair) for pair in generate.pairs(20, TOKENS, count)} == {64}


def test_articles_differ_and_are_whole() -> None:
    made = generate.articles(4, 5)
    assert len({article.sha256 for article in made}) == 4
    assert all(article.text.count(".") >= 5 for article in made)


def test_the_machine_is_described_without_its_name() -> None:
    import platform

    found = describe()
    assert found.usable_cores >= 1
    assert found.cpu
    assert found.libraries["onnxruntime"]
    assert platform.node() not in found.model_dump_json() or len(platform.node()) < 4


def test_every_benchmark_of_the_registry_has_a_module(repository: Path) -> None:
    for module in registry.BENCHMARKS.values():
        source = repository / Path(*module.split(".")).with_suffix(".py")
        assert "def run(effort: Effort)" in source.read_text(encoding="utf-8")


def test_an_unknown_benchmark_is_refused_before_anything_runs() -> None:
    with pytest.raises(ConfigError, match="'verifyer' is unknown; known: verifier, retrieval, growth"):
        registry.run_benchmarks(["retrieval", "verifyer"], starting=pytest.fail)


def test_a_backend_that_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise ConfigError("the shipped examples were not found")

    monkeypatch.setattr("factdesk.import_guard.examples_dir", nowhere)
    found = registry.run_benchmarks(["cold_start"], quick=True)
    assert found.records == ()
    assert "not found" in found.skipped["cold_start"]
    with pytest.raises(BackendUnavailable, match="claims cannot be read"):
        cold_start._first_claim(tmp_path)


def test_every_round_of_retrieval_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A retriever keeps the rankings of its last queries; reading them back is no search."""
    from evaluation.bench import retrieval
    from evidence.retrieval.hybrid import IndexRetriever

    searched: list[str] = []
    real = IndexRetriever._search

    def counted(self: IndexRetriever, query: Query) -> object:
        searched.append(query.text)
        return real(self, query)

    monkeypatch.setattr(IndexRetriever, "_search", counted)
    retrieval.run(Effort(quick=True))
    rounds = Counter(searched)
    assert len(rounds) == 10
    assert set(rounds.values()) == {4}, "one to warm up, three measured"


def test_retrieval_is_measured_through_the_command() -> None:
    done = CliRunner().invoke(cli, ["bench", "retrieval", "--quick", "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    found = BenchReport.model_validate(json.loads(done.stdout))
    assert found.quick
    assert found.skipped == {}
    spans, query, *_ = found.records
    assert spans.value >= 300
    assert query.unit == "ms/query"
    assert query.ratio == pytest.approx((query.peer_value or 0) / query.value, rel=0.01)


def test_brute_force_finds_what_the_index_finds(tmp_path: Path) -> None:
    from evaluation.bench.retrieval import BruteForce
    from evidence.index.sync import IndexRoot
    from evidence.retrieval.embedder import OnnxEmbedder
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    store, embedder = SqlDocumentStore(open_engine(tmp_path / "a.sqlite")), OnnxEmbedder()
    store.put_documents("c", generate.articles(8, 5))
    root = IndexRoot(tmp_path / "index", embedder)
    root.sync(store, "c")
    index = root.open("c")
    brute = BruteForce(index, embedder)
    for span in index.spans(range(0, len(index), 7)):
        assert span.text in {s.text for s in brute._spans if s.span_id == brute.search(span.text)[0]}
    tokens = stems(generate.articles(1, 1)[0].text)
    assert brute._bm25(tokens) == pytest.approx(index.bm25_scores(tokens).tolist(), rel=1e-4, abs=1e-4)
    index.close()


def test_whole_processes_are_measured(tmp_path: Path) -> None:
    assert 0 < cold_start._seconds(["--help"], tmp_path) < 60
    with pytest.raises(BackendUnavailable, match=r"factdesk check failed \(3\)"):
        cold_start._seconds(["check", " "], tmp_path)
    with cold_start._service(tmp_path):
        assert (tmp_path / "commands.sock").is_socket()
    assert not (tmp_path / "commands.sock").exists()


def test_the_peers_are_measured_on_a_tiny_shape(repository: Path, tmp_path: Path) -> None:
    from evaluation.bench.crossencoder_peer import Shape, TorchPeer, is_checkpoint, write_random

    tokenizer = repository / "verifier" / "models" / "minilm-fact" / "tokenizer.json"
    tiny = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    assert not is_checkpoint(tmp_path)
    for kind, more in (("bert", {}), ("roberta", {"vocab_size": 31000, "max_position_embeddings": 140})):
        folder = write_random(tmp_path / kind, Shape(kind, {**tiny, **more}), tokenizer)
        assert is_checkpoint(folder)
        assert TorchPeer(folder, threads=1).predict([("It rained.", "It was wet.")] * 3) == 3
    (tmp_path / "bert" / "model.safetensors").write_bytes(b"broken")
    with pytest.raises(BackendUnavailable, match="'bert' cannot be loaded"):
        TorchPeer(tmp_path / "bert", threads=1)
    assert Effort(quick=True).of(1, 2) == 1


def test_propagation_and_pair_search_are_measured() -> None:
    from evaluation.bench import ranking

    seconds, memory, iterations = ranking._propagation(500)
    assert 0 < seconds.value < 60
    assert 0.1 < memory.value < 50
    assert 5 < iterations.value < 100
    taken, each, found = ranking._search(300)
    assert 0 < taken.value < 60
    assert each.value == pytest.approx(1e6 * taken.value / 300, rel=0.01)
    assert found.value > 0.95


def test_the_plain_claimrank_gives_the_published_values() -> None:
    from evaluation.bench import ranking

    assert ranking.plain_claimrank(3, [(0, 1, 1.0), (1, 0, 1.0)]) == pytest.approx([0.8696, 0.8696, 0.5], abs=1e-4)
    assert ranking.plain_claimrank(2, [(0, 1, -0.4), (1, 0, -1.0)]) == pytest.approx([0.3509, 0.3509], abs=1e-4)
    assert (ranking._beside_plain(300).ratio or 0) > 0


def test_growth_is_measured_and_its_vectors_are_always_the_same(tmp_path: Path) -> None:
    from evaluation.bench import growth

    vectors = growth.DrawnVectors().embed(["a", "b", "a"])
    assert vectors[0] == pytest.approx(vectors[2])
    assert vectors[0] @ vectors[1] < 0.3
    found = {r.name.partition("documents.")[2]: r for r in growth._measured(tmp_path, 12)}
    assert found["spans"].value == 36
    assert all((found[name].ratio or 0) > 0 for name in ("add_100.vs_bm25s", "words.vs_bm25s"))


def test_whole_checks_are_measured_for_every_method(tmp_path: Path) -> None:
    from evaluation.bench import checks

    rates = checks._rates(tmp_path, 1, 4)
    assert set(rates) == {"chain", "tree", "subq"}
    assert all(rate > 0 for rate in rates.values())


def test_a_page_is_written_from_the_json_alone(tmp_path: Path) -> None:
    found = registry.run_benchmarks(["retrieval"], quick=True)
    (tmp_path / "b.json").write_text(found.model_dump_json())
    page = tmp_path / "page.md"
    arguments = ["bench", "--from", str(tmp_path / "b.json"), "--page", str(page)]
    assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0
    text = page.read_text()
    assert "## Retrieval" in text
    assert f"**{found.records[1].ratio:,g}**" in text
    (tmp_path / "b.json").write_text("{}")
    refused = CliRunner().invoke(cli, arguments)
    assert "no output of factdesk bench" in str(refused.exception)


def test_a_peer_that_decodes_reads_all_pairs(repository: Path) -> None:
    from evaluation.bench.crossencoder_peer import T5Peer

    tokenizer = repository / "verifier" / "models" / "minilm-fact" / "tokenizer.json"
    tiny = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "vocab_size": 64}
    assert T5Peer(tiny, tokenizer, threads=1).predict([("It rained.", "It was wet.")] * 5, batch_size=2) == 5
