"""Options and output helpers that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from agent.intake.worker_process import ParsingProcess
    from factdesk.checker import Report

Command = TypeVar("Command", bound=Callable[..., Any])


class Day(click.ParamType[date]):
    """An ISO date (``2024-05-31``)."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Parse, or say what a date looks like."""
        if isinstance(value, date):
            return value
        try:
            return datetime.strptime(value, "%Y-%m-%d").date()
        except ValueError:
            self.fail(f"{value!r} is no date; write it as 2024-05-31", param, ctx)


DAY = Day()
FOUR_VERDICTS = ("supported", "refuted", "conflicting", "not_enough_evidence")


def emit_json(data: Any) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def emit_report(report: Report, as_json: bool) -> None:
    """A report on stdout, as JSON or to be read; what was not read or given by the web, on stderr."""
    for line in report.notes():
        click.echo(f"factdesk: {line}", err=True)
    if as_json:
        emit_json(report.json())
    else:
        report.print(sys.stdout)


CHECK_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--image",
        "images",
        multiple=True,
        type=click.Path(path_type=Path),
        help="Image that belongs to the claim; may be repeated.",
    ),
    click.option(
        "--image-url",
        "image_urls",
        multiple=True,
        help="Public address of the image, for reverse image search; in the order of --image.",
    ),
    click.option("--date", "claim_date", type=DAY, help="Day on which the claim was made."),
    click.option("--as-of", type=DAY, help="Leave out evidence published after this day."),
    click.option(
        "--corpus",
        "corpora",
        multiple=True,
        help="Stored corpus by name, or a file or folder of documents; may be repeated.",
    ),
    click.option("--web/--no-web", default=None, help="Search the web too (docs/web.md)."),
    click.option(
        "--window", help="Leave out evidence older than 30d, 8w, 6m, 2y before --as-of (or before today)."
    ),
    click.option(
        "--block",
        multiple=True,
        help="Site to leave out of all evidence, or fact-checkers; may be repeated.",
    ),
    click.option(
        "--method",
        type=click.Choice(["chain", "tree", "subq", "auto"]),
        help="How questions are asked: one by one, as a tree, all at once; auto: by the claim.",
    ),
    click.option(
        "--veracity",
        type=click.Choice(["standard", "cot", "cove"]),
        help="How the proposal is made: as it is, step by step, or with its own doubts checked.",
    ),
    click.option(
        "--retriever",
        type=click.Choice(["hybrid", "bm25", "dense", "semantic", "community", "both", "kaping", "none"]),
        help="How evidence is found; community, both and kaping go through the knowledge graph.",
    ),
    click.option(
        "--graph/--no-graph", default=None, help="Questions that connect names go to the knowledge graph."
    ),
    click.option(
        "--delta",
        type=click.FloatRange(0, 100, min_open=True),
        help="community, both: so many percent of the communities (default 25).",
    ),
    click.option(
        "--lam",
        type=click.FloatRange(0, 100, min_open=True),
        help="community, both: so many percent of their sentences (default 100).",
    ),
    click.option(
        "--ranking",
        type=click.Choice(["vanilla", "score"]),
        help="Order evidence by relevance alone (vanilla) or by relevance and stored trust (score).",
    ),
    click.option(
        "--trust", type=click.Choice(["on", "off"]), help="Gate evidence by the trust of its document."
    ),
    click.option("--reasoner", help="Who asks and answers: extractive, llm:PROVIDER:MODEL or gguf:PATH."),
    click.option("--verifier", help="Which model verifies, e.g. onnx:minilm-fact or onnx:FOLDER."),
    click.option(
        "--mode",
        type=click.Choice(["strict", "mixed", "debug"]),
        help="What is shown: strict shows only Verified.",
    ),
    click.option(
        "--max-seconds",
        type=click.FloatRange(min=0, min_open=True),
        help="Stop asking after so many seconds.",
    ),
    click.option(
        "--max-pairs", type=click.IntRange(min=1), help="At most so many verifier pairs (default 240)."
    ),
    click.option(
        "--max-claims", type=click.IntRange(min=1, max=12), help="At most so many atomic claims (default 12)."
    ),
    click.option(
        "--max-tokens", type=click.IntRange(min=1), help="At most so many tokens of a language model."
    ),
)
"""The flags that ``check`` and its relatives share, as the design names them."""


def check_options(command: Command) -> Command:
    """Put ``CHECK_OPTIONS`` on a command, in their order."""
    for option in reversed(CHECK_OPTIONS):
        command = option(command)
    return command


def check_options_without(command: Command, left_out: Collection[str]) -> Command:
    """``check_options`` but for those parameters, for commands that they make no sense for."""
    found: Any = check_options(command)
    found.__click_params__ = [p for p in found.__click_params__ if p.name not in left_out]
    return cast(Command, found)


def settings_from(flags: dict[str, Any]) -> Any:
    """Settings with the flags of ``check_options`` put over file and environment."""
    from factdesk.settings import load_settings

    caps = {k: flags.get(k) for k in ("max_seconds", "max_pairs", "max_claims", "max_tokens")}
    trust = flags.get("trust")
    return load_settings(
        corpus=tuple(flags.get("corpora") or ()),
        method=flags.get("method"),
        veracity=flags.get("veracity"),
        retriever=flags.get("retriever"),
        graph=flags.get("graph"),
        delta=flags.get("delta"),
        lam=flags.get("lam"),
        ranking=flags.get("ranking"),
        trust=None if trust is None else trust == "on",
        reasoner=flags.get("reasoner"),
        verifier=flags.get("verifier"),
        mode=flags.get("mode"),
        web=flags.get("web"),
        window=flags.get("window"),
        block=tuple(flags.get("block") or ()),
        sources=tuple(flags.get("sources") or ()),
        caps=caps if any(v is not None for v in caps.values()) else None,
    )


def stop_on_terminate() -> None:
    """Being asked to end (SIGTERM) stops a check as Ctrl-C does: with its checkpoint, and exit code 6."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def single_check() -> Iterator[ParsingProcess]:
    """For a command that ends after one check: claims are read beside, and less is imported.

    LangGraph's client imports httpx, which takes in its own command line, with rich and pygments, where it
    can.
    """
    from agent.intake.worker_process import ParsingProcess
    from language.nlp.delegation import answered_by
    from language.nlp.import_blocker import look_absent

    with look_absent({"httpx._main"}), ParsingProcess() as beside, answered_by(beside.ask):
        yield beside


class ProgressLine:
    """Progress events on stderr: one line that changes on a terminal, silence elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        self._status: Any = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console

            self._console = Console(stderr=True)
            self._status = self._console.status("starting …")
            self._status.start()

    def __call__(self, event: Any) -> None:
        """Show one ``agent.types.Progress``."""
        if self._status is not None:
            from rich.markup import escape

            from report.sanitize import foreign

            self._status.update(escape(f"{event.stage}: {foreign(event.message)[:100]}"))

    def close(self) -> None:
        """Clear the line."""
        if self._status is not None:
            self._status.stop()
