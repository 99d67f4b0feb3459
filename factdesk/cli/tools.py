"""``factdesk demo``, ``doctor``, ``explain``, and ``init``: a settings file with the desk's source list."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import ARGUMENT, Command
from factdesk.cli.output import Outcome, asked_for_json, progress, said, tell
from factdesk.kernel import InputError
from factdesk.settings import CONFIG_FILE, load_settings


@click.command(cls=Command)
def demo() -> Outcome | None:
    """Check a few shipped example claims, with and without an image, against the shipped articles."""
    from factdesk.demo import run_demo

    with progress() as line:
        reports = run_demo(load_settings(), line.step)
    if asked_for_json():
        return Outcome([report.json() for report in reports], ())
    for report in reports:
        report.print(sys.stdout)
        click.echo()
    tell("These checks stand in your history now: factdesk history list")
    return None


@click.command(cls=Command)
def doctor(fix: Annotated[bool, "First make again what can be: search indexes, caches."] = False) -> Outcome:
    """Say which parts are present and work, and how to mend those that do not."""
    from factdesk import repair
    from factdesk.doctor import diagnose

    settings = load_settings()
    fixed = repair.fix(settings) if fix else ()
    found = diagnose(settings)
    data = {**found.model_dump(mode="json"), **({"fixed": fixed} if fix else {})}
    return Outcome(data, said("tools.diagnosis", found.checks, fixed), 0 if found.ok else 4)


@click.command(cls=Command)
def explain(
    claim: str,
    evidence: Annotated[str, "--evidence", "The text that should support the claim."],
    context: Annotated[str, "Title or the sentence before, to resolve names."] = "",
    verifier: Annotated[str | None, "Which model verifies (default: the shipped one)."] = None,
) -> Outcome:
    """Show scores, guard findings and the decision for CLAIM against one piece of evidence.

    \b
    Example: factdesk explain "Rents rose by 4 percent." --evidence "Rents climbed 3.2% in May."
    """
    from factdesk.check.explain import explain_pair

    found = explain_pair(claim, evidence, context, load_settings(verifier=verifier))
    return Outcome(found, said("tools.explained", found))


@click.command(cls=Command)
def init(
    sites: Annotated[tuple[str, ...], ARGUMENT] = (),
    corpus: Annotated[str | None, "Offer the sites of this stored corpus, as lines to choose from."] = None,
    least: Annotated[int, "--min-unrated", Ge(1), Le(10), "Independent sources asked for where none is rated."] = 2,
) -> None:
    """Write factdesk.toml into this folder: the SITES that you rate as sources, and what is asked of others.

    \b
    Example: factdesk init reuters.com bbc.co.uk --corpus news
    """
    from evidence.domains import as_domain
    from factdesk.certificates.handout import write_file
    from factdesk.source_list import settings_text, sites_of

    path = Path(CONFIG_FILE)
    if path.exists():
        raise InputError(f"{CONFIG_FILE!r} is there already; change it, or move it away")
    rated = sorted({site for site in map(as_domain, sites) if site})
    offered = sites_of(load_settings(), corpus) if corpus is not None else {}
    write_file(path, settings_text(rated, offered, least=least).encode())
    tell(f"written: {path} with {len(rated)} rated and {len(set(offered) - set(rated))} offered site(s)")
