"""Carrying out one check of the queue, from its beginning or from where an earlier process was stopped."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from agent.types import Progress
from factdesk.certificates.history import request_again, sources_again
from factdesk.check.context import CheckRequest as Request
from factdesk.checker import FactChecker, Report, open_ledger
from factdesk.kernel import FactdeskError, Failure, InputError
from factdesk.rerun.resume import resume_run
from factdesk.service.types import CheckOrder, CheckRequest, Upload
from report.sanitize import foreign
from report.types import Verdict
from store.runs import Runs

Progressing: TypeAlias = Callable[[Progress], None]
LOG = logging.getLogger(__name__)
_KINDS = {2: "config", 3: "bad_input", 4: "unavailable", 5: "certificate"}
"""Kind of failure by the exit code that the error has on the command line."""


def carry_out(
    checker: FactChecker, check_id: str, order: CheckOrder, images: Sequence[Upload], progress: Progressing
) -> Verdict:
    """Check, ask, or check again; returns the verdict of the certificate, whose id is that of the check. Raises
    ``FactdeskError``.
    """
    settings = checker.settings
    with suppress(InputError):
        return open_ledger(settings).get(check_id).body.verdict  # killed right after the certificate
    runs = Runs(settings.paths.checkpoints)
    if runs.has(check_id):
        try:
            return resume_run(settings, check_id, progress).verdict
        except InputError as error:
            LOG.info("check %s begins anew: %s", check_id, error)
            runs.forget(check_id)
    with tempfile.TemporaryDirectory() as folder:
        return _begin(checker, check_id, order, put_down(Path(folder), images), progress).verdict


def refuse_unstored(checker: FactChecker, *names: str) -> None:
    """Raise ``InputError`` for a corpus that is not stored."""
    for name in names:
        if not checker.corpora.has(name):
            raise InputError(f"there is no stored corpus {name!r}; factdesk corpus list shows them")


def refuse_unusable(checker: FactChecker, request: CheckRequest, images: Sequence[Upload]) -> None:
    """Raise ``InputError`` for a corpus that is not stored, and for a picture or video that cannot be read."""
    from evidence.images.files import MAX_BYTES, decode
    from evidence.images.key_frames import begins_as_video, refuse_undecodable

    refuse_unstored(checker, *request.corpus)
    for image in images:
        if begins_as_video(image.data[:16]):
            refuse_undecodable(image.data, image.name)
            continue
        if len(image.data) > MAX_BYTES:
            raise InputError(f"{image.name!r} has {len(image.data)} bytes; at most {MAX_BYTES} are read")
        decode(image.data, image.name)


def put_down(folder: Path, files: Sequence[Upload]) -> list[Path]:
    """Files under their names, each in a folder of its own."""
    paths = []
    for number, file in enumerate(files):
        path = folder / str(number) / file.name
        path.parent.mkdir()
        path.write_bytes(file.data)
        paths.append(path)
    return paths


def _begin(
    checker: FactChecker, check_id: str, order: CheckOrder, images: Sequence[Path], progress: Progressing
) -> Report:
    choices = {name: getattr(order, name) for name in ("method", "veracity", "mode", "answer_sources")}
    if order.supersedes is not None:
        old = open_ledger(checker.settings).get(order.supersedes)
        choices |= {"mode": order.mode or old.body.mode, "sources": sources_again(old)}
        request = request_again(old, images=images, corpus=order.corpus, certificate_id=check_id)
    else:
        given = order.model_dump(include={"text", "date", "as_of", "corpus"})
        request = Request(images=tuple(images), asked=order.asked, certificate_id=check_id, **given)
    return checker.choosing(**choices).run(request, progress)


def failure_of(check_id: str, error: BaseException) -> Failure:
    """An error as a failure; the words of one that is not ours stay in the log."""
    kind = _KINDS.get(error.exit_code, "internal") if isinstance(error, FactdeskError) else "internal"
    if kind == "internal":
        LOG.error("check %s failed", check_id, exc_info=error)
        message = f"an error inside factdesk ({type(error).__name__}); the log of the service has more"
    else:
        message = foreign(str(error))[:1000]
    return Failure(where="service.check", kind=kind, message=message)
