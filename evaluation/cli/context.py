"""``factdesk eval context``: CommunityKG-RAG's tables with any configured language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import click

from factdesk.cli.output import emit, json_option

if TYPE_CHECKING:
    from evaluation.runs.context_labels import ContextFigures, ContextRetriever

RETRIEVERS = ("none", "semantic", "kaping", "community")
PERCENT = click.FloatRange(0, 100, min_open=True)


@click.command("context")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--corpus", required=True, help="Stored corpus, or a file or folder.")
@click.option("--backbone", "backbones", multiple=True, required=True, help="llm:PROVIDER:MODEL; may be repeated.")
@click.option("--retriever", "retrievers", multiple=True, type=click.Choice(RETRIEVERS), help="May be repeated.")
@click.option("--delta", "deltas", multiple=True, type=PERCENT, help="Percent of communities; may be repeated.")
@click.option("--lam", "lams", multiple=True, type=PERCENT, help="Percent of their sentences; may be repeated.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims.")
@json_option()
def context(
    file: Path,
    corpus: str,
    backbones: tuple[str, ...],
    retrievers: tuple[str, ...],
    deltas: tuple[float, ...],
    lams: tuple[float, ...],
    limit: int | None,
    as_json: bool,
) -> None:
    """Let language models label claims from all sentences that a retriever gives, and compare.

    Accuracy for each model, retriever, delta (default 25) and lam (default 100). Nothing is certified.

    \b
    Example: factdesk eval context claims.jsonl --corpus news --backbone llm:openai:gpt-5-mini
    """
    from evaluation.runs.context_labels import ContextRetriever, Contexts, measure, settings_of
    from factdesk.check.models import make_chat
    from factdesk.settings import load_settings

    settings = load_settings()
    contexts = Contexts(settings, corpus)
    chosen = cast("tuple[ContextRetriever, ...]", retrievers or get_args(ContextRetriever))
    rows = [
        measure(file, contexts, (name, partial(make_chat, name, settings)), setting, limit)
        for name in backbones
        for setting in settings_of(chosen, deltas or (25.0,), lams or (100.0,))
    ]
    emit(rows, as_json, _lines(rows))


def _lines(rows: Sequence[ContextFigures]) -> Iterator[str]:
    head = f"{'backbone':28} {'retriever':10} {'delta':>6} {'lam':>6}"
    yield f"{head} {'n':>5} {'accuracy':>9} {'sentences':>10} failed"
    for row in rows:
        delta, lam = (f"{v:g}" if v is not None else "-" for v in (row.delta, row.lam))
        yield (
            f"{row.backbone:28} {row.retriever:10} {delta:>6} {lam:>6} {row.n:>5} {row.accuracy:>9.3f} "
            f"{row.sentences:>10.1f} {row.failed}"
        )


COMMANDS = (context,)
