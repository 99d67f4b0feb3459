"""A command's arguments and options come from the parameters of its function, and its outcome is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import click
import pytest
from annotated_types import Ge, Lt
from click.testing import CliRunner

from evidence.types import AddResult
from factdesk.cli import output
from factdesk.cli.options import ARGUMENT, Command, NewFile, setting
from factdesk.cli.output import Outcome, _environment, said
from factdesk.kernel import InputError, write_file, written_whole


@click.command(cls=Command)
def sample(
    files: tuple[Path, ...],
    key: Annotated[str, "--key", "Which one."],
    place: Annotated[str, ARGUMENT] = "here",
    share: Annotated[float, Ge(0), Lt(1), "How much."] = 0.5,
    kind: Literal["a", "b"] | None = None,
    days: Annotated[tuple[date, ...], "--day"] = (),
    loud: bool = False,
    pages: bool = True,
    retriever: Annotated[str | None, setting("retriever")] = None,
    out: Annotated[NewFile | None, "Where to."] = None,
) -> Outcome:
    """Say what was given."""
    given = [[f.name for f in files], key, place, share, kind, [d.isoformat() for d in days], loud, pages, retriever]
    return Outcome([*given, str(out) if out else None], ["as lines"], code=3 if loud else 0)


def run(*arguments: str) -> click.testing.Result:
    return CliRunner().invoke(sample, list(arguments))


def test_what_is_given_arrives_and_what_is_not_has_its_default() -> None:
    found = json.loads(run("x.md", "y.md", "here", "--key", "k", "--json").stdout)
    assert found == [["x.md", "y.md"], "k", "here", 0.5, None, [], False, True, None, None]
    more = ("--share", "0", "--kind", "b", "--day", "2024-05-31", "--no-pages", "--retriever", "bm25", "--out", "o")
    found = json.loads(run("x.md", "there", "--key", "k", "--json", *more).stdout)
    assert found == [["x.md"], "k", "there", 0.0, "b", ["2024-05-31"], False, False, "bm25", "o"]


def test_an_outcome_is_lines_or_json_and_has_its_code() -> None:
    done = run("x.md", "here", "--key", "k", "--loud")
    assert (done.stdout, done.exit_code) == ("as lines\n", 3)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["x.md", "here"], "Missing option '--key'"),
        (["--key", "k"], "Missing argument"),
        (["x.md", "here", "--key", "k", "--share", "1"], "0<=x<1"),
        (["x.md", "here", "--key", "k", "--kind", "c"], "is not one of"),
        (["x.md", "here", "--key", "k", "--day", "May"], "is no date"),
        (["x.md", "here", "--key", "k", "--retriever", "none-such"], "is not one of"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: list[str], why: str) -> None:
    done = run(*arguments)
    assert (done.exit_code, why in done.output) == (2, True), done.output


def test_help_says_what_the_parameters_say() -> None:
    told = run("--help").output
    assert "How much.  [default: 0.5; 0<=x<1]" in told
    assert "[a|b]" in told
    assert "--json" in told


def test_every_text_of_a_command_compiles() -> None:
    names = [path.name for path in (Path(output.__file__).parent / "templates").iterdir()]
    assert len(names) > 5
    for name in names:
        assert _environment().get_template(name).module


def test_what_is_printed_is_harmless_and_what_is_told_stands_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = AddResult(corpus="x", added=1, replaced=0, unchanged=0, skipped=(("a\nb", "no text"),))
    assert list(said("corpus.added", "x\x1b[2J", found)) == ["x\\x1b[2J: 1 added, 0 replaced, 0 unchanged"]
    assert capsys.readouterr().err == "  skipped a\nb: no text\n"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise InputError("no more")

    write_file(tmp_path / "a", [b"1", b"2"])
    for path, parts in ((tmp_path, [b"x"]), (tmp_path / "none" / "b", [b"x"]), (tmp_path / "c", broken())):
        with pytest.raises(InputError):
            write_file(path, parts)
    with pytest.raises(InputError):
        write_file(Path(), [b"x"])
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"12")]


def test_a_draft_is_a_new_file_of_its_owner_alone(tmp_path: Path) -> None:
    with written_whole(tmp_path / "a") as first, written_whole(tmp_path / "a") as second:
        drafts = list(tmp_path.iterdir())
        assert len(drafts) == 2
        assert {draft.stat().st_mode & 0o777 for draft in drafts} == {0o600}
        first.write(b"first")
        second.write(b"second")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"first"]  # the one that was finished last
