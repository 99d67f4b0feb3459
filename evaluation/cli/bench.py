"""``factdesk bench``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.output import emit, json_option

if TYPE_CHECKING:
    from evaluation.bench.types import BenchReport


@click.command()
@click.argument("names", nargs=-1)
@click.option("--quick", is_flag=True, help="Smaller and fewer rounds: about a minute.")
@json_option("Print machine and records as JSON.")
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the figures as Markdown (docs/results/benchmarks.md).",
)
@click.option(
    "--from",
    "earlier",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Take the figures from the JSON of an earlier run; measures nothing.",
)
def bench(names: tuple[str, ...], quick: bool, as_json: bool, page: Path | None, earlier: Path | None) -> None:
    """Measure this machine: verifier, retrieval, growth, cold_start, checks, graph, trust (or those NAMES).

    A ratio says how many times better factdesk is than the peer named beside it, in the same run.

    \b
    Examples:
      factdesk bench --quick
      factdesk bench verifier --json
      factdesk bench --json > bench.json && factdesk bench --from bench.json --page docs/results/benchmarks.md
    """
    found = _read(earlier) if earlier else _measured(names, quick)
    if page is not None:
        from evaluation.bench.page import as_page

        page.write_text(as_page(found, "factdesk bench --json"), encoding="utf-8")
    emit(found, as_json, _lines(found))


def _lines(found: BenchReport) -> Iterator[str]:
    machine = found.machine
    yield f"{machine.cpu}, {machine.usable_cores} of {machine.cores} cores, load {machine.load}"
    yield f"Python {machine.python}, " + ", ".join(f"{k} {v}" for k, v in machine.libraries.items())
    for record in found.records:
        yield f"{record.name:44} {record.value:>10g} {record.unit}"
        if record.ratio is not None:
            yield f"{'':44} {record.ratio:>10g} times {record.peer} ({record.peer_value:g} {record.unit})"
    for name, reason in found.skipped.items():
        yield f"skipped {name}: {reason}"


def _measured(names: tuple[str, ...], quick: bool) -> BenchReport:
    from evaluation.bench.registry import run_benchmarks

    def starting(name: str) -> None:
        click.echo(f"measuring {name} …", err=True)

    return run_benchmarks(names, quick=quick, starting=starting)


def _read(path: Path) -> BenchReport:
    from pydantic import ValidationError

    from evaluation.bench.types import BenchReport
    from factdesk.kernel import InputError

    try:
        return BenchReport.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} is no output of factdesk bench --json") from error
