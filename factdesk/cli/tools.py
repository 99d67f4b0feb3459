"""``factdesk demo``, ``factdesk doctor``, ``factdesk explain``."""

from __future__ import annotations

import sys

import click

from factdesk.cli.common import ProgressLine, emit_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def demo(as_json: bool) -> None:
    """Check a few shipped example claims, with and without an image, against the shipped articles."""
    from factdesk.demo import run_demo
    from factdesk.settings import load_settings

    progress = ProgressLine(quiet=as_json)
    reports = run_demo(load_settings(), progress)
    if as_json:
        emit_json([report.json() for report in reports])
        progress.close()
        return
    for report in reports:
        report.print(sys.stdout)
        click.echo()
    progress.close()
    click.echo("These checks stand in your history now: factdesk history list", err=True)


@click.command()
@click.option("--fix", is_flag=True, help="First make again what can be: search indexes, caches.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def doctor(fix: bool, as_json: bool) -> None:
    """Say which parts are present and work, and how to mend those that do not."""
    from factdesk import repair
    from factdesk.doctor import diagnose
    from factdesk.settings import load_settings

    settings = load_settings()
    fixed = repair.fix(settings) if fix else ()
    found = diagnose(settings)
    if as_json:
        emit_json({**found.model_dump(mode="json"), **({"fixed": fixed} if fix else {})})
    else:
        for line in fixed:
            click.echo(f"fixed {line}".replace("fixed not fixed:", "NOT FIXED:", 1))
        for item in found.checks:
            click.echo(f"{item.status:5} {item.name}: {item.detail}")
            if item.mend:
                click.echo(f"      {item.mend}")
    if not found.ok:
        raise click.exceptions.Exit(4)


@click.command()
@click.argument("claim")
@click.option("--evidence", required=True, help="The text that should support the claim.")
@click.option("--context", default="", help="Title or the sentence before, to resolve names.")
@click.option("--verifier", help="Which model verifies (default: the shipped one).")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def explain(claim: str, evidence: str, context: str, verifier: str | None, as_json: bool) -> None:
    """Show scores, guard findings and the decision for CLAIM against one piece of evidence.

    \b
    Example: factdesk explain "Rents rose by 4 percent." --evidence "Rents climbed 3.2% in May."
    """
    from factdesk.check.explain import explain_pair
    from factdesk.settings import load_settings

    found = explain_pair(claim, evidence, context, load_settings(verifier=verifier))
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    scores = found.assessment.calibrated
    click.echo(
        f"entailment {scores.entailment:.3f}   neutral {scores.neutral:.3f}   "
        f"contradiction {scores.contradiction:.3f}"
    )
    for finding in found.assessment.guard.findings:
        click.echo(f"guard ({finding.slot}, {finding.kind}): {finding.message}")
    if found.assessment.counterfactual:
        mended = found.assessment.counterfactual
        click.echo(
            f"with the passage's detail (no quotation), entailed at {mended.entailment:.3f}: {mended.claim}"
        )
    click.echo(f"decision: {found.decision.state} ({found.decision.rule}): {found.decision.reason}")
