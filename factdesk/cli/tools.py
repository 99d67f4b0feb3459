"""``factdesk demo``, ``factdesk doctor``, ``factdesk explain``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from factdesk.cli.options import setting_option
from factdesk.cli.output import check_progress, emit, json_option
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.check.explain import Explanation
    from factdesk.doctor import DoctorReport


@click.command()
@json_option("Print the results as JSON.")
def demo(as_json: bool) -> None:
    """Check a few shipped example claims, with and without an image, against the shipped articles."""
    from factdesk.demo import run_demo

    with check_progress(quiet=as_json) as progress:
        reports = run_demo(load_settings(), progress)
    if as_json:
        emit([report.json() for report in reports], as_json)
        return
    for report in reports:
        report.print(sys.stdout)
        click.echo()
    click.echo("These checks stand in your history now: factdesk history list", err=True)


@click.command()
@click.option("--fix", is_flag=True, help="First make again what can be: search indexes, caches.")
@json_option()
def doctor(fix: bool, as_json: bool) -> None:
    """Say which parts are present and work, and how to mend those that do not."""
    from factdesk import repair
    from factdesk.doctor import diagnose

    settings = load_settings()
    fixed = repair.fix(settings) if fix else ()
    found = diagnose(settings)
    data = {**found.model_dump(mode="json"), **({"fixed": fixed} if fix else {})}
    emit(data, as_json, _diagnosis(found, fixed))
    if not found.ok:
        raise click.exceptions.Exit(4)


def _diagnosis(found: DoctorReport, fixed: Sequence[str]) -> Iterator[str]:
    for line in fixed:
        yield f"fixed {line}".replace("fixed not fixed:", "NOT FIXED:", 1)
    for item in found.checks:
        yield f"{item.status:5} {item.name}: {item.detail}"
        if item.mend:
            yield f"      {item.mend}"


@click.command()
@click.argument("claim")
@click.option("--evidence", required=True, help="The text that should support the claim.")
@click.option("--context", default="", help="Title or the sentence before, to resolve names.")
@setting_option("verifier", help="Which model verifies (default: the shipped one).")
@json_option()
def explain(claim: str, evidence: str, context: str, verifier: str | None, as_json: bool) -> None:
    """Show scores, guard findings and the decision for CLAIM against one piece of evidence.

    \b
    Example: factdesk explain "Rents rose by 4 percent." --evidence "Rents climbed 3.2% in May."
    """
    from factdesk.check.explain import explain_pair

    found = explain_pair(claim, evidence, context, load_settings(verifier=verifier))
    emit(found, as_json, _explained(found))


def _explained(found: Explanation) -> Iterator[str]:
    scores = found.assessment.calibrated
    yield (
        f"entailment {scores.entailment:.3f}   neutral {scores.neutral:.3f}   contradiction {scores.contradiction:.3f}"
    )
    for finding in found.assessment.guard.findings:
        yield f"guard ({finding.slot}, {finding.kind}): {finding.message}"
    if found.assessment.counterfactual:
        mended = found.assessment.counterfactual
        yield f"with the passage's detail (no quotation), entailed at {mended.entailment:.3f}: {mended.claim}"
    yield f"decision: {found.decision.state} ({found.decision.rule}): {found.decision.reason}"
