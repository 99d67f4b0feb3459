"""``factdesk batch``."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Literal

import click
from annotated_types import Ge, Gt, Le

from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, Command, Quiet, check_options
from factdesk.cli.output import Outcome, progress, said, tell
from factdesk.kernel import InputError
from factdesk.settings import Settings

if TYPE_CHECKING:
    from factdesk.batch.run import Standing
    from factdesk.batch.types import Orders, Summary


@click.command(cls=Command)
@check_options(without=CLAIM_FLAGS, also=("sources", "answer_sources"))
def batch(
    file: Annotated[Path, click.Path(path_type=Path, allow_dash=True)],
    out: Annotated[
        Path,
        "--out",
        click.Path(path_type=Path, file_okay=False),
        "Folder of the batch: certificates, results.jsonl, summary.json. The same folder goes on with it.",
    ],
    flags: CheckFlags,
    engine: Literal["local", "ray"] = "local",
    workers: Annotated[int | None, Ge(1), Le(256), "Processes that check (default: one a core, 8 at most)."] = None,
    stop_after: Annotated[
        float | None, Gt(0), "Begin no more claims after so many seconds; the same command goes on later."
    ] = None,
    quiet: Quiet = False,
) -> Outcome:
    """Check all claims of FILE (JSON Lines, CSV, or - for stdin), certify them, and go on after any stop.

    A line is {"claim": "...", "id": "7", "date": "2024-05-31", "image": "a.png"}, where all but the claim may
    be left out, or {"question": "..."}; a .csv has these names in its first row. Images are relative to FILE.
    What fails is recorded with its reason and stops nothing else; the exit code is then 3. The caps of a
    check (--max-seconds, --max-pairs, ...) hold for each claim.

    \b
    Example: factdesk batch claims.jsonl --out checked --corpus news --workers 2
    """
    from factdesk.batch.output_folder import hold
    from factdesk.batch.read import Reader, count_lines
    from factdesk.batch.run import Batch, Standing, account
    from factdesk.batch.worker import start_workers
    from factdesk.parallel.worker_pool import available_cores

    orders = _orders(flags.settings(), out, flags.as_of)
    count = workers or min(8, max(1, len(available_cores())))
    total = None if str(file) == "-" or _is_table(file) else count_lines(file)
    with _stopping(stop_after) as stop, hold(orders) as folder, _opened(file) as stream:
        place = Path.cwd() if str(file) == "-" else file.absolute().parent
        reader = Reader(place, folder.identity.fingerprint, folder.identity.batch_id)
        # Ray prints its advice; stdout is for the summary alone
        with contextlib.redirect_stdout(sys.stderr), progress(quiet=quiet, lines=True) as line:
            started = start_workers(engine, orders, count)
            standing = Standing(total=total)
            job = Batch(folder, started, orders, stop, lambda now: line.say(words(now)), standing)
            try:
                job.run(stream, reader)
            finally:
                started.close()
        summary = account(job, orders.settings, engine, count)
    return _outcome(summary, out / "results.jsonl")


def _outcome(summary: Summary, results: Path) -> Outcome:
    if summary.failed:
        tell(f"{summary.failed} line(s) failed; {results} says why")
    if summary.stopped:
        tell("stopped; the same command goes on with it")
    broken = summary.lost or not summary.chain_ok
    code = 5 if broken else 6 if summary.stopped else 3 if summary.failed else 0
    return Outcome(summary, said("tools.summary", summary), code)


def _orders(settings: Settings, out: Path, as_of: date | None) -> Orders:
    """Read what the workers need, and folders of documents into the cache once for all of them."""
    from factdesk.batch.types import Orders
    from factdesk.corpora.stored import Corpora

    corpora = Corpora(settings)
    names = tuple(settings.corpus)
    absent = names == ("default",) and not corpora.has("default")  # claims about pictures need none
    if settings.retriever != "none" and not absent:
        names = tuple(corpora.resolve(name)[0] for name in names)
    seconds = settings.caps.max_seconds
    patience = max(120.0, 4 * seconds) if seconds else 1800.0
    return Orders(settings=settings, out=out.absolute(), corpus=names, as_of=as_of, patience=patience)


def _is_table(file: Path) -> bool:
    return file.suffix.lower() == ".csv"


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    if str(file) == "-":
        yield sys.stdin.buffer
        return
    if _is_table(file):
        from factdesk.batch.read import table_as_lines

        yield table_as_lines(file)
        return
    try:
        stream = file.open("rb")
    except OSError as error:
        raise InputError(f"{str(file)!r} cannot be read ({error.strerror or error})") from error
    with stream:
        yield stream


@contextmanager
def _stopping(after: float | None) -> Iterator[Any]:
    """Ctrl-C or SIGTERM once: finish what was begun. Twice: end at once."""
    asked = [False]

    def on_signal(*_: Any) -> None:
        if asked[0]:
            raise KeyboardInterrupt
        asked[0] = True

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    end = time.monotonic() + after if after else None
    try:
        yield lambda: asked[0] or (end is not None and time.monotonic() >= end)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def words(standing: Standing) -> str:
    """How far a batch is, in a line."""
    ended = standing.ended
    of = f" of {standing.total:,}" if standing.total is not None else ""
    more = [f"{n:,} {what}" for n, what in ((ended["resumed"], "from before"), (ended["failed"], "failed")) if n]
    if ended["completed"]:
        more.append(f"{standing.per_minute:.1f} claims a minute")
    if standing.left is not None:
        more.append(f"about {_duration(standing.left)} left")
    return ", ".join([f"{ended.total():,}{of} lines done", *more])


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
