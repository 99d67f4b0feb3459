"""``factdesk eval formats`` and ``run``: data sets of the field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from factdesk.cli.common import check_options_without, emit_json, settings_from

LEFT_OUT = ("images", "image_urls", "claim_date", "as_of")
"""Flags of ``check`` that the data set itself answers."""


def run_options(command: Any) -> Any:
    """What every command takes that runs a data set, with the flags of ``check`` that make sense."""
    command = check_options_without(command, LEFT_OUT)
    for option in (
        click.option(
            "--score-cache/--no-score-cache",
            default=False,
            show_default=True,
            help="Take scores that earlier checks kept: faster, but seconds mean nothing.",
        ),
        click.option("--limit", type=click.IntRange(min=1), help="Only the first so many claims."),
        click.option(
            "--evidence",
            type=click.Choice(["given", "corpus"]),
            help="Hold claims against their own texts, or search a corpus (default: by the format).",
        ),
        click.option(
            "--with",
            "companions",
            multiple=True,
            type=click.Path(path_type=Path),
            help="Companion file or folder of the format; may be repeated.",
        ),
        click.argument("file", type=click.Path(path_type=Path)),
        click.argument("name", metavar="FORMAT"),
    ):
        command = option(command)
    return command


def plan_of(
    name: str, file: Path, companions: tuple[Path, ...], evidence: Any, limit: int | None,
    flags: dict[str, Any],
) -> Any:  # fmt: skip
    """The plan that the flags describe. ``--corpus`` implies ``--evidence corpus``."""
    from evaluation.data.formats.registry import FORMATS, load_dataset
    from evaluation.runs.runner import Plan

    corpora = tuple(flags.pop("corpora", ()))
    score_cache = flags.pop("score_cache", False)
    dataset = load_dataset(name, file, companions, limit)
    settings = settings_from(flags).model_copy(update={"score_cache": score_cache})
    return Plan(
        dataset=dataset, settings=settings, corpora=corpora, name=file.name, limit=limit,
        evidence=evidence or ("corpus" if corpora else FORMATS.find(name)[0].evidence),
    )  # fmt: skip


class Bar:
    """A progress bar on stderr, or a line for every tenth claim where it is no terminal."""

    def __init__(self, title: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._live = console.is_terminal
        self._title = title
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True)
        self._task: Any = None

    def __call__(self, item: Any, number: int, total: int) -> None:
        """One more claim is done."""
        if self._live:
            if self._task is None:
                self._progress.start()
                self._task = self._progress.add_task(self._title, total=total)
            self._progress.update(self._task, completed=number)
        elif number % 10 == 0 or number == total:
            click.echo(f"{self._title}: {number} of {total}  {item.label} -> {item.verdict}", err=True)

    def close(self) -> None:
        """Take it away."""
        self._progress.stop()


def with_bar(title: str, work: Callable[[Bar], Any]) -> Any:
    """Do the work with a progress bar."""
    bar = Bar(title)
    try:
        return work(bar)
    finally:
        bar.close()


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def formats(as_json: bool) -> None:
    """The data sets that can be read, and which files each needs.

    \b
    Example: factdesk eval formats
    """
    from evaluation.data.formats.registry import FORMATS

    known = [FORMATS.find(name)[0] for name in FORMATS]
    if as_json:
        emit_json(
            [
                {"name": f.name, "file": f.file, "with": f.companion, "evidence": f.evidence}
                for f in known
            ]
        )
        return
    for found in known:
        more = f", --with {found.companion}" if found.companion else ""
        click.echo(f"{found.name:14} {found.file}{more}  (evidence: {found.evidence})")
    click.echo("ALCE (ASQA, QAMPARI, ELI5) is judged by: factdesk eval citations")


@click.command()
@run_options
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="RUN.json to write."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def run(
    name: str, file: Path, companions: tuple[Path, ...], evidence: str | None, limit: int | None, out: Path,
    as_json: bool, **flags: Any,
) -> None:  # fmt: skip
    """Evaluate a data set of a known FORMAT; a run that was stopped goes on when it is begun again.

    \b
    Example:
      factdesk eval run claims examples/claims.jsonl --corpus examples/corpus --out runs/examples.json
      factdesk eval run fever shared_task_dev.jsonl --with wiki-pages --limit 200 --out runs/fever.json
    """
    from evaluation.runs.runner import run as carry_out

    plan = plan_of(name, file, companions, evidence, limit, flags)
    found = with_bar(name, lambda bar: carry_out(plan, out, bar))
    if as_json:
        emit_json({**found.figures.model_dump(mode="json"), "extra": found.extra})
        return
    show(found)


def show(found: Any) -> None:
    """The figures of a run, one a line."""
    left_out = {"risk_coverage", "reliability", "per_class", "groups", "costs"}
    for name, value in found.figures.model_dump(exclude=left_out).items():
        click.echo(f"{name:20} {_words(value)}")
    for name, value in found.figures.costs.model_dump().items():
        click.echo(f"{name:20} {_words(value)}")
    for label, figures in found.figures.per_class.items():
        click.echo(
            f"{label:20} precision {figures.precision:.3f}  recall {figures.recall:.3f}  n {figures.n}"
        )
    for name, value in found.figures.groups.items():
        click.echo(f"{name:20} {_words(value)}")
    for name, value in found.extra.items():
        click.echo(f"{name:20} {_words(value)}")


def _words(value: Any) -> str:
    if isinstance(value, dict) and set(value) == {"value", "low", "high"}:
        if value["value"] is None:
            return "-"
        return f"{value['value']} ({value['low']} to {value['high']})"
    if isinstance(value, dict):
        return "  ".join(f"{k} {'-' if v is None else v}" for k, v in value.items())
    return "-" if value is None else str(value)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True, help="Of each class.")
@click.option("--kind", help="Only this class, all of it.")
@click.option("--json", "as_json", is_flag=True, help="Print all errors as JSON.")
def errors(run: Path, examples: int, kind: str | None, as_json: bool) -> None:
    """Sort every wrong or missed verdict of a RUN by what went wrong, with examples.

    \b
    Classes: image tool, budget, failure, split wrong, retrieval missed, trust gate, guard blocked, threshold,
    verifier wrong.
    Example: factdesk eval errors runs/examples.json
    """
    from evaluation.runs.errors import CLASSES, classify_run
    from evaluation.runs.runfile import read_run, read_traces
    from factdesk.kernel import ConfigError
    from report.sanitize import foreign

    if kind is not None and kind not in CLASSES:
        raise ConfigError(f"class {kind!r} is unknown; known: {', '.join(CLASSES)}")
    given = read_run(run)
    found = classify_run(given.items, read_traces(run), binary=given.key.binary)
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    click.echo(f"{found.n} claims, {found.wrong} certified wrongly, {found.missed} left open or missed")
    for name in (kind,) if kind else CLASSES:
        click.echo(f"\n{name:18} {found.counts[name]} ({found.counts_wrong[name]} certified wrongly)")
        here = [e for e in found.errors if e.kind == name]
        for error in here if kind else here[:examples]:
            click.echo(f"  {foreign(error.id)}: {foreign(error.claim)}")
            click.echo(f"    {error.label} -> {error.verdict}: {foreign(error.why)}")
            if error.then:
                click.echo(f"    if the model were sure of it, what would stop it: {error.then}")
            if error.evidence:
                click.echo(f"    {foreign(error.doc_id)}: {foreign(error.evidence, 300)}")
    if not kind:
        words = ", ".join(f"{name} {n}" for name, n in found.then_counts.items())
        click.echo(f"\nif the model were sure of those sentences, what would stop them: {words}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--task", required=True, type=click.Choice(["asqa", "qampari", "eli5"]))
@click.option("--ask", is_flag=True, help="Answer with factdesk first, from each question's documents.")
@click.option(
    "--docs", type=click.IntRange(min=1), default=5, show_default=True, help="With --ask: the first so many."
)
@click.option("--source", "sources", multiple=True, help="With --ask: site whose own word may stand.")
@click.option("--verifier", help="Which model judges (default: the shipped one).")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many questions.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="JSON file to write."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def citations(
    file: Path, task: str, ask: bool, docs: int, sources: tuple[str, ...], verifier: str | None,
    limit: int | None, out: Path, as_json: bool,
) -> None:  # fmt: skip
    """Citation precision and recall of answers in ALCE's format (question, docs, output).

    \b
    Example: factdesk eval citations asqa_results.json --task asqa --out runs/asqa.json
    """
    from evaluation.runs.alce import evaluate_alce, factdesk_answerer, verifier_judge
    from evaluation.runs.runfile import write_json
    from evaluation.runs.runner import MeasuredChecker

    settings = settings_from({"verifier": verifier, "sources": sources})
    checker = MeasuredChecker(settings)
    thresholds = settings.thresholds.apply(checker.verifier.thresholds)
    part = out.with_name(f"{out.name}.part")
    found = evaluate_alce(
        file, task, verifier_judge(checker.verifier, thresholds, settings.caps), checker.verifier.fingerprint,
        answer=factdesk_answerer(checker, settings.paths.cache / "eval", docs) if ask else None, limit=limit,
        part=part, settings={**settings.recorded(), "docs": docs if ask else None},
        done=lambda _item, n: click.echo(f"{task}: {n}", err=True) if n % 10 == 0 else None,
    )  # fmt: skip
    write_json(out, found.model_dump(mode="json"))
    part.unlink()
    if as_json:
        emit_json(found.model_dump(mode="json", exclude={"items"}))
        return
    for name, value in found.model_dump(exclude={"items", "correct"}).items():
        click.echo(f"{name:20} {_words(value)}")
    for name, value in found.model_dump()["correct"].items():
        click.echo(f"{name:20} {_words(value)}")


COMMANDS: tuple[click.Command, ...] = (formats, run, errors, citations)
