"""``factdesk corpus add | list | remove | search``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import DAY, engine_options, executor_of
from factdesk.cli.options import choices
from factdesk.cli.output import emit, json_option, progress, tell
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from evidence.types import AddResult, CorpusInfo, Hit
    from factdesk.corpora.stored import Corpora
    from factdesk.parallel.stages import Executor


@click.group()
def corpus() -> None:
    """Keep the documents that claims are checked against."""


def _corpora(executor: Executor | None = None) -> Corpora:
    from factdesk.corpora.stored import Corpora

    return Corpora(load_settings(), executor)


@corpus.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--name", default="default", show_default=True, help="Corpus to add to.")
@engine_options
@json_option("Print the outcome as JSON.")
def add(paths: tuple[str, ...], name: str, engine: str, workers: int | None, as_json: bool) -> None:
    """Add files, folders and web pages to a corpus; adding them again changes nothing.

    \b
    Text, Markdown, HTML, PDF, Word, OpenDocument, EPUB, tables, mails, subtitles, JSON: docs/documents.md.

    Examples:
      factdesk corpus add articles/ report.docx --name news
      factdesk corpus add https://www.example.org/story --name news
    """
    with executor_of(engine, workers) as executor, progress(quiet=as_json) as line:
        outcome = _corpora(executor).add(
            name, paths, progress=lambda done, total: line.count("embedding sentence", done, total)
        )
    emit(outcome, as_json, _added(name, outcome))


def _added(name: str, outcome: AddResult) -> Iterator[str]:
    yield f"{name}: {outcome.added} added, {outcome.replaced} replaced, {outcome.unchanged} unchanged"
    for path, why in outcome.skipped:
        tell(f"  skipped {path}: {why}")
    for path, why in outcome.notes:
        tell(f"  {path}: {why}")


@corpus.command("list")
@json_option()
def list_(as_json: bool) -> None:
    """List the stored corpora."""
    found = _corpora().list()
    emit(found, as_json, _listed(found))


def _listed(found: Sequence[CorpusInfo]) -> Iterator[str]:
    if not found:
        yield "no corpus yet; make one with: factdesk corpus add PATH --name NAME"
    for info in found:
        yield f"{info.name}: {info.documents} documents, {info.spans} sentences, changed {info.updated[:19]} UTC"


@corpus.command()
@click.argument("name")
@click.argument("doc_ids", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask before removing a whole corpus.")
def remove(name: str, doc_ids: tuple[str, ...], yes: bool) -> None:
    """Remove documents of corpus NAME, or all of it when no DOC_IDS are given. Certificates stay."""
    if not doc_ids and not yes:
        click.confirm(f"Remove the whole corpus {name!r}?", abort=True, err=True)
    click.echo(f"{_corpora().remove(name, doc_ids)} document(s) removed")


@corpus.command()
@click.argument("query")
@click.option(
    "--name", "names", multiple=True, default=("default",), show_default=True, help="Corpus or path; may be repeated."
)
@click.option("--limit", type=click.IntRange(1, 100), default=8, show_default=True)
@click.option(
    "--retriever",
    type=click.Choice([name for name in choices("retriever") if name != "none"]),
    default="hybrid",
    show_default=True,
)
@click.option("--from", "published_from", type=DAY, help="Published on this day or later.")
@click.option("--to", "published_to", type=DAY, help="Published on this day or earlier.")
@click.option("--domain", "domains", multiple=True, help="Only from this domain or publisher.")
@json_option("Print as JSON, scores included.")
def search(
    query: str,
    names: tuple[str, ...],
    limit: int,
    retriever: str,
    published_from: date | None,
    published_to: date | None,
    domains: tuple[str, ...],
    as_json: bool,
) -> None:
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
    emit(hits, as_json, _hits(hits))


def _hits(hits: Sequence[Hit]) -> Iterator[str]:
    from report.sanitize import foreign

    for hit in hits:
        scores = "  ".join(f"{k} {v:.3f}" for k, v in hit.scores if v is not None)
        yield f"{hit.rank}. {foreign(hit.span.text)}"
        yield f"   {hit.span.doc_id} [{hit.span.start}:{hit.span.end}]  {scores}"
