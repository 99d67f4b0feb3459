"""``factdesk graph build | show | import | stats | paths``."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click
from annotated_types import Ge

from factdesk.cli.options import Group
from factdesk.cli.output import Outcome, asked_for_json, foreign, progress, said
from factdesk.kernel import InputError
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.corpora.graphs import Graphs


@click.group(cls=Group)
def graph() -> None:
    """The knowledge graph of a corpus: triples with the sentences they stand in."""


def _graphs() -> Graphs:
    from factdesk.corpora.graphs import Graphs
    from factdesk.corpora.stored import Corpora

    settings = load_settings()
    return Graphs(settings, Corpora(settings))


@graph.command()
def build(
    corpus: str,
    extractor: Annotated[str, "rules, or rebel:PATH_OR_ID."] = "rules",
    anew: Annotated[bool, "Parse all documents again."] = False,
) -> Outcome:
    """Build the graph of CORPUS (name or path), or bring it in step: only what changed is parsed.

    \b
    Example: factdesk graph build examples/corpus
    """
    with progress() as line:
        outcome = _graphs().build(corpus, extractor, partial(line.count, "parsing document"), anew=anew)
    return Outcome(outcome, said("graph.summary", outcome))


@graph.command("import")
def import_(
    corpus: str,
    file: Path,
    format_: Annotated[Literal["tsv", "nt", "wikidata"] | None, "--format", "Default: by the name."] = None,
    source: Annotated[str | None, "Name of the graph it comes from (default: the file's name)."] = None,
) -> Outcome:
    """Add triples from FILE to CORPUS: TSV, N-Triples or Wikidata JSON. Each becomes a sentence.

    \b
    Example: factdesk graph import world countries.tsv
    """
    outcome = _graphs().import_file(corpus, file, format_, source)
    return Outcome(outcome, said("graph.summary", outcome))


@graph.command()
def show(
    corpus: str,
    entity: Annotated[str | None, "Only triples of this entity, by name or id."] = None,
    limit: Annotated[int, Ge(1)] = 20,
) -> Outcome:
    """Show the triples of CORPUS, or those of one entity."""
    found = _graphs().open(corpus)
    edges = found.edges
    if entity is not None:
        wanted = found.find(entity)
        if wanted is None:
            raise InputError(f"the graph has no entity {entity!r}")
        edges = found.edges_of.get(wanted.entity_id, ())
        if not asked_for_json():
            click.echo(foreign(f"{wanted.name} [{wanted.kind}] {wanted.entity_id} {wanted.description}".strip()))
    return Outcome(edges[:limit], said("graph.edges", found, edges, limit))


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
def stats(
    corpus: str,
    claims: Annotated[
        tuple[Path, ...], "JSON Lines with claims: also what each delta gives them (Table 5 of CommunityKG-RAG)."
    ] = (),
    limit: Annotated[int | None, Ge(1), "Only the first so many claims of each file."] = None,
) -> Outcome:
    """Figures of the graph of CORPUS: nodes, edges, communities, modularity."""
    texts = [text for file in claims for text in _claim_texts(file, limit)]
    found = _graphs().stats(corpus, texts)
    return Outcome(found, said("graph.figures", found))


@graph.command()
def paths(corpus: str, names: tuple[str, ...]) -> Outcome:
    """Show how two or more entities of CORPUS are connected: at most four paths of three hops.

    \b
    Example: factdesk graph paths examples/corpus "Samir Oakes" "Corrin Build"
    """
    found = _graphs().paths(corpus, names)
    return Outcome(found, said("graph.paths", found))
