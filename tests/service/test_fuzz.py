"""The service against its own description: what it allows is taken, all else is refused, nothing breaks.

Bounded: so many cases an operation. Claims that are taken wait in a queue whose check does not begin, so the
queue is soon full and says so; the checks themselves are tested elsewhere.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own imports
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

    from schemathesis.specs.openapi.checks import positive_data_acceptance

from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from tests.service.conftest import CLAIM, TOKEN, settings_in

CASES = 8
"""An operation."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A service with a token, a certificate in its history, and a check that does not begin."""
    home: Path = tmp_path_factory.mktemp("fuzz")
    queue = CheckQueue(settings_in(home, queue=3, requests_per_minute=1_000_000, checks_per_minute=1_000_000))
    queue.checker.corpora.add_documents("default", [])
    queue.checker.check(CLAIM)

    def wait(*arguments: Any, **options: Any) -> None:
        while not queue.closing:
            time.sleep(0.05)

    queue.checker.run = wait  # type: ignore[method-assign, assignment]
    yield schemathesis.openapi.from_asgi(
        "/openapi.json", build_app(queue, TOKEN, frozenset()), headers={"Authorization": f"Bearer {TOKEN}"}
    )
    queue.close(5.0)


def test_every_operation_keeps_to_its_description(service: Any) -> None:
    """Not by schemathesis' own pytest plugin, which does not go with this pytest."""
    seen: Counter[str] = Counter()

    def hold(case: Any) -> None:
        answer = case.call_and_validate(
            headers={"Authorization": f"Bearer {TOKEN}"},
            # no description can say which corpora are stored, or that a search needs a letter or a digit
            excluded_checks=[positive_data_acceptance],
        )
        seen[f"{case.operation.label} {answer.status_code}"] += 1

    for found in service.get_all_operations():
        operation = found.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
            if mode.is_negative and operation.label in ("GET /health", "GET /checks"):
                continue  # nothing of it can be wrong
            settings(
                max_examples=CASES,
                derandomize=True,
                database=None,
                deadline=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )(given(case=operation.as_strategy(generation_mode=mode))(hold))()
    codes = {line.rpartition(" ")[2] for line in seen}
    assert {"200", "202", "404", "422", "429"} <= codes, seen
    assert len({line.rpartition(" ")[0] for line in seen}) == len(list(service.get_all_operations()))


def test_all_that_a_reader_needs_is_described(service: Any) -> None:
    described = {f"{method.upper()} {path}" for path, item in service.raw_schema["paths"].items() for method in item}
    assert described >= {
        "POST /checks",
        "GET /checks",
        "GET /checks/{check_id}",
        "GET /checks/{check_id}/events",
        "GET /reports/{certificate_id}",
        "GET /reports/{certificate_id}.html",
        "GET /reports/{certificate_id}.json",
        "GET /history",
        "GET /verify/{certificate_id}",
    }
    post = service.raw_schema["paths"]["/checks"]["post"]
    assert {"401", "413", "422", "429"} <= post["responses"].keys()
    assert post["requestBody"]["content"].keys() == {"application/json", "multipart/form-data"}
