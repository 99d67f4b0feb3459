"""Work through a whole corpus: the same code and the same outcome wherever it runs."""

from __future__ import annotations

import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evidence.index.sync import IndexRoot
from factdesk.kernel import BackendUnavailable
from factdesk.parallel import stages
from factdesk.parallel.ray_workers import RayExecutor, StageTask, stage_work
from factdesk.parallel.stages import (
    DRAW_CLAIMS,
    EMBED_SENTENCES,
    SCORE_RELATIONS,
    LocalExecutor,
    Models,
    Stage,
    StageEmbedder,
)
from factdesk.settings import load_settings
from tests.evidence.memory_store import MemoryStore
from tests.factdesk.test_trusting import documents
from verifier.types import PairText

RAY = importlib.util.find_spec("ray") is not None


def test_a_stage_gets_batches_when_they_are_asked_for() -> None:
    given: list[list[int]] = []

    def doubled(models: Models, items: Sequence[int]) -> Sequence[int]:
        assert models is executor.models
        given.append(list(items))
        if 13 in items:
            raise BackendUnavailable("the model is gone")
        return [2 * item for item in items]

    stage, executor = Stage(doubled, batch=3), LocalExecutor(Models.of(load_settings()))
    taken: list[int] = []

    def source() -> Iterator[int]:
        for n in range(8):
            taken.append(n)
            yield n

    found = executor.run(stage, source())
    assert (next(found), taken) == (0, [0, 1, 2]), "no more than is asked for is read"
    assert list(found) == [2, 4, 6, 8, 10, 12, 14]
    assert list(executor.run(stage, [9])) == [18]
    assert given == [[0, 1, 2], [3, 4, 5], [6, 7], [9]]
    with pytest.raises(BackendUnavailable):
        list(executor.run(stage, [13]))


def test_models_are_loaded_once() -> None:
    models = Models.of(load_settings())
    assert models.embedder() is models.embedder()


def test_what_an_actor_does_is_what_the_stage_does() -> None:
    settings, texts = load_settings(), ["The bridge reopened.", "It cost 12 million euros."]
    local = list(LocalExecutor(Models.of(settings)).run(EMBED_SENTENCES, texts))
    made = stage_work(settings)(StageTask(1, 0, EMBED_SENTENCES, texts))
    assert all((a == b).all() for a, b in zip(local, made, strict=True))


def test_an_index_is_the_same_through_an_executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models.of(load_settings())
    monkeypatch.setattr(stages, "EMBED_SENTENCES", replace(EMBED_SENTENCES, batch=2))
    plain, staged = models.embedder(), StageEmbedder(models.embedder(), LocalExecutor(models))
    indexes = []
    for name, embedder in {"plain": plain, "staged": staged}.items():
        root = IndexRoot(tmp_path / name, embedder)
        done = root.sync(MemoryStore("c", documents()), "c")
        assert done.embedded == done.spans > 4
        indexes.append(root.open("c"))
    left, right = indexes
    rows = range(len(left))
    assert left.spans(rows) == right.spans(rows)
    assert (left.vectors(rows) == right.vectors(rows)).all()
    assert left.manifest.embedder == right.manifest.embedder


def test_claims_and_relations_come_one_for_each() -> None:
    executor = LocalExecutor(Models.of(load_settings()))
    drawn = list(executor.run(DRAW_CLAIMS, documents()))
    assert [d.claims[0].doc_id for d in drawn] == [d.doc_id for d in documents()]
    pairs = [PairText(claim=c.text, premise=c.text) for d in drawn for c in d.claims]
    weights = list(executor.run(SCORE_RELATIONS, pairs))
    assert len(weights) == len(pairs)
    assert all(weight > 0.6 for weight in weights), "each claim supports itself"


@pytest.mark.skipif(RAY, reason="Ray is installed here")
def test_without_ray_it_says_how_to_get_it() -> None:
    with pytest.raises(BackendUnavailable, match=r"\[ray\]"):
        RayExecutor(load_settings(), 1)


@pytest.mark.slow
@pytest.mark.skipif(not RAY, reason="the extra ray is not installed")
def test_ray_does_what_this_process_does(tmp_path: Path, repository: Path) -> None:
    """A corpus added and its claims related, in this process and on two actors of a real cluster."""
    found: dict[str, Any] = {}
    for engine in (["local"], ["ray", "--workers", "2"]):
        home = tmp_path / engine[0]

        def call(*arguments: object, home: Path = home, engine: list[str] = engine) -> Any:
            done = subprocess.run(
                [sys.executable, "-m", "factdesk", *map(str, arguments), "--engine", *engine, "--json"],
                cwd=repository,
                env={**os.environ, "FACTDESK_HOME": str(home)},
                capture_output=True,
                text=True,
                check=False,
                timeout=1500,
            )
            assert done.returncode == 0, done.stderr[-3000:]
            return json.loads(done.stdout)

        added = call("corpus", "add", repository / "examples" / "corpus")
        ranked = call("trust", "rank", "--pairs", 30)
        with closing(sqlite3.connect(home / "index" / "default" / "index.sqlite")) as index:
            vectors = index.execute("SELECT row, vector FROM vectors ORDER BY row").fetchall()
        found[engine[0]] = (added, ranked, vectors)
    assert found["ray"] == found["local"]
    assert found["ray"][1]["built"]["scored"] == 30
