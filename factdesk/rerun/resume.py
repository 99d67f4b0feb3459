"""Taking up a run that was stopped: its settings, images and corpora as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.types import Progress
from factdesk.kernel import InputError
from factdesk.settings import Settings
from factdesk.stored_order import stored_settings
from store.runs import Runs

if TYPE_CHECKING:
    from factdesk.checker import Report


def resume_run(now: Settings, beginning: str, progress: Callable[[Progress], None]) -> Report:
    """Go on with a stopped run, given by the beginning of its id, to its certificate. ``now`` says where the home
    folder is and holds the secrets; all else comes from the run. Raises ``InputError``: the run is unknown, still going
    on, or its corpora or models were changed.
    """
    from evidence.images.reader import read_picture
    from factdesk.checker import FactChecker

    runs = Runs(now.paths.checkpoints)
    with runs.hold(runs.find(beginning), known=True) as run:
        order = run.stored
        if order is None:
            raise InputError(f"run {run.run_id!r} holds no order; check its claim anew")
        checker = FactChecker(stored_settings(order, now))
        files = run.images()
        pictures = tuple(read_picture(data, name) for name, data in files)
        order = order.model_copy(
            update={
                "corpus": tuple(p.name for p in order.pins) or order.corpus,
                "image_sha256": tuple(p.sha256 for p in pictures),
            }
        )
        return checker.carry_out(order, pictures, files, run, progress)
