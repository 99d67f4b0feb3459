"""``factdesk trust rank | show | explain | seed | import``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from factdesk.cli.common import NEW_FILE, engine_options, executor_of
from factdesk.cli.output import emit, json_option, progress
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.corpus_trust.ranking import TrustDesk
    from factdesk.parallel.stages import Executor
    from trust.claim_graph import Ranking
    from trust.types import RankOptions


@click.group("trust")
def trust() -> None:
    """See and steer which documents of a corpus deserve belief, and why."""


def _desk(corpus: str, executor: Executor | None = None) -> TrustDesk:
    from factdesk.corpora.stored import Corpora
    from factdesk.corpus_trust.open import desk_of

    settings = load_settings()
    name, documents, _ = Corpora(settings).resolve(corpus)
    return desk_of(settings, name, documents, executor)


CORPUS = click.option(
    "--corpus", default="default", show_default=True, help="Stored corpus by name, or a file or folder."
)
VARIANT = click.option(
    "--variant",
    "variants",
    multiple=True,
    help="independence, coverage, confidence, restart, strongest, publisher, decay or published; may be "
    "repeated (default: independence and coverage).",
)

ALPHA = click.option(
    "--alpha",
    type=click.FloatRange(0, 1, max_open=True),
    help="How much relations count against the starting value (default 0.85).",
)


def _options(variants: tuple[str, ...], alpha: float | None) -> RankOptions:
    from trust.types import options_of

    options = load_settings().claimrank
    if variants:
        options = options_of([v for v in variants if v != "published"], options.alpha)
    return options if alpha is None else options.model_copy(update={"alpha": alpha})


@trust.command()
@click.argument("corpus", default="default")
@VARIANT
@ALPHA
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="So many documents.")
@click.option("--pairs", "overall", type=click.IntRange(min=0), help="At most so many pairs are scored.")
@click.option("--update/--no-update", default=True, help="First draw and relate what is new in the corpus.")
@engine_options
@json_option()
def rank(
    corpus: str,
    variants: tuple[str, ...],
    alpha: float | None,
    limit: int,
    overall: int | None,
    update: bool,
    engine: str,
    workers: int | None,
    as_json: bool,
) -> None:
    """Rank the documents of CORPUS (name or path) by trust; what is new in it is drawn and related first.

    \b
    Example: factdesk trust rank examples/corpus/local --limit 10
    """
    with executor_of(engine, workers) as executor, progress(lines=True) as line:
        desk = _desk(corpus, executor)
        built = desk.update(overall=overall, progress=line.count) if update else None
    found = desk.rank(_options(variants, alpha))
    rows = found.order()[:limit]
    data = {
        "corpus": corpus,
        "documents": len(found.documents),
        "connected": len(found.connected),
        "iterations": found.result.iterations,
        "converged": found.result.converged,
        "residual": found.result.residual,
        "options": found.options,
        "seeds": sorted(found.seeds),
        "built": built,
        "ranking": [
            {
                "rank": rank,
                "doc_id": facts.doc_id,
                "score": round(score, 6),
                "cluster": facts.cluster,
                "connected": facts.doc_id in found.connected,
                "seed": facts.doc_id in found.seeds,
            }
            for rank, facts, score in rows
        ],
    }
    emit(data, as_json, _ranked(found, limit))


def _ranked(found: Ranking, limit: int) -> Iterator[str]:
    from report.sanitize import foreign

    for number, facts, score in found.order()[:limit]:
        marks = " seed" if facts.doc_id in found.seeds else ""
        marks += f" copy of {facts.cluster}" if facts.cluster != facts.doc_id else ""
        yield f"{number:4}  {score:.3f}  {facts.doc_id}  {foreign(facts.title)[:70]}{marks}"
    click.echo(f"{len(found.connected)} of {len(found.documents)} documents are connected", err=True)
    click.echo(
        f"alpha {found.options.alpha}, {found.result.iterations} iterations, "
        f"{'converged' if found.result.converged else 'NOT converged'}",
        err=True,
    )


@trust.command()
@click.argument("doc_id")
@CORPUS
@VARIANT
@ALPHA
@json_option()
def show(doc_id: str, corpus: str, variants: tuple[str, ...], alpha: float | None, as_json: bool) -> None:
    """Show score, rank, cluster and claims of a document."""
    from report.sanitize import foreign

    desk = _desk(corpus)
    found = desk.rank(_options(variants, alpha))
    row = next(((r, f, s) for r, f, s in found.order() if f.doc_id == doc_id), None)
    if row is None:
        raise click.UsageError(f"corpus {corpus!r} has no document {doc_id!r}; factdesk corpus search")
    number, facts, score = row
    graph = desk.graph
    alike = [f.doc_id for f in graph.documents if f.cluster == facts.cluster and f.doc_id != doc_id]
    claims = [c for c in graph.claims.values() if c.doc_id == doc_id]

    def lines() -> Iterator[str]:
        yield f"{doc_id}: trust {score:.3f}, rank {number} of {len(graph.documents)}"
        if doc_id not in found.connected:
            yield "no other document speaks about the same facts"
        if alike:
            yield f"one witness with {', '.join(alike)} (earliest: {facts.cluster})"
        for claim in claims:
            yield f"  [{claim.start}:{claim.end}] {foreign(claim.text)}"

    data = {
        "doc_id": doc_id,
        "score": round(score, 6),
        "rank": number,
        "documents": len(graph.documents),
        "seed": doc_id in found.seeds,
        "connected": doc_id in found.connected,
        "cluster": facts.cluster,
        "copies": alike,
        "claims": claims,
    }
    emit(data, as_json, lines())


@trust.command()
@click.argument("doc_id")
@CORPUS
@VARIANT
@ALPHA
@json_option()
def explain(doc_id: str, corpus: str, variants: tuple[str, ...], alpha: float | None, as_json: bool) -> None:
    """Say which claims of which documents raised or lowered a document's trust."""
    from report.sanitize import foreign

    desk = _desk(corpus)
    found = desk.rank(_options(variants, alpha))
    raised, lowered = desk.graph.explain(doc_id, found)
    score = found.scores[doc_id]

    def lines() -> Iterator[str]:
        yield f"{doc_id}: trust {score:.3f}"
        claims = desk.graph.claims
        for word, voices in (("raised", raised), ("lowered", lowered)):
            for voice in voices:
                yield f"{word} by {abs(voice.effect):.3f}: {voice.source} (trust {voice.trust:.2f})"
                yield f"    says   {foreign(claims[voice.source_claim].text)}"
                yield f"    about  {foreign(claims[voice.target_claim].text)}"
        if not raised and not lowered:
            yield "no other document speaks about the same facts"

    emit({"doc_id": doc_id, "score": round(score, 6), "raised": raised, "lowered": lowered}, as_json, lines())


@trust.command("draw")
@click.argument("corpus", default="default")
@VARIANT
@ALPHA
@click.option("--limit", type=click.IntRange(min=2), default=80, show_default=True, help="So many documents.")
@click.option("--out", required=True, type=NEW_FILE, help="File: .svg, .png or .pdf.")
def draw_(corpus: str, variants: tuple[str, ...], alpha: float | None, limit: int, out: Path) -> None:
    """Draw the graph of CORPUS as ``trust rank`` left it (extra ``plot``): who supports and refutes whom.

    \b
    Example: factdesk trust draw news --out trust.svg
    """
    if out.suffix.lower() not in {".svg", ".png", ".pdf"}:
        raise click.UsageError(f"{out.name!r} ends in none of .svg, .png, .pdf")
    desk = _desk(corpus)
    figure = desk.graph.plot(desk.rank(_options(variants, alpha)), limit=limit)
    figure.savefig(out)
    click.echo(f"written to {out}", err=True)


@trust.group()
def seed() -> None:
    """Name documents or publishers that you trust."""


KIND = click.option("--publisher", is_flag=True, help="NAMES are publishers, not documents.")


@seed.command("add")
@click.argument("names", nargs=-1, required=True)
@KIND
@CORPUS
def seed_add(names: tuple[str, ...], publisher: bool, corpus: str) -> None:
    """Name documents (or publishers) as trusted: their score starts at 1."""
    desk = _desk(corpus)
    desk.add_seeds("publisher" if publisher else "document", names)
    click.echo(f"{corpus}: {len(desk.named_seeds())} named, {len(desk.seeds())} trusted document(s)")


@seed.command("remove")
@click.argument("names", nargs=-1, required=True)
@KIND
@CORPUS
def seed_remove(names: tuple[str, ...], publisher: bool, corpus: str) -> None:
    """No longer name documents (or publishers) as trusted."""
    gone = _desk(corpus).remove_seeds("publisher" if publisher else "document", names)
    click.echo(f"{gone} removed")


@seed.command("list")
@CORPUS
@json_option()
def seed_list(corpus: str, as_json: bool) -> None:
    """List what is named as trusted."""
    named = _desk(corpus).named_seeds()
    rows = [{"kind": kind, "name": name} for kind, name in named]
    emit(rows, as_json, (f"{kind}  {name}" for kind, name in named))


@trust.command("import")
@click.argument("table", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@CORPUS
def import_(table: Path, corpus: str) -> None:
    """Name the publishers of a CSV table as trusted: column publisher, optionally trusted (yes/no).

    \b
    Example: factdesk trust import publishers.csv --corpus news
    """
    from factdesk.corpus_trust.publisher_table import read_publishers

    trusted, others = read_publishers(table)
    desk = _desk(corpus)
    desk.add_seeds("publisher", trusted)
    gone = desk.remove_seeds("publisher", others)
    click.echo(f"{len(trusted)} publisher(s) named, {gone} removed; {len(desk.seeds())} trusted document(s)")
