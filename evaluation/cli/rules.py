"""``factdesk eval rules``: what each rule of the guard changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.output import emit, json_option, progress

if TYPE_CHECKING:
    from evaluation.runs.rules import RulesReport


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--corpus",
    type=click.Path(path_type=Path, exists=True),
    help="Texts for files of claims (default: the folder `corpus` beside each).",
)
@click.option("--verifier", help="Which model (default: the shipped one).")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many of each file.")
@json_option("Print the figures, with the claims, as JSON.")
def rules(files: tuple[Path, ...], corpus: Path | None, verifier: str | None, limit: int | None, as_json: bool) -> None:
    """Show for each rule of the guard how often it fires and which verdicts it alone changes.

    FILES are labelled pairs (premise, hypothesis, label) or labelled claims (claim, label) with their texts.

    \b
    Example: factdesk eval rules tests/data/unseen/claims.jsonl dev.jsonl.gz --limit 100
    """
    from evaluation.runs.rules import measure_rules
    from factdesk.settings import load_settings

    settings = load_settings(verifier=verifier)
    with progress(lines=True) as line:
        found = measure_rules(
            files, settings, corpus=corpus, limit=limit, done=lambda _, n, all_: line.count("rules", n, all_)
        )
    emit(found, as_json, _lines(found))


def _lines(found: RulesReport) -> Iterator[str]:
    """The figures, one rule a line."""
    yield f"{found.right} of {found.n} verdicts are right under all rules."
    yield "Verdicts that a rule alone makes right, wrong, or wrong in another way:\n"
    yield f"{'rule':24} {'fired':>6} {'right':>6} {'wrong':>6} {'other':>6}"
    for rule in found.rules:
        counts = (rule.fired, len(rule.right), len(rule.wrong), len(rule.other))
        yield f"{rule.id:24} " + " ".join(f"{n:>6}" for n in counts)


COMMANDS: tuple[click.Command, ...] = (rules,)
