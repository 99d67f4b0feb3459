"""``factdesk eval claims``, ``pairs``, ``trust`` and ``poison``: measuring."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluation.cli.attacks import COMMANDS as ATTACKS
from evaluation.cli.cases import COMMANDS as CASES
from evaluation.cli.context import COMMANDS as CONTEXT
from evaluation.cli.gates import COMMANDS as GATES
from evaluation.cli.judge import COMMANDS as JUDGED
from evaluation.cli.rankings import COMMANDS as RANKINGS
from evaluation.cli.rules import COMMANDS as RULES
from evaluation.cli.runs import COMMANDS as RUNS
from evaluation.cli.tables import COMMANDS as TABLES
from factdesk.cli.check import ask_options
from factdesk.cli.options import CheckFlags, check_options, setting_option
from factdesk.cli.output import emit, json_option, progress

if TYPE_CHECKING:
    from evaluation.attacks.poison import PoisonCell
    from evaluation.data.claims import ClaimOutcome, ClaimsReport
    from evaluation.metrics.annotations import AnnotationFigures, Mistake
    from evaluation.metrics.questions import QuestionOutcome
    from factdesk.checker import Report


@click.group("eval")
def evaluate() -> None:
    """Measure checks and verifier on labelled data of your own."""


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path))
@check_options()
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims.")
@click.option("--trail", is_flag=True, help="Also rate the proposals, and the tree as a tree.")
@json_option("Print the figures as JSON.")
def claims(file: Path, flags: CheckFlags, limit: int | None, trail: bool, as_json: bool) -> None:
    """Check labelled claims (JSON Lines: claim, label, optional id, date, image) and compare.

    \b
    Example: factdesk eval claims examples/claims.jsonl --corpus examples/corpus
    """
    from evaluation.data.claims import evaluate_claims
    from evaluation.metrics.tree_figures import Trails
    from factdesk.checker import FactChecker

    trails = Trails()

    def done(outcome: ClaimOutcome, report: Report) -> None:
        if trail:
            trails.add(outcome.label, report.certificate.body)
        mark = "" if outcome.verdict == outcome.label else "  <- differs"
        click.echo(f"{outcome.id}  {outcome.label} -> {outcome.verdict}  {outcome.seconds:.2f} s{mark}", err=True)

    checker = FactChecker(flags.settings())
    found = evaluate_claims(checker, file, limit=limit, done=done)
    more = {"trail": trails.figures(checker.corpora.embedder).model_dump(mode="json")} if trail else {}
    emit({**found.model_dump(mode="json"), **more}, as_json, _claims(found, more))


def _claims(found: ClaimsReport, more: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, value in found.model_dump(exclude={"outcomes", "fingerprint", "per_class"}).items():
        yield f"{name:16} {value}"
    for label, figures in found.per_class.items():
        yield (f"{label:20} precision {figures['precision']:.3f}  recall {figures['recall']:.3f}  n {figures['n']:.0f}")
    for part in more.get("trail", {}).values():
        for name, value in part.items():
            yield f"{name:16} {value}"


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path))
@ask_options
@click.option("--sources-file", type=click.Path(path_type=Path), help="Sites for --source, one a line.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many questions.")
@click.option("--count", type=click.IntRange(min=1), help="Ask so many in all, again from the first: a load.")
@json_option("Print the figures as JSON.")
def questions(
    file: Path,
    flags: CheckFlags,
    sources_file: Path | None,
    limit: int | None,
    count: int | None,
    as_json: bool,
) -> None:
    """Ask golden questions (JSON Lines: id, question, accept) and look at what would be shown.

    \b
    Example: factdesk eval questions examples/questions.jsonl --corpus examples/corpus \\
               --sources-file examples/sources.txt
    """
    from evaluation.metrics.questions import evaluate_questions, read_sources
    from factdesk.checker import FactChecker

    settings = flags.settings()
    if sources_file is not None:
        given = flags.overrides.get("sources")
        named = given if isinstance(given, tuple) else ()
        settings = flags.settings(sources=(*named, *read_sources(sources_file)))

    def done(outcome: QuestionOutcome, _report: Report) -> None:
        said = " / ".join(outcome.shown) or f"- ({', '.join(outcome.rules) or outcome.why_not})"
        mark = "  <- WRONG" if outcome.wrong or outcome.unsupported else ""
        click.echo(f"{outcome.id}  {outcome.seconds:5.2f} s  {said}{mark}", err=True)

    found = evaluate_questions(FactChecker(settings), file, limit=limit, count=count, done=done)
    figures = found.model_dump(exclude={"outcomes", "fingerprint"})
    emit(found, as_json, (f"{name:22} {value}" for name, value in figures.items()))


@evaluate.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many pairs of each file.")
@setting_option("verifier", help="Which model (default: the shipped one).")
@json_option("Print the figures as JSON.")
def pairs(files: tuple[Path, ...], limit: int | None, verifier: str | None, as_json: bool) -> None:
    """Score labelled pairs (JSON Lines: premise, hypothesis, label; .gz allowed).

    \b
    Example: factdesk eval pairs dev.jsonl.gz --limit 500
    """
    from evaluation.metrics.pairs import evaluate_pairs
    from factdesk.settings import load_settings

    found = evaluate_pairs(files, load_settings(verifier=verifier), limit=limit)

    def lines() -> Iterator[str]:
        for row in found.files:
            yield f"{row.file}"
            for name, value in row.model_dump(exclude={"file"}).items():
                yield f"  {name:20} {value}"

    emit(found, as_json, lines())


@evaluate.command()
@click.option("--corpus", default="examples/corpus", show_default=True, help="Stored corpus or path.")
@click.option("--texts", "count", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
@setting_option("verifier", help="Which model (default: the shipped one).")
@click.option("--gold", type=click.Path(path_type=Path), help="Texts that people labelled, instead of assembled ones.")
@click.option("--mistakes", type=click.IntRange(min=0), default=0, help="Show so many of them, from --seed.")
@json_option("Print the figures as JSON.")
def annotate(
    corpus: str,
    count: int,
    seed: int,
    verifier: str | None,
    gold: Path | None,
    mistakes: int,
    as_json: bool,
) -> None:
    """Annotate texts assembled from true, altered and unsaid statements of a corpus, and compare.

    With --gold (JSON Lines: text, spans with start, end, label and rationale) rationales are compared by ROUGE too.

    \b
    Example: factdesk eval annotate --corpus examples/corpus --texts 200
    """
    from evaluation.metrics.annotations import assemble, evaluate_annotations, read_gold
    from factdesk.checker import FactChecker
    from factdesk.settings import load_settings

    checker = FactChecker(load_settings(corpus=(corpus,), verifier=verifier))
    parts, index = checker.annotation_desk().parts, checker.corpora.index(corpus)
    sentences = index.spans(range(len(index)))
    texts = read_gold(gold) if gold is not None else assemble(parts.graph, sentences, count, seed)
    found = evaluate_annotations(texts, parts, lambda n: click.echo(f"text {n}", err=True) if n % 20 == 0 else None)
    chosen = random.Random(seed).sample(found.mistakes, min(mistakes, len(found.mistakes)))
    emit(found, as_json, _annotations(found, chosen))


def _annotations(found: AnnotationFigures, mistakes: Sequence[Mistake]) -> Iterator[str]:
    for name, value in found.model_dump(exclude={"labels", "kinds", "mistakes"}).items():
        yield f"{name:20} {value}"
    for kind, (strict, label_right, n) in found.kinds.items():
        yield f"{kind:20} strict {strict:.3f}  label {label_right:.3f}  n {n}"
    for label, figures in found.labels.items():
        yield (f"{label:20} precision {figures.precision:.3f}  recall {figures.recall:.3f}  f1 {figures.f1:.3f}")
    for row in mistakes:
        yield f"\n{row.kind}: {row.gold} -> {row.found}\n  {row.text}\n  {row.rationale}"


@evaluate.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--corpus", required=True, help="Stored corpus or path.")
@click.option("--retriever", "retrievers", multiple=True, help="Which ones; may be repeated (default all).")
@setting_option("delta", help=None)
@setting_option("lam", help=None)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims with gold evidence.")
@json_option("Print the figures as JSON.")
def retrieval(
    file: Path,
    corpus: str,
    retrievers: tuple[str, ...],
    delta: float | None,
    lam: float | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Recall of gold evidence at 5 and 20 sentences (JSON Lines: claim, label, gold_evidence).

    \b
    Example: factdesk eval retrieval examples/claims.jsonl --corpus examples/corpus
    """
    from evaluation.metrics.retrieval import evaluate_retrieval
    from factdesk.settings import load_settings

    chosen = retrievers or ("none", "semantic", "kaping", "hybrid", "community", "both")
    found = evaluate_retrieval(load_settings(delta=delta, lam=lam), corpus, file, chosen, limit)
    emit(
        found,
        as_json,
        (
            f"{row.retriever:10} claims {row.claims}  recall@5 {row.recall_5:.3f}  "
            f"recall@20 {row.recall_20:.3f}  document@20 {row.document_20:.3f}  {row.milliseconds:.1f} ms"
            for row in found
        ),
    )


@evaluate.command()
@click.argument("articles", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--relations",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Table of relations (claim1, claim2, doc1, doc2, relation) instead of our own.",
)
@click.option("--seeds", type=click.IntRange(min=0), default=0, show_default=True, help="Trusted articles.")
@click.option("--draws", type=click.IntRange(min=1), default=20, show_default=True, help="Draws of the seeds.")
@click.option("--variant", "variants", multiple=True, help="Variant of ClaimRank; may be repeated.")
@click.option("--overall", type=click.IntRange(min=0), help="At most so many pairs go to the verifier.")
@json_option("Print the figures as JSON.")
def trust(
    articles: Path,
    relations: Path | None,
    seeds: int,
    draws: int,
    variants: tuple[str, ...],
    overall: int | None,
    as_json: bool,
) -> None:
    """Rank labelled articles (JSON Lines: doc_id, title, text, published, label; or a folder with Kaggle's
    True.csv and Fake.csv, of which political articles of May and June 2017 are taken) and compare.

    \b
    Variants: independence, coverage, confidence, restart, strongest, publisher, decay.
    Example: factdesk eval trust articles.jsonl.gz --variant independence --variant coverage --seeds 20
    """
    from evaluation.attacks.trust import evaluate_trust
    from factdesk.settings import load_settings

    with progress(lines=True) as line:
        found = evaluate_trust(
            articles,
            load_settings(),
            relations=relations,
            seeds=seeds,
            draws=draws,
            variants=variants,
            overall=overall,
            progress=line.count,
        )
    emit(found, as_json, (f"{name:16} {value}" for name, value in found))


@evaluate.command()
@click.option(
    "--claims",
    "file",
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Labelled claims (JSON Lines: claim, label).",
)
@click.option("--corpus", "corpora", multiple=True, required=True, help="Corpus or path; may be repeated.")
@click.option(
    "--rate",
    "rates",
    multiple=True,
    type=click.FloatRange(min=0, max=1, min_open=True),
    help="Planted documents as a share of the corpus; may be repeated (default 0.001, 0.01, 0.05, 0.2).",
)
@click.option("--method", "methods", multiple=True, help="Attack; may be repeated (default: all).")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many claims, drawn by --seed.")
@click.option("--seed", type=int, default=0, show_default=True)
@setting_option("trust", help=None, default="on", show_default=True)
@json_option("Print the cells as JSON.")
def poison(
    file: Path,
    corpora: tuple[str, ...],
    rates: tuple[float, ...],
    methods: tuple[str, ...],
    limit: int | None,
    seed: int,
    trust: str,
    as_json: bool,
) -> None:
    """Plant documents written by rules and count how often they get the verdict they want.

    \b
    Attacks: denial, statistics, paraphrase, publisher, instructions; held out: correction, interview,
    encyclopedia.
    Example: factdesk eval poison --claims claims.jsonl --corpus news --rate 0.01 --limit 30
    """
    from evaluation.attacks.poison import RATES, evaluate_poison
    from factdesk.checker import FactChecker
    from factdesk.settings import load_settings

    def done(cell: PoisonCell) -> None:
        click.echo(
            f"rate {cell.rate:<6} {cell.method:13} trust {trust:3}  n {cell.n}  "
            f"attack success {cell.attack_success:.3f}  accuracy clean {cell.clean_accuracy:.3f}, "
            f"poisoned {cell.poisoned_accuracy:.3f}",
            err=as_json,
        )

    checker = FactChecker(load_settings(trust=trust == "on"))
    found = evaluate_poison(
        checker, file, corpora, rates=rates or RATES, methods=methods, limit=limit, seed=seed, done=done
    )
    emit(found, as_json)


for command in (*RUNS, *TABLES, *JUDGED, *CASES, *RULES, *CONTEXT, *ATTACKS, *GATES, *RANKINGS):
    evaluate.add_command(command)
