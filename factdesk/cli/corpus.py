"""``factdesk corpus add | list | remove | search``, and ``snapshot``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

import click
from annotated_types import Ge, Le

from factdesk.cli.options import ARGUMENT, RETRIEVER, Command, Group, Yes
from factdesk.cli.output import Outcome, foreign, progress, tell
from factdesk.cli.process import Engine, Workers, executor_of
from factdesk.kernel import InputError
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from evidence.types import AddResult, CorpusInfo, Hit
    from factdesk.corpora.stored import Corpora
    from factdesk.parallel.stages import Executor
    from store.snapshots import Snapshot


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
        outcome = _corpora(executor).add(
            name, paths, progress=lambda done, total: line.count("embedding sentence", done, total)
        )
    return Outcome(outcome, _added(name, outcome))


def _added(name: str, outcome: AddResult) -> Iterator[str]:
    yield f"{name}: {outcome.added} added, {outcome.replaced} replaced, {outcome.unchanged} unchanged"
    for path, why in outcome.skipped:
        tell(f"  skipped {path}: {why}")
    for path, why in outcome.notes:
        tell(f"  {path}: {why}")


@corpus.command("list")
def list_() -> Outcome:
    """List the stored corpora."""
    found = _corpora().list()
    return Outcome(found, _listed(found))


def _listed(found: Sequence[CorpusInfo]) -> Iterator[str]:
    if not found:
        yield "no corpus yet; make one with: factdesk corpus add PATH --name NAME"
    for info in found:
        yield f"{info.name}: {info.documents} documents, {info.spans} sentences, changed {info.updated[:19]} UTC"


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
    return Outcome(hits, _hits(hits))


def _hits(hits: Sequence[Hit]) -> Iterator[str]:
    for hit in hits:
        scores = "  ".join(f"{k} {v:.3f}" for k, v in hit.scores if v is not None)
        yield f"{hit.rank}. {foreign(hit.span.text)}"
        yield f"   {hit.span.doc_id} [{hit.span.start}:{hit.span.end}]  {scores}"


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
    return Outcome({"body_sha256": page.body_sha256, **page.document.model_dump(mode="json")}, _page(page))


def _page(page: Snapshot) -> Iterator[str]:
    from report.sanitize import escaped

    d = page.document
    yield f"{escaped(d.title)}\n{escaped(d.url or '')}\npublished {d.published}, read {d.retrieved}\n"
    for line in d.text.split("\n"):
        yield escaped(line)
