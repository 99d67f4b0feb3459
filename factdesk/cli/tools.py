"""``factdesk demo``, ``doctor``, ``explain``, and ``init``: a settings file with the desk's source list."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import ARGUMENT, Command
from factdesk.cli.output import Outcome, asked_for_json, progress, said, tell
from factdesk.kernel import InputError, write_file
from factdesk.settings import CONFIG_FILE, Settings, load_settings

SHOWN = ("c44", "c39", "c06")
"""Examples: a supported claim, one that comes with a picture and is refuted, and one without enough evidence."""


@click.command(cls=Command)
def demo() -> Outcome | None:
    """Check a few shipped example claims, with and without an image, against the shipped articles."""
    from factdesk.checker import FactChecker
    from factdesk.import_guard import examples_dir

    folder, checker = examples_dir(), FactChecker(load_settings())
    rows = {row["id"]: row for row in map(json.loads, (folder / "claims.jsonl").read_text("utf-8").splitlines())}
    reports = []
    with progress() as line:
        for row in map(rows.__getitem__, SHOWN):
            images = [folder / row["image"]] if row.get("image") else []
            corpus = (str(folder / "corpus"),)
            reports.append(checker.check(row["claim"], images=images, corpus=corpus, progress=line.step))
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

    path = Path(CONFIG_FILE)
    if path.exists():
        raise InputError(f"{CONFIG_FILE!r} is there already; change it, or move it away")
    rated = sorted({site for site in map(as_domain, sites) if site})
    offered = sites_of(load_settings(), corpus) if corpus is not None else {}
    write_file(path, [settings_text(rated, offered, least=least).encode()])
    tell(f"written: {path} with {len(rated)} rated and {len(set(offered) - set(rated))} offered site(s)")


def sites_of(settings: Settings, corpus: str) -> Mapping[str, int]:
    """The sites of a stored corpus, each with the number of its documents, most first. Raises ``InputError``."""
    from evidence.domains import host_of
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    store = SqlDocumentStore(open_engine(settings.store))
    if all(info.name != corpus for info in store.list_corpora()):
        raise InputError(f"there is no corpus {corpus!r}; factdesk corpus list shows them")
    found = Counter(host_of(d.url).removeprefix("www.") for d in store.iter_documents(corpus) if d.url)
    return dict(sorted(((site, n) for site, n in found.items() if site), key=lambda item: (-item[1], item[0])))


def settings_text(rated: Sequence[str], offered: Mapping[str, int], *, least: int) -> str:
    """The text of the file: rated sites, those offered as comments, and ``min_unrated``."""
    quoted = {site: json.dumps(site, ensure_ascii=False) for site in (*rated, *offered)}
    others = {quoted[site]: number for site, number in offered.items() if site not in rated}
    return "\n".join(said("tools.settings", [quoted[site] for site in rated], others, least)) + "\n"
