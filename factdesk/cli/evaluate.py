"""``factdesk eval claims`` and ``factdesk eval pairs``: measuring."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from factdesk.cli.ask import ask_options
from factdesk.cli.common import check_options, emit_json, settings_from


@click.group("eval")
def evaluate() -> None:
    """Measure checks and verifier on labelled data of your own."""


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path))
@check_options
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims.")
@click.option("--trail", is_flag=True, help="Also rate the proposals, and the tree as a tree.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def claims(file: Path, limit: int | None, trail: bool, as_json: bool, **flags: Any) -> None:
    """Check labelled claims (JSON Lines: claim, label, optional id, date, image) and compare.

    \b
    Example: factdesk eval claims examples/claims.jsonl --corpus examples/corpus
    """
    from factdesk.checker import FactChecker
    from factdesk.evaluation.claims import evaluate_claims
    from factdesk.evaluation.tree_figures import Trails

    trails = Trails()

    def done(outcome: Any, report: Any) -> None:
        if trail:
            trails.add(outcome.label, report.certificate.body)
        mark = "" if outcome.verdict == outcome.label else "  <- differs"
        click.echo(
            f"{outcome.id}  {outcome.label} -> {outcome.verdict}  {outcome.seconds:.2f} s{mark}", err=True
        )

    checker = FactChecker(settings_from(flags))
    found = evaluate_claims(checker, file, limit=limit, done=done)
    more = {"trail": trails.figures(checker.corpora.embedder).model_dump(mode="json")} if trail else {}
    if as_json:
        emit_json({**found.model_dump(mode="json"), **more})
        return
    for name, value in found.model_dump(exclude={"outcomes", "fingerprint", "per_class"}).items():
        click.echo(f"{name:16} {value}")
    for label, figures in found.per_class.items():
        click.echo(
            f"{label:20} precision {figures['precision']:.3f}  recall {figures['recall']:.3f}  "
            f"n {figures['n']:.0f}"
        )
    for part in more.get("trail", {}).values():
        for name, value in part.items():
            click.echo(f"{name:16} {value}")


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path))
@ask_options
@click.option("--sources-file", type=click.Path(path_type=Path), help="Sites for --source, one a line.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many questions.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def questions(file: Path, sources_file: Path | None, limit: int | None, as_json: bool, **flags: Any) -> None:
    """Ask golden questions (JSON Lines: id, question, accept) and look at what would be shown.

    \b
    Example: factdesk eval questions examples/questions.jsonl --corpus examples/corpus \\
               --sources-file examples/sources.txt
    """
    from factdesk.checker import FactChecker
    from factdesk.evaluation.questions import evaluate_questions, read_sources

    if sources_file is not None:
        flags["sources"] = (*flags["sources"], *read_sources(sources_file))

    def done(outcome: Any, _report: Any) -> None:
        said = " / ".join(outcome.shown) or f"- ({', '.join(outcome.rules) or outcome.why_not})"
        mark = "  <- WRONG" if outcome.wrong or outcome.unsupported else ""
        click.echo(f"{outcome.id}  {outcome.seconds:5.2f} s  {said}{mark}", err=True)

    found = evaluate_questions(FactChecker(settings_from(flags)), file, limit=limit, done=done)
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    for name, value in found.model_dump(exclude={"outcomes", "fingerprint"}).items():
        click.echo(f"{name:22} {value}")


@evaluate.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many pairs of each file.")
@click.option("--verifier", help="Which model (default onnx:minilm-fact).")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def pairs(files: tuple[Path, ...], limit: int | None, verifier: str | None, as_json: bool) -> None:
    """Score labelled pairs (JSON Lines: premise, hypothesis, label; .gz allowed).

    \b
    Example: factdesk eval pairs dev.jsonl.gz --limit 500
    """
    from factdesk.evaluation.pairs import evaluate_pairs
    from factdesk.settings import load_settings

    found = evaluate_pairs(files, load_settings(verifier=verifier), limit=limit)
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    for row in found.files:
        click.echo(f"{row.file}")
        for name, value in row.model_dump(exclude={"file"}).items():
            click.echo(f"  {name:20} {value}")


@evaluate.command()
@click.option("--corpus", default="examples/corpus", show_default=True, help="Stored corpus or path.")
@click.option("--texts", "count", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
@click.option("--verifier", help="Which model (default onnx:minilm-fact).")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def annotate(corpus: str, count: int, seed: int, verifier: str | None, as_json: bool) -> None:
    """Annotate texts assembled from true, altered and unsaid statements of a corpus, and compare.

    \b
    Example: factdesk eval annotate --corpus examples/corpus --texts 200
    """
    from factdesk.annotation.desk import AnnotationDesk
    from factdesk.evaluation.annotations import assemble, evaluate_annotations

    desk = AnnotationDesk(settings_from({"corpora": (corpus,), "verifier": verifier}))
    parts = desk.parts
    texts = assemble(parts.graph, desk.sentences(), parts, count, seed)
    found = evaluate_annotations(
        texts, parts, lambda n: click.echo(f"text {n}", err=True) if n % 20 == 0 else None
    )
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    for name, value in found.model_dump(exclude={"labels"}).items():
        click.echo(f"{name:20} {value}")
    for label, figures in found.labels.items():
        click.echo(
            f"{label:20} precision {figures.precision:.3f}  recall {figures.recall:.3f}  f1 {figures.f1:.3f}"
        )


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--corpus", required=True, help="Stored corpus or path.")
@click.option("--retriever", "retrievers", multiple=True, help="Which ones; may be repeated (default all).")
@click.option("--delta", type=click.FloatRange(0, 100, min_open=True))
@click.option("--lam", type=click.FloatRange(0, 100, min_open=True))
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims with gold evidence.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def retrieval(
    file: Path, corpus: str, retrievers: tuple[str, ...], limit: int | None, as_json: bool, **flags: Any
) -> None:
    """Recall of gold evidence at 5 and 20 sentences (JSON Lines: claim, label, gold_evidence).

    \b
    Example: factdesk eval retrieval examples/claims.jsonl --corpus examples/corpus
    """
    from factdesk.evaluation.retrieval import evaluate_retrieval

    chosen = retrievers or ("none", "semantic", "kaping", "hybrid", "community", "both")
    found = evaluate_retrieval(settings_from(flags), corpus, file, chosen, limit)
    if as_json:
        emit_json([row.model_dump(mode="json") for row in found])
        return
    for row in found:
        click.echo(
            f"{row.retriever:10} claims {row.claims}  recall@5 {row.recall_5:.3f}  "
            f"recall@20 {row.recall_20:.3f}  document@20 {row.document_20:.3f}  {row.milliseconds:.1f} ms"
        )
