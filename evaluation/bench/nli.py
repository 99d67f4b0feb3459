"""``verifier``: pairs a second at 64 tokens, beside torch in fp32 and larger models' shapes.

The shipped small model, which reads every pair of a check, runs as it does there: threads over one one-thread
int8 session, one pair at a time, nothing cached. So does the second reader, alone: what the default needs
more for each pair that the small model finds worth a look. The peers may use batches of 32 and as many
threads; all get the same pairs, in turns.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.bench import generate
from evaluation.bench.types import BenchRecord, Effort, alone, more_is_better, take_turns
from language.onnx_model import usable_cores

if TYPE_CHECKING:
    from verifier.backends.onnx import OnnxVerifier

TOKENS = 64
UNIT = "pairs/s"
AGAINST_SMALL, AGAINST_LARGE = 3, 40
"""How often ours scores the pairs in its turn, so that turns take about as long as the peer's."""


def run(effort: Effort) -> list[BenchRecord]:
    """Ours alone, beside the same weights in torch, beside the shapes of RoBERTa-large and Flan-T5-large.

    Raises:
        BackendUnavailable: the shipped model or a library is missing.
    """
    from evaluation.bench import crossencoder_peer as peer
    from verifier.backends import factory as spec
    from verifier.backends.onnx import OnnxVerifier

    threads = min(2, usable_cores())
    folder = spec.MODELS / "minilm-fact"
    ours = OnnxVerifier(folder, threads=threads)
    tokenizer = folder / "tokenizer.json"
    many = generate.pairs(effort.of(64, 256), TOKENS, _counter(tokenizer))
    few = many[: effort.of(4, 16)]
    checkpoint = spec.MODELS.parent / "training" / "checkpoint"
    with tempfile.TemporaryDirectory(prefix="factdesk-bench-") as temporary:
        trained = peer.is_checkpoint(checkpoint)
        shape = peer.Shape("bert", peer.MINILM)
        small = checkpoint if trained else peer.write_random(Path(temporary) / "s", shape, tokenizer)
        torch_peer = peer.TorchPeer(small, threads=threads)
        fast, slow = take_turns([_repeat(ours, many, AGAINST_SMALL), lambda: torch_peer.predict(many)], effort.of(3, 5))
        large = peer.write_random(Path(temporary) / "l", peer.Shape("roberta", peer.ROBERTA_LARGE), tokenizer)
        large_peer = peer.TorchPeer(large, threads=threads)
        quick, slowest = take_turns(
            [_repeat(ours, few, AGAINST_LARGE), lambda: large_peer.predict(few)], effort.of(2, 3)
        )
        both = [] if effort.quick else _beside_t5(ours, few, tokenizer, threads)
    second = OnnxVerifier(spec.MODELS / "mpnet-fact", threads=threads)
    (reading,) = take_turns([lambda: second.raw(few)], effort.of(2, 3))
    weights = "weights of verifier/training/checkpoint" if trained else "random weights of the same shape"
    by = f"sentence-transformers CrossEncoder, torch fp32, {threads} threads"
    best = AGAINST_SMALL * len(many) / fast
    return [
        alone(f"verifier.shipped.{threads}_threads", best, UNIT),
        more_is_better("verifier.shipped.vs_torch_fp32", best, UNIT, f"{by}, {weights}", len(many) / slow),
        more_is_better(
            "verifier.shipped.vs_roberta_large",
            AGAINST_LARGE * len(few) / quick,
            UNIT,
            f"{by}, random weights in the shape of RoBERTa-large, {len(few)} pairs",
            len(few) / slowest,
        ),
        *both,
        alone(f"verifier.second_reader.{threads}_threads", len(few) / reading, UNIT),
    ]


def _beside_t5(
    ours: OnnxVerifier, pairs: Sequence[tuple[str, str]], tokenizer: Path, threads: int
) -> list[BenchRecord]:
    from evaluation.bench.crossencoder_peer import FLAN_T5_LARGE, T5Peer

    peer = T5Peer(FLAN_T5_LARGE, tokenizer, threads=threads)
    quick, slow = take_turns([_repeat(ours, pairs, AGAINST_LARGE), lambda: peer.predict(pairs)], 3)
    return [
        more_is_better(
            "verifier.shipped.vs_flan_t5_large",
            AGAINST_LARGE * len(pairs) / quick,
            UNIT,
            f"transformers, torch fp32, {threads} threads, random weights in the shape of Flan-T5-large, "
            f"{len(pairs)} pairs, one token decoded",
            len(pairs) / slow,
        )
    ]


def _repeat(verifier: OnnxVerifier, pairs: Sequence[tuple[str, str]], times: int) -> Callable[[], object]:
    return lambda: [verifier.raw(pairs) for _ in range(times)]


def _counter(path: Path) -> Callable[[str, str], int]:
    """Counts the tokens of a pair as the shipped model sees it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda premise, hypothesis: len(tokenizer.encode(premise, hypothesis).ids)
