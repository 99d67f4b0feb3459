"""``factdesk annotate``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from factdesk.cli.common import NEW_FILE
from factdesk.cli.options import choices, setting_option
from factdesk.cli.output import emit, json_option
from factdesk.kernel import InputError
from factdesk.settings import load_settings


@click.command()
@click.argument("text")
@click.option("--corpus", help="Stored corpus, or a file or folder: its graph is the evidence.")
@click.option("--retriever", type=click.Choice([name for name in choices("retriever") if name != "none"]))
@setting_option("verifier", help="Which model verifies, e.g. onnx:minilm-fact.")
@setting_option("reasoner", help="llm:PROVIDER:MODEL or gguf:PATH: its predictions stand beside ours.")
@setting_option("attribution.alpha")
@setting_option("attribution.beta")
@setting_option("attribution.gamma")
@json_option("Print spans, triplets and scores as JSON.")
@click.option("--html", "as_html", is_flag=True, help="Print one HTML page: the text in colours.")
@click.option("--out", type=NEW_FILE, help="Write into this file.")
def annotate(
    text: str,
    corpus: str | None,
    retriever: str | None,
    verifier: str | None,
    reasoner: str | None,
    alpha: float | None,
    beta: float | None,
    gamma: float | None,
    as_json: bool,
    as_html: bool,
    out: Path | None,
) -> None:
    """Mark which words of TEXT (or of the file TEXT) a corpus bears out, contradicts or disagrees on.

    Evidence and its trust are weighed as in a check. The certificate goes to the history; what it certifies are
    the policy's decisions on the claims, not the labels.

    \b
    Examples:
      factdesk annotate "The Tollgate Library cost £6.2 million." --corpus examples/corpus
      factdesk annotate answer.txt --corpus news --html --out answer.html
    """
    if as_json and as_html:
        raise click.UsageError("give --json or --html, not both")
    from factdesk.checker import FactChecker

    settings = load_settings(
        corpus=(corpus,) if corpus else (),
        retriever=retriever,
        verifier=verifier,
        reasoner=reasoner,
        attribution={"alpha": alpha, "beta": beta, "gamma": gamma},
    )
    found = FactChecker(settings).annotate(_read(text))
    if as_json and out is None:
        emit(found.json(), as_json)
        return
    made = json.dumps(found.json(), indent=2) if as_json else found.html() if as_html else found.text()
    if out is None:
        click.echo(made)
        return
    out.write_text(made, encoding="utf-8")
    click.echo(f"{len(found.annotation.spans)} claims, written to {out}", err=True)


def _read(text: str) -> str:
    """The text itself, or that of the file it names."""
    path = Path(text) if len(text) < 1000 and "\n" not in text else None
    try:
        if path is None or not path.is_file():
            return text
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{text[:80]!r} cannot be read as UTF-8 text ({error})") from error
