"""``factdesk corpus add | list | remove | search``, and ``snapshot``."""

from __future__ import annotations

import sys
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import ARGUMENT, RETRIEVER, Command, Engine, Group, Workers, Yes, executor_of
from factdesk.cli.output import Outcome, progress, said
from factdesk.kernel import InputError
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.corpora.stored import Corpora
    from factdesk.parallel.stages import Executor


@click.group(cls=Group)
def corpus() -> None:
    """Keep the documents that claims are checked against."""


def _corpora(executor: Executor | None = None) -> Corpora:
    from factdesk.corpora.stored import Corpora

    return Corpora(load_settings(), executor)


@corpus.command()
def add(
    paths: tuple[str, ...],
    name: Annotated[str, "Corpus to add to."] = "default",
    engine: Engine = "local",
    workers: Workers = None,
) -> Outcome:
    """Add files, folders and web pages to a corpus; adding them again changes nothing.

    \b
    Text, Markdown, HTML, PDF, Word, OpenDocument, EPUB, tables, mails, subtitles, JSON: docs/documents.md.

    Examples:
      factdesk corpus add articles/ report.docx --name news
      factdesk corpus add https://www.example.org/story --name news
    """
    with executor_of(engine, workers) as executor, progress() as line:
        outcome = _corpora(executor).add(name, paths, progress=partial(line.count, "embedding sentence"))
    return Outcome(outcome, said("corpus.added", name, outcome))


@corpus.command("list")
def list_() -> Outcome:
    """List the stored corpora."""
    found = _corpora().list()
    return Outcome(found, said("corpus.listed", found))


@corpus.command()
def remove(
    name: str,
    doc_ids: Annotated[tuple[str, ...], ARGUMENT] = (),
    yes: Annotated[Yes, "Do not ask before removing a whole corpus."] = False,
) -> None:
    """Remove documents of corpus NAME, or all of it when no DOC_IDS are given. Certificates stay."""
    if not doc_ids and not yes:
        click.confirm(f"Remove the whole corpus {name!r}?", abort=True, err=True)
    click.echo(f"{_corpora().remove(name, doc_ids)} document(s) removed")


@corpus.command()
def search(
    query: str,
    names: Annotated[tuple[str, ...], "--name", "Corpus or path; may be repeated."] = ("default",),
    limit: Annotated[int, Ge(1), Le(100)] = 8,
    retriever: Annotated[str, RETRIEVER] = "hybrid",
    published_from: Annotated[date | None, "--from", "Published on this day or later."] = None,
    published_to: Annotated[date | None, "--to", "Published on this day or earlier."] = None,
    domains: Annotated[tuple[str, ...], "--domain", "Only from this domain or publisher."] = (),
) -> Outcome:
    """Find sentences, best first, with the scores of each stage."""
    from evidence.types import Query

    wanted = Query(
        text=query,
        limit=limit,
        published_from=published_from,
        published_to=published_to,
        only_domains=domains,
    )
    hits = _corpora().open(names, retriever).retrieve(wanted)
    return Outcome(hits, said("corpus.hits", hits))


@click.command(cls=Command)
def snapshot(sha256: str, raw: Annotated[bool, "The bytes as they were fetched, to stdout."] = False) -> Outcome | None:
    """Show the web page with this SHA256 (of its text or bytes) as it was when a certificate cited it."""
    from factdesk.corpora.links import open_snapshots

    found = open_snapshots(load_settings()).find(sha256)
    if not found:
        raise InputError(f"there is no snapshot {sha256!r}; certificates name the hash of each document")
    if len({s.document.sha256 for s in found}) > 1:
        raise InputError(f"{sha256!r} is the beginning of several hashes; give more of it")
    page = found[0]
    if raw:
        sys.stdout.buffer.write(page.body)
        return None
    return Outcome(
        {"body_sha256": page.body_sha256, **page.document.model_dump(mode="json")}, said("corpus.page", page.document)
    )
