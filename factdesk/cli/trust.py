"""``factdesk trust rank | show | explain | seed | import``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from annotated_types import Ge, Lt

from factdesk.cli.options import ARGUMENT, Engine, Group, NewFile, Workers, executor_of
from factdesk.cli.output import Outcome, progress, said, tell
from factdesk.settings import load_settings

if TYPE_CHECKING:
    from factdesk.corpus_trust.ranking import TrustDesk
    from factdesk.parallel.stages import Executor
    from trust.claim_graph import Ranking
    from trust.types import DocumentFacts, RankOptions


@click.group(cls=Group)
def trust() -> None:
    """See and steer which documents of a corpus deserve belief, and why."""


def _desk(corpus: str, executor: Executor | None = None) -> TrustDesk:
    from factdesk.corpora.stored import Corpora
    from factdesk.corpus_trust.open import desk_of

    settings = load_settings()
    name, documents, _ = Corpora(settings).resolve(corpus)
    return desk_of(settings, name, documents, executor)


CorpusName = Annotated[str, "--corpus", "Stored corpus by name, or a file or folder."]
Variants = Annotated[
    tuple[str, ...],
    "--variant",
    "independence, coverage, confidence, restart, strongest, publisher, decay or published; may be repeated "
    "(default: independence and coverage).",
]
Alpha = Annotated[float | None, Ge(0), Lt(1), "How much relations count against the starting value (default 0.85)."]
OfPublishers = Annotated[bool, "--publisher", "NAMES are publishers, not documents."]


def _options(variants: tuple[str, ...], alpha: float | None) -> RankOptions:
    from trust.types import options_of

    options = load_settings().claimrank
    if variants:
        options = options_of([v for v in variants if v != "published"], options.alpha)
    return options if alpha is None else options.model_copy(update={"alpha": alpha})


def _ranked(corpus: str, variants: tuple[str, ...], alpha: float | None) -> tuple[TrustDesk, Ranking]:
    desk = _desk(corpus)
    return desk, desk.rank(_options(variants, alpha))


def _row(found: Ranking, rank: int, facts: DocumentFacts, score: float) -> dict[str, Any]:
    return {
        "rank": rank,
        "doc_id": facts.doc_id,
        "score": round(score, 6),
        "cluster": facts.cluster,
        "connected": facts.doc_id in found.connected,
        "seed": facts.doc_id in found.seeds,
    }


@trust.command()
def rank(
    corpus: Annotated[str, ARGUMENT] = "default",
    variants: Variants = (),
    alpha: Alpha = None,
    limit: Annotated[int, Ge(1), "So many documents."] = 20,
    overall: Annotated[int | None, "--pairs", Ge(0), "At most so many pairs are scored."] = None,
    update: Annotated[bool, "First draw and relate what is new in the corpus."] = True,
    engine: Engine = "local",
    workers: Workers = None,
) -> Outcome:
    """Rank the documents of CORPUS (name or path) by trust; what is new in it is drawn and related first.

    \b
    Example: factdesk trust rank examples/corpus/local --limit 10
    """
    with executor_of(engine, workers) as executor, progress(lines=True) as line:
        desk = _desk(corpus, executor)
        built = desk.update(overall=overall, progress=line.count) if update else None
    found = desk.rank(_options(variants, alpha))
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
        "ranking": [_row(found, *ranked) for ranked in found.order()[:limit]],
    }
    return Outcome(data, said("trust.ranked", found, limit))


@trust.command()
def show(doc_id: str, corpus: CorpusName = "default", variants: Variants = (), alpha: Alpha = None) -> Outcome:
    """Show score, rank, cluster and claims of a document."""
    desk, found = _ranked(corpus, variants, alpha)
    row = next(((r, f, s) for r, f, s in found.order() if f.doc_id == doc_id), None)
    if row is None:
        raise click.UsageError(f"corpus {corpus!r} has no document {doc_id!r}; factdesk corpus search")
    graph, cluster = desk.graph, row[1].cluster
    alike = [f.doc_id for f in graph.documents if f.cluster == cluster and f.doc_id != doc_id]
    claims = [c for c in graph.claims.values() if c.doc_id == doc_id]
    data = {**_row(found, *row), "documents": len(graph.documents), "copies": alike, "claims": claims}
    return Outcome(data, said("trust.document", {**data, "score": row[2]}))


@trust.command()
def explain(doc_id: str, corpus: CorpusName = "default", variants: Variants = (), alpha: Alpha = None) -> Outcome:
    """Say which claims of which documents raised or lowered a document's trust."""
    desk, found = _ranked(corpus, variants, alpha)
    raised, lowered = desk.graph.explain(doc_id, found)
    score = found.scores[doc_id]
    data = {"doc_id": doc_id, "score": round(score, 6), "raised": raised, "lowered": lowered}
    return Outcome(data, said("trust.voices", {**data, "score": score}, desk.graph.claims))


@trust.command("draw")
def draw_(
    out: Annotated[NewFile, "--out", "File: .svg, .png or .pdf."],
    corpus: Annotated[str, ARGUMENT] = "default",
    variants: Variants = (),
    alpha: Alpha = None,
    limit: Annotated[int, Ge(2), "So many documents."] = 80,
) -> None:
    """Draw the graph of CORPUS as ``trust rank`` left it (extra ``plot``): who supports and refutes whom.

    \b
    Example: factdesk trust draw news --out trust.svg
    """
    if out.suffix.lower() not in {".svg", ".png", ".pdf"}:
        raise click.UsageError(f"{out.name!r} ends in none of .svg, .png, .pdf")
    desk, found = _ranked(corpus, variants, alpha)
    desk.graph.plot(found, limit=limit).savefig(out)
    tell(f"written to {out}")


@trust.group()
def seed() -> None:
    """Name documents or publishers that you trust."""


@seed.command("add")
def seed_add(names: tuple[str, ...], publisher: OfPublishers = False, corpus: CorpusName = "default") -> None:
    """Name documents (or publishers) as trusted: their score starts at 1."""
    desk = _desk(corpus)
    desk.add_seeds("publisher" if publisher else "document", names)
    click.echo(f"{corpus}: {len(desk.named_seeds())} named, {len(desk.seeds())} trusted document(s)")


@seed.command("remove")
def seed_remove(names: tuple[str, ...], publisher: OfPublishers = False, corpus: CorpusName = "default") -> None:
    """No longer name documents (or publishers) as trusted."""
    gone = _desk(corpus).remove_seeds("publisher" if publisher else "document", names)
    click.echo(f"{gone} removed")


@seed.command("list")
def seed_list(corpus: CorpusName = "default") -> Outcome:
    """List what is named as trusted."""
    named = _desk(corpus).named_seeds()
    rows = [{"kind": kind, "name": name} for kind, name in named]
    return Outcome(rows, (f"{kind}  {name}" for kind, name in named))


@trust.command("import")
def import_(
    table: Annotated[Path, click.Path(path_type=Path, exists=True, dir_okay=False)], corpus: CorpusName = "default"
) -> None:
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
