"""``factdesk corpus add | list | remove | search``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import DAY, emit_json
from factdesk.cli.engines import engine_options, executor_of


@click.group()
def corpus() -> None:
    """Keep the documents that claims are checked against."""


def _desk(executor: Any = None) -> Any:
    from factdesk.corpora.stored import Corpora
    from factdesk.settings import load_settings

    return Corpora(load_settings(), executor)


@corpus.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--name", default="default", show_default=True, help="Corpus to add to.")
@engine_options
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def add(paths: tuple[Path, ...], name: str, engine: str, workers: int | None, as_json: bool) -> None:
    """Add files and folders (.txt, .md, .html, .pdf, .jsonl); adding them again changes nothing.

    \b
    Example: factdesk corpus add articles/ report.pdf --name news
    """
    with executor_of(engine, workers) as executor:
        outcome = _desk(executor).add(name, paths, progress=_bar(as_json))
    if as_json:
        emit_json(outcome.model_dump(mode="json"))
        return
    click.echo(f"{name}: {outcome.added} added, {outcome.replaced} replaced, {outcome.unchanged} unchanged")
    for path, why in (*outcome.skipped, *outcome.notes):
        click.echo(f"  skipped {path}: {why}", err=True)


def _bar(quiet: bool) -> Any:
    if quiet or not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True)

    def show(done: int, total: int) -> None:
        console.print(f"embedding sentence {done} of {total}", end="\r")

    return show


@corpus.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_(as_json: bool) -> None:
    """List the stored corpora."""
    found = _desk().list()
    if as_json:
        emit_json([info.model_dump(mode="json") for info in found])
        return
    if not found:
        click.echo("no corpus yet; make one with: factdesk corpus add PATH --name NAME")
    for info in found:
        click.echo(f"{info.name}: {info.documents} documents, {info.spans} sentences, changed {info.updated}")


@corpus.command()
@click.argument("name")
@click.argument("doc_ids", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask before removing a whole corpus.")
def remove(name: str, doc_ids: tuple[str, ...], yes: bool) -> None:
    """Remove documents of corpus NAME, or all of it when no DOC_IDS are given. Certificates stay."""
    if not doc_ids and not yes:
        click.confirm(f"Remove the whole corpus {name!r}?", abort=True, err=True)
    click.echo(f"{_desk().remove(name, doc_ids)} document(s) removed")


@corpus.command()
@click.argument("query")
@click.option(
    "--name",
    "names",
    multiple=True,
    default=("default",),
    show_default=True,
    help="Corpus or path; may be repeated.",
)
@click.option("--limit", type=click.IntRange(1, 100), default=8, show_default=True)
@click.option(
    "--retriever",
    type=click.Choice(["hybrid", "bm25", "dense", "semantic", "community", "both", "kaping"]),
    default="hybrid",
    show_default=True,
)
@click.option("--from", "published_from", type=DAY, help="Published on this day or later.")
@click.option("--to", "published_to", type=DAY, help="Published on this day or earlier.")
@click.option("--domain", "domains", multiple=True, help="Only from this domain or publisher.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, scores included.")
def search(
    query: str, names: tuple[str, ...], limit: int, retriever: str, published_from: Any, published_to: Any,
    domains: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Find sentences, best first, with the scores of each stage."""
    from evidence.types import Query

    wanted = Query(
        text=query,
        limit=limit,
        published_from=published_from,
        published_to=published_to,
        only_domains=domains,
    )
    hits = _desk().open(names, retriever).retrieve(wanted)
    if as_json:
        emit_json([hit.model_dump(mode="json") for hit in hits])
        return
    from report.sanitize import foreign

    for hit in hits:
        scores = "  ".join(f"{k} {v:.3f}" for k, v in hit.scores if v is not None)
        click.echo(
            f"{hit.rank}. {foreign(hit.span.text)}\n"
            f"   {hit.span.doc_id} [{hit.span.start}:{hit.span.end}]  {scores}"
        )
