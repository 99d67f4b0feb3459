"""``factdesk graph build | show | import | stats | paths``."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import emit_json
from factdesk.kernel import InputError


@click.group()
def graph() -> None:
    """The knowledge graph of a corpus: triples with the sentences they stand in."""


def _graphs() -> Any:
    from factdesk.corpora.graphs import Graphs
    from factdesk.corpora.stored import Corpora
    from factdesk.settings import load_settings

    settings = load_settings()
    return Graphs(settings, Corpora(settings))


@graph.command()
@click.argument("corpus")
@click.option("--extractor", default="rules", show_default=True, help="rules, or rebel:PATH_OR_ID.")
@click.option("--anew", is_flag=True, help="Parse all documents again.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def build(corpus: str, extractor: str, anew: bool, as_json: bool) -> None:
    """Build the graph of CORPUS (name or path), or bring it in step: only what changed is parsed.

    \b
    Example: factdesk graph build examples/corpus
    """
    outcome = _graphs().build(corpus, extractor, _bar(as_json), anew=anew)
    if as_json:
        emit_json(outcome.model_dump(mode="json"))
        return
    click.echo(_summary(outcome))


def _summary(outcome: Any) -> str:
    return (
        f"{outcome.documents} documents ({outcome.parsed} parsed, {outcome.removed} removed), "
        f"{outcome.triples} triples, {outcome.entities} entities ({outcome.merged} names merged)"
    )


def _bar(quiet: bool) -> Any:
    if quiet or not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True)
    return lambda done, total: console.print(f"parsing document {done} of {total}", end="\r")


@graph.command("import")
@click.argument("corpus")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format", "format_", type=click.Choice(["tsv", "nt", "wikidata"]), help="Default: by the name."
)
@click.option("--source", help="Name of the graph it comes from (default: the file's name).")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def import_(corpus: str, file: Path, format_: str | None, source: str | None, as_json: bool) -> None:
    """Add triples from FILE to CORPUS: TSV, N-Triples or Wikidata JSON. Each becomes a sentence.

    \b
    Example: factdesk graph import world countries.tsv
    """
    outcome = _graphs().import_file(corpus, file, format_, source)
    if as_json:
        emit_json(outcome.model_dump(mode="json"))
        return
    click.echo(_summary(outcome))


@graph.command()
@click.argument("corpus")
@click.option("--entity", help="Only triples of this entity, by name or id.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, sentences' places included.")
def show(corpus: str, entity: str | None, limit: int, as_json: bool) -> None:
    """Show the triples of CORPUS, or those of one entity."""
    from factdesk.kernel import InputError
    from report.sanitize import foreign

    found = _graphs().open(corpus)
    edges = found.edges
    if entity is not None:
        wanted = found.find(entity)
        if wanted is None:
            raise InputError(f"the graph has no entity {entity!r}")
        edges = found.edges_of.get(wanted.entity_id, ())
        if not as_json:
            click.echo(
                foreign(f"{wanted.name} [{wanted.kind}] {wanted.entity_id} {wanted.description}".strip())
            )
    if as_json:
        emit_json([edge.model_dump(mode="json") for edge in edges[:limit]])
        return
    for edge in edges[:limit]:
        triple = edge.triple
        marks = "".join(
            f" [{m}]" for m, on in (("not", triple.negated), ("not certain", triple.hedged)) if on
        ) + (f" [said by {triple.said_by}]" if triple.said_by else "")
        ends = found.entity(edge.subject).name, found.entity(edge.object).name
        place = f"{triple.doc_id} [{triple.start}:{triple.end}]"
        click.echo(foreign(f"({ends[0]}, {triple.relation}, {ends[1]}){marks}  {place}"))
    if len(edges) > limit:
        click.echo(f"… and {len(edges) - limit} more; --limit shows them")


def _claim_texts(file: Path, limit: int | None) -> list[str]:
    """Claims of a JSON Lines file; a line that is none is refused."""
    from factdesk.batch.read import Reader
    from factdesk.batch.types import Bad

    texts: list[str] = []
    with file.open("rb") as stream:
        for item in islice(Reader(file.parent, "", "").read(stream), limit):
            if isinstance(item, Bad):
                raise InputError(f"{str(file)!r}: {item.reason}")
            texts.append(item.text)
    return texts


@graph.command()
@click.argument("corpus")
@click.option(
    "--claims",
    type=click.Path(path_type=Path),
    multiple=True,
    help="JSON Lines with claims: also what each delta gives them (Table 5 of CommunityKG-RAG).",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims of each file.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def stats(corpus: str, claims: tuple[Path, ...], limit: int | None, as_json: bool) -> None:
    """Figures of the graph of CORPUS: nodes, edges, communities, modularity."""
    texts = [text for file in claims for text in _claim_texts(file, limit)]
    found = _graphs().stats(corpus, texts)
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    for name, value in found.model_dump(exclude={"deltas"}).items():
        click.echo(f"{name:12} {value}")
    for row in found.deltas:
        click.echo("  ".join(f"{name} {value}" for name, value in row.model_dump().items()))


@graph.command()
@click.argument("corpus")
@click.argument("names", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, with every sentence's place.")
def paths(corpus: str, names: tuple[str, ...], as_json: bool) -> None:
    """Show how two or more entities of CORPUS are connected: at most four paths of three hops.

    \b
    Example: factdesk graph paths examples/corpus "Samir Oakes" "Corrin Build"
    """
    from report.sanitize import foreign

    found = _graphs().paths(corpus, names)
    if as_json:
        emit_json([path.model_dump(mode="json") for path in found])
        return
    if not found:
        click.echo("no path of three hops or fewer")
    for path in found:
        click.echo(foreign(" - ".join(e.name for e in path.entities)))
        for edge in path.edges:
            triple = edge.triple
            place = f"{triple.doc_id} [{triple.start}:{triple.end}]"
            click.echo(
                foreign(f"  ({triple.subject.text}, {triple.relation}, {triple.object.text})  {place}")
            )
