"""``factdesk annotate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import emit_json, settings_from


@click.command()
@click.argument("text")
@click.option("--corpus", help="Stored corpus, or a file or folder: its graph is the evidence.")
@click.option(
    "--retriever", type=click.Choice(["hybrid", "bm25", "dense", "semantic", "community", "both", "kaping"])
)
@click.option("--verifier", help="Which model verifies, e.g. onnx:minilm-fact.")
@click.option("--json", "as_json", is_flag=True, help="Print spans, triplets and scores as JSON.")
@click.option("--html", "as_html", is_flag=True, help="Print one HTML page: the text in colours.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write into this file.")
def annotate(
    text: str, corpus: str | None, as_json: bool, as_html: bool, out: Path | None, **flags: Any
) -> None:  # fmt: skip
    """Mark which words of TEXT (or of the file TEXT) a corpus bears out, contradicts or disagrees on.

    Evidence and its trust are weighed as in a check; nothing is certified.

    \b
    Examples:
      factdesk annotate "The Tollgate Library cost £6.2 million." --corpus examples/corpus
      factdesk annotate answer.txt --corpus news --html --out answer.html
    """
    if as_json and as_html:
        raise click.UsageError("give --json or --html, not both")
    from factdesk.annotation.annotator import AnnotationDesk
    from factdesk.annotation.render import annotation_html, annotation_text

    words = _read(text)
    found = AnnotationDesk(settings_from({**flags, "corpora": (corpus,) if corpus else ()})).annotate(words)
    if as_json and out is None:
        emit_json(found.model_dump(mode="json"))
        return
    if as_json:
        made = found.model_dump_json(indent=2)
    else:
        made = annotation_html(found) if as_html else annotation_text(found)
    if out is None:
        click.echo(made)
    else:
        out.write_text(made, encoding="utf-8")
        click.echo(f"{len(found.spans)} claims, written to {out}", err=True)


def _read(text: str) -> str:
    """The text itself, or that of the file it names."""
    from factdesk.kernel import InputError

    path = Path(text) if len(text) < 1000 and "\n" not in text else None
    try:
        if path is None or not path.is_file():
            return text
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{text[:80]!r} cannot be read as UTF-8 text ({error})") from error
