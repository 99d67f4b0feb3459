"""``factdesk calibrate``: what the scores of a verifier mean, from claims of which the truth is known."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.output import emit, json_option, progress

if TYPE_CHECKING:
    from evaluation.runs.calibrate import CalibrationReport
    from evidence.types import Span
    from factdesk.settings import Settings
    from verifier.backends.calibrated import Reader

SENTENCES = 20
"""Looked at for each claim, as a check does."""


@click.command()
@click.argument("verifier")
@click.option(
    "--claims",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Labelled claims, JSON Lines with claim and label (default: the shipped examples).",
)
@click.option(
    "--corpus",
    multiple=True,
    help="Folder or stored corpus that decides them; may be repeated (default: the shipped articles).",
)
@click.option(
    "--risk",
    type=click.FloatRange(0.005, 0.5),
    default=0.05,
    show_default=True,
    help="Most that may be wrong among the certified, by a one-sided 90 % bound.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@json_option("Print the calibration as JSON; writes with --yes alone.")
def calibrate(
    verifier: str,
    claims: Path | None,
    corpus: tuple[str, ...],
    risk: float,
    limit: int | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Fit calibration and thresholds for VERIFIER on labelled claims, and keep them for later checks.

    Shows how much would be certified at which risk before anything is written. Strict mode takes no verifier
    without a calibration.

    \b
    Examples:
      factdesk calibrate crossencoder:models/my-nli --claims ours.jsonl --corpus articles/
      factdesk calibrate llm:ollama:llama3.1 --claims ours.jsonl --corpus articles/ --risk 0.02
    """
    from evaluation.data.claims import read_claims
    from evaluation.runs.calibrate import fit_claims, refuse_few, score_claims
    from factdesk.import_guard import examples_dir
    from factdesk.settings import load_settings

    shipped = examples_dir()
    if claims is not None and not corpus:
        raise click.UsageError("claims of your own need the documents that decide them: --corpus FOLDER")
    settings = _unbounded(load_settings(verifier=verifier))
    reader = _reader(settings)
    search = _search(settings, corpus or (str(shipped / "corpus"),))
    rows = [row for row in read_claims(claims or shipped / "claims.jsonl", limit) if row.image is None]
    refuse_few(rows)
    with progress(lines=True) as line:
        scores = score_claims(rows, reader, search, lambda n, all_: line.count("claims", n, all_))
    report = fit_claims(scores, verifier, risk)
    emit(report, as_json, _lines(report))
    if yes or (not as_json and click.confirm("Keep this calibration?")):
        _write(report, settings)


def _unbounded(settings: Settings) -> Settings:
    """The settings without the bounds of a single check on a language model."""
    llm = settings.llm.model_copy(update={"max_calls": sys.maxsize, "max_seconds": math.inf})
    caps = settings.caps.model_copy(update={"max_tokens": None, "max_seconds": None})
    return settings.model_copy(update={"llm": llm, "caps": caps})


def _reader(settings: Settings) -> Reader:
    """The verifier, with raw scores to calibrate. Raises ``ConfigError`` where it is made of several."""
    from factdesk.check.models import open_verifier
    from factdesk.kernel import ConfigError
    from verifier.backends.calibrated import Reader

    found = open_verifier(settings, strict=False)
    if not isinstance(found, Reader):
        raise ConfigError(f"{settings.verifier!r} is made of several verifiers; calibrate each by itself")
    return found


def _search(settings: Settings, corpora: tuple[str, ...]) -> Callable[[str], list[Span]]:
    from evidence.types import Query
    from factdesk.corpora.stored import Corpora

    opened = Corpora(settings).open(corpora, settings.retriever)
    return lambda text: [hit.span for hit in opened.retrieve(Query(text=text, limit=SENTENCES))]


def _lines(report: CalibrationReport) -> Iterator[str]:
    yield f"{report.n} claims; each judged by what the other half of them fitted.\n"
    yield f"{'':10} {'threshold':>9} {'certified':>9} {'wrong':>6} {'coverage':>9} {'risk at most':>13}"
    for p in report.points:
        yield (
            f"{p.side:10} {p.threshold:>9.2f} {p.certified:>9} {p.wrong:>6} {p.coverage:>9.0%} {p.risk_bound:>13.0%}"
        )
    limits = report.calibration.thresholds
    for side, tau in (("supported", limits.tau_entail), ("refuted", limits.tau_refute)):
        told = f"from {tau} on" if side in report.met else "hardly ever: too few claims show it"
        yield f"\nAt a risk of {report.risk:.0%} a claim is certified as {side} {told}."


def _write(report: CalibrationReport, settings: Settings) -> None:
    from verifier.backends.factory import calibration_folder
    from verifier.calibration.probabilities import write_calibration

    folder = calibration_folder(settings.paths.calibrations, report.verifier)
    folder.mkdir(parents=True, exist_ok=True)
    write_calibration(report.calibration, report.calibration.thresholds, folder)
    click.echo(f"Kept in {folder / 'calibration.json'}", err=True)
