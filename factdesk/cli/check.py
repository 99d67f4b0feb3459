"""``factdesk check``, ``ask``, ``annotate``; ``resume`` and ``replay``, for checks that were stopped or recorded."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from datetime import date as Date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click

from factdesk.cli.options import (
    ARGUMENT,
    CLAIM_FLAGS,
    RETRIEVER,
    VERDICTS,
    CheckFlags,
    Command,
    NewFile,
    Quiet,
    check_options,
    setting,
)
from factdesk.cli.output import (
    Outcome,
    ProgressLine,
    as_text,
    asked_for_json,
    progress,
    said,
    tell,
    with_notes,
    write_out,
)
from factdesk.command_socket import CommandAnswer, CommandAsked, Form, ask_service, socket_path, state_of
from factdesk.kernel import InputError
from factdesk.settings import Settings, load_settings

if TYPE_CHECKING:
    from factdesk.checker import Report


@click.command(cls=Command)
@check_options()
def check(
    flags: CheckFlags,
    text: Annotated[str | None, ARGUMENT] = None,
    claim_url: Annotated[
        str | None, {"metavar": "LINK"}, "Choose the claim from the first sentences of this page."
    ] = None,
    fail_on: Annotated[str, "Comma-separated verdicts that give exit code 1."] = "",
    recording: Annotated[
        NewFile | None, "--record", "Write all that comes from outside into this new file, for factdesk replay."
    ] = None,
    quiet: Quiet = False,
) -> Outcome:
    """Check a claim (TEXT, or - to read it from stdin) and certify what holds.

    Its JSON is described by docs/schemas/check-1.json.

    \b
    Examples:
      factdesk check "The refurbishment of the Tollgate Library cost £6.2 million." --corpus examples/corpus
      factdesk check "The chart shows 341 GWh for the third quarter." --image chart.png
      echo "The bridge reopened in May." | factdesk check - --corpus news --json
    """
    wanted = {v.strip() for v in fail_on.split(",") if v.strip()}
    if unknown := sorted(wanted - set(VERDICTS)):
        raise click.BadParameter(f"{unknown[0]!r} is no verdict; known: {', '.join(VERDICTS)}", param_hint="--fail-on")
    if (text is None) == (claim_url is None):
        raise click.UsageError("give the claim as TEXT, or --claim-url LINK to choose it from a page")
    claim, flags = _claim(text, claim_url, flags)
    report = _report(claim, flags, recording, quiet=quiet)
    return replace(with_notes(report), code=int(report.verdict in wanted))


def _report(
    text: str, flags: CheckFlags, recording: Path | None, *, quiet: bool, asked: bool = False
) -> Report | CommandAnswer:
    with progress(quiet=quiet) as line:
        if recording is None and (answer := _answered(text, flags, line, asked=asked)) is not None:
            return answer
        return _worked_out(text, flags, recording, line, asked=asked)


def _answered(text: str, flags: CheckFlags, line: ProgressLine, *, asked: bool) -> CommandAnswer | None:
    """The answer of a running service (``factdesk serve --commands``), where one listens and gives it."""
    settings = flags.settings()
    path = socket_path(settings)
    if not path.exists():
        return None
    form: Form = "json" if asked_for_json() else "colour" if sys.stdout.isatty() else "text"
    return ask_service(
        path,
        CommandAsked(
            state=state_of(settings),
            overrides=flags.overrides,
            text=text,
            asked=asked,
            images=tuple(image.absolute() for image in flags.images),
            image_urls=flags.image_urls,
            date=flags.date,
            as_of=flags.as_of,
            form=form,
        ),
        line.told,
    )


def _worked_out(text: str, flags: CheckFlags, recording: Path | None, line: ProgressLine, *, asked: bool) -> Report:
    from agent.intake.parsing_process import parsing_beside

    request = flags.request(text, asked=asked)
    with parsing_beside():
        from factdesk.checker import FactChecker

        checker = FactChecker(flags.settings())
        stop_on_terminate()
        if recording is None:
            return checker.run(request, line.step)
        from factdesk.rerun.replay import record_check

        return record_check(checker, recording, request, line.step)


def _claim(text: str | None, claim_url: str | None, flags: CheckFlags) -> tuple[str, CheckFlags]:
    """What is to be checked; a claim of a page was made on the day of the page unless another is given."""
    if claim_url is None:
        return _read_stdin() if text == "-" else text or "", flags
    chosen = choose_claim(flags.settings(), claim_url)
    return chosen.text, replace(flags, date=flags.date or chosen.date)


def _read_stdin() -> str:
    """The claim from stdin as UTF-8, whatever the terminal's encoding; a byte order mark is dropped."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the claim on stdin is not UTF-8 at byte {error.start}; convert it") from error


ask_options = check_options(without=(*CLAIM_FLAGS, "method", "veracity"), also=("sources", "answer_sources"))
"""The flags of ``check`` that make sense for a question, and ``--source``."""


@click.command(cls=Command)
@ask_options
def ask(question: str, flags: CheckFlags, quiet: Quiet = False) -> Outcome:
    """Answer QUESTION from your documents with statements that were verified, or not at all.

    Its JSON is described by docs/schemas/answer-1.json.

    \b
    An answer that rests on one source is shown as that source's word. --answer-sources 2 asks for two that
    are independent, and --source SITE names sites whose own word is enough besides.

    Example:
      factdesk ask "How much did the Tollgate Library cost?" --corpus examples/corpus
    """
    return with_notes(_report(question, flags, None, quiet=quiet, asked=True))


MOST = 9
"""Statements to choose from."""


class Chosen(NamedTuple):
    """A statement of a page, and the day on which the page appeared."""

    text: str
    date: Date | None


def choose_claim(settings: Settings, address: str) -> Chosen:
    """Fetch the page, show its headline and first sentences, and ask which is the claim. Raises ``InputError``."""
    from evidence.segmentation.spans import spans_of
    from factdesk.corpora.links import read_link
    from report.sanitize import foreign

    document = read_link(settings, address)
    texts = dict.fromkeys([document.title, *(span.text for span in spans_of(document))])
    offered = [text for text in texts if text.strip()][:MOST]
    for number, text in enumerate(offered, start=1):
        click.echo(f"{number}. {foreign(text)}", err=True)
    number = click.prompt("Which one is the claim?", type=click.IntRange(1, len(offered)), err=True)
    return Chosen(offered[number - 1], document.published)


@click.command(cls=Command)
def annotate(
    text: str,
    corpus: Annotated[str | None, "Stored corpus, or a file or folder: its graph is the evidence."] = None,
    retriever: Annotated[str | None, RETRIEVER] = None,
    verifier: Annotated[str | None, "Which model verifies, e.g. onnx:minilm-fact."] = None,
    reasoner: Annotated[str | None, "llm:PROVIDER:MODEL or gguf:PATH: its predictions stand beside ours."] = None,
    alpha: Annotated[float | None, setting("attribution.alpha")] = None,
    beta: Annotated[float | None, setting("attribution.beta")] = None,
    gamma: Annotated[float | None, setting("attribution.gamma")] = None,
    as_html: Annotated[bool, "--html", "Print one HTML page: the text in colours."] = False,
    out: Annotated[NewFile | None, "Write into this file."] = None,
) -> Outcome | None:
    """Mark which words of TEXT (or of the file TEXT) a corpus bears out, contradicts or disagrees on.

    Evidence and its trust are weighed as in a check. The certificate goes to the history; what it certifies are
    the policy's decisions on the claims, not the labels.

    \b
    Examples:
      factdesk annotate "The refurbishment of the Tollgate Library cost £6.2 million." --corpus examples/corpus
      factdesk annotate answer.txt --corpus news --html --out answer.html
    """
    if asked_for_json() and as_html:
        raise click.UsageError("give --json or --html, not both")
    from factdesk.checker import FactChecker

    settings = load_settings(
        corpus=(corpus,) if corpus else (),
        retriever=retriever,
        verifier=verifier,
        reasoner=reasoner,
        attribution={"alpha": alpha, "beta": beta, "gamma": gamma},
    )
    found = FactChecker(settings).annotate(_read_file(text))
    if out is None and not as_html:
        return Outcome(found.json(), [found.text()])
    made = found.html() if as_html else as_text(found.json()) if asked_for_json() else found.text()
    write_out(out, made if out is not None else f"{made}\n")
    return None


def _read_file(text: str) -> str:
    """The text itself, or that of the file it names."""
    path = Path(text) if len(text) < 1000 and "\n" not in text else None
    try:
        if path is None or not path.is_file():
            return text
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{text[:80]!r} cannot be read as UTF-8 text ({error})") from error


def stop_on_terminate() -> None:
    """Being asked to end (SIGTERM) stops a check as Ctrl-C does: with its checkpoint, and exit code 6."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@click.command(cls=Command)
def replay(file: Path, quiet: Quiet = False) -> Outcome:
    """Run a check again from its recording FILE, without network, corpora or history.

    Exit code 5 when the certificate body is not the recorded one, 3 when the recording lacks an answer.

    \b
    Example:
      factdesk check "The bridge reopened in May." --web --record run.jsonl.zst
      factdesk replay run.jsonl.zst --json
    """
    from factdesk.rerun.replay import replay as run_again

    with progress(quiet=quiet) as shown:
        outcome = run_again(file, load_settings().home, shown.step)
    sha256 = outcome.recorded.envelope.body_sha256
    if outcome.identical:
        tell(f"replayed: the certificate body is the recorded one ({sha256})")
    else:
        tell(f"replayed: the certificate body is NOT the recorded one ({sha256})")
        for line in said("history.differences", outcome.differences):
            tell(line)
    return Outcome(outcome.report, code=0 if outcome.identical else 5)


@click.command(cls=Command)
def resume(
    run: Annotated[str | None, ARGUMENT] = None,
    forget: Annotated[bool, "Give the run up instead of going on with it."] = False,
    quiet: Quiet = False,
) -> Outcome | None:
    """Go on with a check that was stopped or killed; without RUN, list those.

    Text, images, corpora and settings are those of the check; nothing that was answered is asked again.

    \b
    Examples:
      factdesk resume
      factdesk resume 3fa2b1
    """
    from factdesk.rerun.resume import resume_run
    from store.runs import Runs

    settings = load_settings()
    runs = Runs(settings.paths.checkpoints)
    if run is None:
        found = runs.list()
        return Outcome(found, said("history.runs", found))
    if forget:
        runs.forget(runs.find(run))
        return None
    stop_on_terminate()
    with progress(quiet=quiet) as line:
        report = resume_run(settings, run, line.step)
    return with_notes(report)
