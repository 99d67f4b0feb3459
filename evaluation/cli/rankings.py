"""``factdesk eval rankings``: ClaimTrust's table with any configured language model."""

from __future__ import annotations

from pathlib import Path

import click

from factdesk.cli.output import emit, json_option


@click.command("rankings")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--corpus", required=True, help="Stored corpus, or a file or folder, after factdesk trust rank.")
@click.option("--judge", help="Language model that scores each answer 0 to 1, e.g. llm:openai:gpt-5-mini.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many questions.")
@json_option()
def rankings_(file: Path, corpus: str, judge: str | None, limit: int | None, as_json: bool) -> None:
    """Ask questions with evidence ordered by relevance alone (vanilla), and by stored trust too (score).

    \b
    Accuracy: an accepted string stands in the answer.
    Example: factdesk eval rankings examples/questions.jsonl --corpus news --judge llm:openai:gpt-5-mini
    """
    from evaluation.judging.answer_quality import compare_rankings, open_quality
    from factdesk.settings import load_settings

    rows = compare_rankings(file, corpus, open_quality(judge, load_settings()) if judge else None, limit)
    head = f"{'ranking':8} {'n':>5} {'answered':>9} {'accuracy':>9} {'quality':>8}"
    lines = [
        f"{r.ranking:8} {r.n:5} {r.answered:9} {r.accuracy:9.3f} {'-' if r.quality is None else f'{r.quality:.3f}':>8}"
        for r in rows
    ]
    emit(rows, as_json, (head, *lines))


COMMANDS: tuple[click.Command, ...] = (rankings_,)
