"""The pool of Ray actors without Ray: order, errors, and actors that die. With Ray: ``test_batch_ray``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from factdesk.batch import worker
from factdesk.batch.types import Item, Orders, Outcome
from factdesk.kernel import BackendUnavailable, ConfigError
from factdesk.parallel import ray_workers
from factdesk.parallel.ray_workers import RayActors, RayExecutor
from factdesk.parallel.stages import Models, Stage
from factdesk.parallel.worker_pool import Ended
from factdesk.settings import load_settings


class Died(Exception):
    """Stands for ``ray.exceptions.RayError``."""


class TaskFailed(Died):
    """Stands for ``ray.exceptions.RayTaskError``."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Ref:
    def __init__(self, do: Callable[[], Any]) -> None:
        self.do = do


class Actor:
    def __init__(self, ray: Ray, real: Any) -> None:
        self._ray, self._real, self.dead = ray, real, False

    def __getattr__(self, method: str) -> Any:
        return SimpleNamespace(remote=lambda *given: Ref(lambda: self._do(method, given)))

    def _do(self, method: str, given: tuple[Any, ...]) -> Any:
        assert not self.dead, "a dead actor is asked for nothing"
        if self._ray.dies(method, *given):
            self.dead = True
            raise Died("the node is gone")
        try:
            return getattr(self._real, method)(*given)
        except Exception as error:
            raise TaskFailed(error) from error


class Ray:
    """What the pool uses of Ray. The task that was begun last ends first."""

    exceptions = SimpleNamespace(RayError=Died, RayTaskError=TaskFailed)

    def __init__(self, dies: Callable[..., bool] = lambda *_: False) -> None:
        self.dies, self.made, self.killed, self.left = dies, 0, 0, False

    def put(self, value: Any) -> Any:
        return value

    def remote(self, kind: type[Any]) -> Any:
        def make(*given: Any) -> Actor:
            self.made += 1
            return Actor(self, kind(*given))

        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=make))

    def wait(self, refs: list[Ref], num_returns: int, timeout: float) -> tuple[list[Ref], list[Ref]]:
        return refs[-num_returns:], refs[:-num_returns]

    def get(self, ref: Ref) -> Any:
        return ref.do()

    def kill(self, actor: Actor) -> None:
        self.killed += 1

    def shutdown(self) -> None:
        self.left = True


Cluster = Callable[..., Ray]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    def begin(dies: Callable[..., bool] = lambda *_: False) -> Ray:
        ray = Ray(dies)
        monkeypatch.setattr(ray_workers, "connect", lambda: ray)
        return ray

    return begin


def doubled(models: Models, items: Sequence[int]) -> Sequence[int]:
    del models
    if 13 in items:
        raise BackendUnavailable("the model is gone")
    if 17 in items:
        raise ZeroDivisionError
    return [2 * item for item in items]


DOUBLED = Stage(doubled, batch=3)


def test_results_come_in_the_order_of_the_items(cluster: Cluster) -> None:
    cluster()
    executor = RayExecutor(load_settings(), 3)
    taken: list[int] = []

    def source() -> Iterator[int]:
        for n in range(100, 200):
            taken.append(n)
            yield n

    found = executor.run(DOUBLED, source())
    assert next(found) == 200
    assert len(taken) <= 3 * (4 * 3 + 1), "the input is not read ahead of the actors"
    inner = executor.run(DOUBLED, (item // 2 for item in found))
    assert list(inner) == [2 * n for n in range(101, 200)], "one run feeds another"
    assert list(executor.run(DOUBLED, [])) == []


def test_a_run_that_is_given_up_disturbs_no_other(cluster: Cluster) -> None:
    cluster()
    executor = RayExecutor(load_settings(), 2)
    first = executor.run(DOUBLED, range(100, 200))
    next(first)
    first.close()  # type: ignore[attr-defined]
    assert list(executor.run(DOUBLED, range(30, 40))) == list(range(60, 80, 2))


def test_a_dead_actor_is_replaced_and_its_items_done_again(cluster: Cluster) -> None:
    met: Counter[int] = Counter()

    def dies(method: str, *given: Any) -> bool:
        if method != "do":
            return False
        met[given[0].number] += 1
        return given[0].number in (0, 4) and met[given[0].number] <= 2

    ray = cluster(dies)
    executor = RayExecutor(load_settings(), 2)
    assert list(executor.run(DOUBLED, range(20, 50))) == list(range(40, 100, 2))
    assert ray.made == 2 + 4
    executor.close()
    assert (ray.killed, ray.left) == (2, True)


def test_items_over_which_actors_keep_dying_are_given_up(cluster: Cluster) -> None:
    ray = cluster(lambda method, *given: method == "do")
    with pytest.raises(BackendUnavailable, match="3 Ray actors ended over the same items"):
        list(RayExecutor(load_settings(), 1).run(DOUBLED, range(20, 30)))
    assert ray.made == 4


@pytest.mark.parametrize(("item", "error"), [(13, BackendUnavailable), (17, ZeroDivisionError)])
def test_an_error_of_a_stage_comes_out_as_it_was(cluster: Cluster, item: int, error: type[Exception]) -> None:
    cluster()
    executor = RayExecutor(load_settings(), 2)
    with pytest.raises(error):
        list(executor.run(DOUBLED, [item]))
    assert list(executor.run(DOUBLED, [1])) == [2], "the actors go on"


def test_an_actor_that_cannot_load_says_why(cluster: Cluster) -> None:
    def refuse() -> Callable[[int], int]:
        raise ConfigError("no such model")

    ray = cluster()
    with pytest.raises(ConfigError, match="no such model"):
        RayActors(refuse, 2)
    assert ray.left
    ray = cluster(lambda method, *_: method == "load")
    with pytest.raises(BackendUnavailable, match="ended while it loaded"):
        RayActors(lambda: abs, 1)
    assert ray.left


def test_the_engine_of_a_batch_tells_what_became_of_each_item(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Worker:
        def __init__(self, orders: Orders) -> None: ...

        def load(self) -> None: ...

        def check(self, item: Item) -> Outcome:
            if item.id == "bug":
                raise ZeroDivisionError("division by zero")
            return Outcome(key=item.key, status="completed")

    monkeypatch.setattr(worker, "Worker", Worker)
    ray = cluster(lambda method, *given: method == "do" and given[0].id == "die")
    orders = Orders(settings=load_settings(), out=tmp_path, corpus=())
    engine = worker.start_workers("ray", orders, 2)
    names, ended = ["die", "bug", "good", "die", "good"], list[Ended[Item, Outcome]]()
    while names or len(ended) < 5:
        while names and engine.free():
            name = names.pop(0)
            engine.submit(Item(line=1, id=name, text="t", key=name, certificate_id=name))
        ended += engine.wait(0.0)
    assert Counter((d.task.id, d.died, repr(d.error)) for d in ended) == {
        ("die", True, "None"): 2,
        ("bug", False, "ZeroDivisionError('division by zero')"): 1,
        ("good", False, "None"): 2,
    }
    assert {d.result.status for d in ended if d.result} == {"completed"}
    assert ray.made == 2 + 2
    engine.close()
    assert (ray.killed, ray.left) == (2, True)
