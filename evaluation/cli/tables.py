"""``factdesk eval ablate``, ``baselines`` and ``compare``: tables over runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluation.cli.runs import RunFlags, claims_done, run_options
from factdesk.cli.output import emit, json_option, progress

if TYPE_CHECKING:
    from evaluation.ablations.compare import Comparison


@click.command()
@run_options
@click.option("--axis", "axes", multiple=True, help="Only this axis; may be repeated (default: all that fit).")
@click.option("--other-verifier", "specs", multiple=True, help="Another verifier to run; may be repeated.")
@click.option(
    "--llm-judge",
    "judges",
    multiple=True,
    help="Language model in the verifier's place (llm:PROVIDER:MODEL, gguf:PATH); may be repeated "
    "(default: the one that --reasoner names).",
)
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write.")
@click.option("--plots/--no-plots", default=True, show_default=True, help="Draw the pictures (matplotlib).")
@json_option("Print the table as JSON.")
def ablate(
    given: RunFlags,
    axes: tuple[str, ...],
    specs: tuple[str, ...],
    judges: tuple[str, ...],
    out: Path,
    plots: bool,
    as_json: bool,
) -> None:
    """Turn one switch at a time and measure: one table, and the curves.

    \b
    Axes: verifier, evidence, granularity, retrieval, method, thresholds. Nothing measured here is recorded.

    Example:
      factdesk eval ablate claims examples/claims.jsonl --corpus examples/corpus --out runs/ablation
    """
    from evaluation.ablations.ablate import ablate as measure
    from evaluation.ablations.ablate import markdown

    plan = given.plan()
    if not judges and plan.settings.reasoner != "extractive" and (not axes or "verifier" in axes):
        judges = (plan.settings.reasoner,)
    with progress(lines=True) as line:
        table = measure(plan, out, axes, specs, judges=judges, bar=lambda title: claims_done(line, title))
    if plots:
        from evaluation.plots import draw

        for path in draw(table, out):
            click.echo(f"wrote {path}", err=True)
    emit(table, as_json, markdown(table).splitlines())


@click.command()
@run_options
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write.")
@json_option("Print the table as JSON.")
def baselines(given: RunFlags, out: Path, as_json: bool) -> None:
    """Hold factdesk against simpler pipelines on the same claims and corpus.

    \b
    Standard and multi-query RAG, constrained citations, a checker after the fact, mixed and strict mode.

    Example:
      factdesk eval baselines claims examples/claims.jsonl --corpus examples/corpus --out runs/baselines
    """
    from evaluation.ablations.baselines import baselines as measure
    from evaluation.ablations.baselines import markdown

    plan = given.plan()
    with progress(lines=True) as line:
        table = measure(plan, out, claims_done(line, given.name))
    emit(table, as_json, markdown(table).splitlines())


@click.command()
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@json_option()
def compare(a: Path, b: Path, as_json: bool) -> None:
    """Say which differences between two runs on the same claims are more than chance.

    \b
    Paired bootstrap (95 %), and McNemar's exact test for yes and no.
    Example: factdesk eval compare runs/before.json runs/after.json
    """
    from evaluation.ablations.compare import compare as measure
    from evaluation.runs.runfile import read_run

    found = measure(read_run(a), read_run(b))
    emit(found, as_json, _differences(found))


def _differences(found: Comparison) -> Iterator[str]:
    yield f"{found.n} claims in both; {found.only_a} only in the first, {found.only_b} only in the second"
    for line in found.differing:
        yield f"  {line}"
    for test in found.tests:
        if test.difference is None:
            yield f"{test.measure:20} not defined in both"
            continue
        p = "" if test.p is None else f"  only first {test.only_a}, only second {test.only_b}, p {test.p:.4f}"
        mark = "  SIGNIFICANT" if test.significant else ""
        yield (
            f"{test.measure:20} {_number(test.a)} -> {_number(test.b)}  difference {test.difference:+.4f} "
            f"({_number(test.low)} to {_number(test.high)}){p}{mark}"
        )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


COMMANDS: tuple[click.Command, ...] = (ablate, baselines, compare)
