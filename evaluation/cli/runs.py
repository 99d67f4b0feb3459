"""``factdesk eval formats`` and ``run``: data sets of the field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from evaluation.cli.figures import in_words
from factdesk.cli.options import CLAIM_FLAGS, CheckFlags, check_options, setting_option
from factdesk.cli.output import ProgressLine, emit, json_option, progress

if TYPE_CHECKING:
    from evaluation.data.outcome import EvalItem
    from evaluation.runs.errors import ErrorReport
    from evaluation.runs.runfile import EvalRun
    from evaluation.runs.runner import Plan

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class RunFlags:
    """What a command that runs a data set was given."""

    name: str
    file: Path
    companions: tuple[Path, ...]
    evidence: Literal["given", "corpus"] | None
    limit: int | None
    score_cache: bool
    flags: CheckFlags

    def plan(self) -> Plan:
        """The plan that the flags describe. ``--corpus`` implies ``--evidence corpus``."""
        from evaluation.data.formats.registry import FORMATS, load_dataset
        from evaluation.runs.runner import Plan

        dataset = load_dataset(self.name, self.file, self.companions, self.limit)
        usual = "corpus" if self.flags.corpus else FORMATS.find(self.name)[0].evidence
        return Plan(
            dataset=dataset,
            settings=self.flags.settings(score_cache=self.score_cache, corpus=()),
            corpora=self.flags.corpus,
            name=self.file.name,
            limit=self.limit,
            evidence=self.evidence or usual,
        )


def run_options(command: Command) -> Command:
    """What every command takes that runs a data set, as one argument ``given`` (:class:`RunFlags`)."""

    @wraps(command)
    def call(**values: Any) -> Any:
        mine = {field.name: values.pop(field.name) for field in fields(RunFlags)}
        return command(given=RunFlags(**mine), **values)

    found: Any = check_options(without=(*CLAIM_FLAGS, "as_of"))(call)
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
        found = option(found)
    return found  # type: ignore[no-any-return]


def claims_done(line: ProgressLine, title: str) -> Callable[[EvalItem, int, int], None]:
    """Shows each claim of a run that is done."""
    return lambda item, number, total: line.count(title, number, total, f"  {item.label} -> {item.verdict}")


@click.command()
@json_option()
def formats(as_json: bool) -> None:
    """The data sets that can be read, and which files each needs.

    \b
    Example: factdesk eval formats
    """
    from evaluation.data.formats.registry import FORMATS

    known = [FORMATS.find(name)[0] for name in FORMATS]

    def lines() -> Iterator[str]:
        for found in known:
            more = f", --with {found.companion}" if found.companion else ""
            yield f"{found.name:14} {found.file}{more}  (evidence: {found.evidence})"
        yield "ALCE (ASQA, QAMPARI, ELI5) is judged by: factdesk eval citations"

    rows = [{"name": f.name, "file": f.file, "with": f.companion, "evidence": f.evidence} for f in known]
    emit(rows, as_json, lines())


@click.command()
@run_options
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="RUN.json to write.")
@json_option("Print the figures as JSON.")
def run(given: RunFlags, out: Path, as_json: bool) -> None:
    """Evaluate a data set of a known FORMAT; a run that was stopped goes on when it is begun again.

    \b
    Example:
      factdesk eval run claims examples/claims.jsonl --corpus examples/corpus --out runs/examples.json
      factdesk eval run fever shared_task_dev.jsonl --with wiki-pages --limit 200 --out runs/fever.json
    """
    from evaluation.runs.runner import run as carry_out

    plan = given.plan()
    with progress(lines=True) as line:
        found = carry_out(plan, out, claims_done(line, given.name))
    emit({**found.figures.model_dump(mode="json"), "extra": found.extra}, as_json, _figures(found))


def _figures(found: EvalRun) -> Iterator[str]:
    """The figures of a run, one a line."""
    left_out = {"risk_coverage", "reliability", "per_class", "groups", "costs"}
    for name, value in found.figures.model_dump(exclude=left_out).items():
        yield f"{name:20} {in_words(value)}"
    for name, value in found.figures.costs.model_dump().items():
        yield f"{name:20} {in_words(value)}"
    for label, figures in found.figures.per_class.items():
        yield f"{label:20} precision {figures.precision:.3f}  recall {figures.recall:.3f}  n {figures.n}"
    for name, value in (*found.figures.groups.items(), *found.extra.items()):
        yield f"{name:20} {in_words(value)}"


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True, help="Of each class.")
@click.option("--kind", help="Only this class, all of it.")
@json_option("Print all errors as JSON.")
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

    if kind is not None and kind not in CLASSES:
        raise ConfigError(f"class {kind!r} is unknown; known: {', '.join(CLASSES)}")
    given = read_run(run)
    found = classify_run(given.items, read_traces(run), binary=given.key.binary)
    emit(found, as_json, _errors(found, examples, kind))


def _errors(found: ErrorReport, examples: int, kind: str | None) -> Iterator[str]:
    from evaluation.runs.errors import CLASSES
    from report.sanitize import foreign

    yield f"{found.n} claims, {found.wrong} certified wrongly, {found.missed} left open or missed"
    for name in (kind,) if kind else CLASSES:
        yield f"\n{name:18} {found.counts[name]} ({found.counts_wrong[name]} certified wrongly)"
        here = [e for e in found.errors if e.kind == name]
        for error in here if kind else here[:examples]:
            yield f"  {foreign(error.id)}: {foreign(error.claim)}"
            yield f"    {error.label} -> {error.verdict}: {foreign(error.why)}"
            if error.then:
                yield f"    if the model were sure of it, what would stop it: {error.then}"
            if error.evidence:
                yield f"    {foreign(error.doc_id)}: {foreign(error.evidence, 300)}"
    if not kind:
        words = ", ".join(f"{name} {n}" for name, n in found.then_counts.items())
        yield f"\nif the model were sure of those sentences, what would stop them: {words}"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--task", required=True, type=click.Choice(["asqa", "qampari", "eli5"]))
@click.option("--ask", is_flag=True, help="Answer with factdesk first, from each question's documents.")
@click.option("--docs", type=click.IntRange(min=1), default=5, show_default=True, help="With --ask: the first so many.")
@click.option("--source", "sources", multiple=True, help="With --ask: site whose own word may stand.")
@setting_option("verifier", help="Which model judges (default: the shipped one).")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many questions.")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="JSON file to write.")
@json_option("Print the figures as JSON.")
def citations(
    file: Path,
    task: str,
    ask: bool,
    docs: int,
    sources: tuple[str, ...],
    verifier: str | None,
    limit: int | None,
    out: Path,
    as_json: bool,
) -> None:
    """Citation precision and recall of answers in ALCE's format (question, docs, output).

    \b
    Example: factdesk eval citations asqa_results.json --task asqa --out runs/asqa.json
    """
    from evaluation.runs.alce import evaluate_alce, factdesk_answerer, verifier_judge
    from evaluation.runs.runfile import write_json
    from evaluation.runs.runner import MeasuredChecker
    from factdesk.settings import load_settings

    settings = load_settings(verifier=verifier, sources=sources)
    checker = MeasuredChecker(settings)
    thresholds = settings.thresholds.apply(checker.verifier.thresholds)
    part = out.with_name(f"{out.name}.part")
    with progress(lines=True) as line:
        found = evaluate_alce(
            file,
            task,
            verifier_judge(checker.verifier, thresholds, settings.caps),
            checker.verifier.fingerprint,
            answer=factdesk_answerer(checker, settings.paths.cache / "eval", docs) if ask else None,
            limit=limit,
            part=part,
            settings={**settings.recorded(), "docs": docs if ask else None},
            done=lambda _item, number: line.say(f"{task}: {number}"),
        )
    write_json(out, found.model_dump(mode="json"))
    part.unlink()
    figures = found.model_dump(mode="json", exclude={"items"})
    correct = figures["correct"]
    rows = {**{name: value for name, value in figures.items() if name != "correct"}, **correct}
    emit(figures, as_json, (f"{name:20} {in_words(value)}" for name, value in rows.items()))


COMMANDS: tuple[click.Command, ...] = (formats, run, errors, citations)
