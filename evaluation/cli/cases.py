"""``factdesk eval cases``: small cases with documents of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, check_options
from factdesk.cli.output import emit, json_option

if TYPE_CHECKING:
    from evaluation.runs.cases import CaseOutcome, CasesReport


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@check_options(without=(*CLAIM_FLAGS, "as_of", "corpus"))
@click.option("--kind", "kinds", multiple=True, help="Only cases of this kind; may be repeated.")
@click.option("--id", "ids", multiple=True, help="Only this case; may be repeated.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="So many worker processes.")
@click.option(
    "--score-cache/--no-score-cache",
    default=False,
    show_default=True,
    help="Take scores that earlier checks kept.",
)
@json_option("Print the figures and every outcome as JSON.")
def cases(
    file: Path,
    kinds: tuple[str, ...],
    ids: tuple[str, ...],
    jobs: int,
    score_cache: bool,
    flags: CheckFlags,
    as_json: bool,
) -> None:
    """Check cases (JSON Lines: id, kind, documents with name and text, claim, accepted verdicts).

    \b
    Each claim is held against its own documents. wrong: decided, and not accepted; false_conflict:
    conflicting, and not accepted; missed: left open where only a decision is accepted.
    Example: factdesk eval cases cases.jsonl --kind "a state that ended"
    """
    from evaluation.runs.cases import evaluate_cases, read_cases

    def done(outcome: CaseOutcome) -> None:
        mark = f"  <- {outcome.mistake}" if outcome.mistake else ""
        refused = f"  refused: {outcome.error}" if outcome.error else ""
        click.echo(f"{outcome.id}  {outcome.kind}: {outcome.verdict}{refused}{mark}", err=True)

    settings = flags.settings(score_cache=score_cache)
    found = evaluate_cases(settings, read_cases(file, kinds, ids), jobs=jobs, done=done)
    emit(found, as_json, _lines(found))


def _lines(found: CasesReport) -> Iterator[str]:
    for name, value in found.model_dump(exclude={"outcomes", "by_kind"}).items():
        yield f"{name:16} {value}"
    for kind, figures in found.by_kind.items():
        if figures.wrong or figures.false_conflict or figures.missed:
            yield (
                f"{kind}: n {figures.n}  wrong {figures.wrong}  false_conflict {figures.false_conflict}  "
                f"missed {figures.missed}"
            )


COMMANDS: tuple[click.Command, ...] = (cases,)
