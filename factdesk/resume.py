"""Taking up a run that was stopped: its settings, images and corpora as they were."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from agent.types import Progress
from factdesk.kernel import ConfigError, InputError
from factdesk.runs import Order, Runs
from factdesk.settings import Settings

if TYPE_CHECKING:
    from factdesk.checker import Report
    from report.types import Certificate
    from store.ledger import Ledger


LEFT_OUT: Any = {
    "home": True, "llm": {"api_key"}, "imagesearch": {"api_key"}, "database": True, "serve": True,
}  # fmt: skip
"""Secrets and places, which a run takes from the process that goes on with it."""


def storable(settings: Settings) -> dict[str, Any]:
    """Settings as JSON values, without the home folder and without secrets."""
    return settings.model_dump(mode="json", exclude=LEFT_OUT)


def stored_settings(order: Order, now: Settings) -> Settings:
    """The settings a run was begun with; home and secrets are those of ``now``.

    Raises:
        ConfigError: this version cannot take them.
    """
    stored = dict(order.settings)
    model = {**now.llm.model_dump(), **stored.pop("llm", {})}
    images = {**now.imagesearch.model_dump(), **stored.pop("imagesearch", {})}
    try:
        kept = {"home": now.home, "database": now.database, "serve": now.serve}
        settings = Settings(**{**stored, **kept, "llm": model, "imagesearch": images})
    except ValidationError as error:
        raise ConfigError(
            f"the settings of run {order.run_id!r} do not fit this version; check its claim anew"
        ) from error
    if storable(settings) != order.settings:
        raise ConfigError(
            f"file or environment override the settings of run {order.run_id!r}; unset them to resume it"
        )
    return settings


def resume_run(now: Settings, beginning: str, progress: Callable[[Progress], None]) -> Report:
    """Go on with a stopped run, given by the beginning of its id, to its certificate.

    ``now`` says where the home folder is and holds the secrets; all else comes from the run.

    Raises:
        InputError: the run is unknown, still going on, or its corpora or models were changed.
    """
    from evidence.images import read_image
    from factdesk.checker import FactChecker

    runs = Runs(now.paths.checkpoints)
    with runs.hold(runs.find(beginning), known=True) as run:
        order = run.stored
        if order is None:
            raise InputError(f"run {run.run_id!r} holds no order; check its claim anew")
        checker = FactChecker(stored_settings(order, now))
        files = run.images()
        with tempfile.TemporaryDirectory() as folder:
            pictures = []
            for number, (name, data) in enumerate(files):
                path = Path(folder) / str(number) / name
                path.parent.mkdir()
                path.write_bytes(data)
                pictures.append(read_image(path))
        order = order.model_copy(
            update={
                "corpus": tuple(p.name for p in order.pins) or order.corpus,
                "image_sha256": tuple(p.sha256 for p in pictures),
            }
        )
        return checker.carry_out(order, tuple(pictures), files, run, progress)


def append_once(ledger: Ledger, certificate: Certificate) -> Certificate:
    """Append, unless the process before was killed right after it had appended the same certificate."""
    try:
        there = ledger.get(certificate.envelope.certificate_id)
    except InputError:
        return ledger.append(certificate)
    return there if there.body == certificate.body else ledger.append(certificate)
