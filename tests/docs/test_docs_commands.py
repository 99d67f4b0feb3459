"""Every command that README and docs show exists as shown; those in blocks marked ``runs`` are run."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from factdesk.cli import cli
from factdesk.settings import Settings
from tests.docs.shown import Shown, alternatives, commands_of, pages, parse, simple_commands

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PAGES = pages(REPOSITORY)
ALL = [shown for page, text in PAGES.items() for shown in commands_of(page, text)]
RUNS = sorted({shown.page for shown in ALL if shown.mark == "runs"})


def test_there_are_commands_to_look_at() -> None:
    assert len(ALL) > 60
    assert {"README.md", "docs/graph.md"} <= set(RUNS)
    marks = sum(text.count("<!-- runs -->") for text in PAGES.values())
    blocks = sum(text.count("<!-- runs -->\n```sh\n") for text in PAGES.values())
    assert marks == blocks, "a mark that stands before no block"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_factdesk_command_parses(page: str) -> None:
    wrong = []
    for shown in ALL:
        words = shown.words[2:] if shown.words[:2] == ("python", "-m") else shown.words
        if shown.page != page or words[0] != "factdesk":
            continue
        try:
            parse(cli, words, whole=shown.whole)
        except click.UsageError as error:
            wrong.append(f"{shown}: {error.format_message()}")
    assert not wrong, "\n".join(wrong)


def test_every_other_command_is_there() -> None:
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wrong = [str(shown) for shown in ALL if not _exists(shown, set(extras))]
    assert not wrong, "\n".join(wrong)


def _exists(shown: Shown, extras: set[str]) -> bool:
    """Files, modules and extras that a command names are there; of other programs nothing is known."""
    match shown.words:
        case ("python" | "python3", "-m", module, *_) if module.split(".")[0] in _rooms():
            return find_spec(module) is not None
        case ("python" | "python3", file, *_) if file.endswith(".py"):
            return (REPOSITORY / file).is_file()
        case ("pytest", *rest):
            paths = [word.split("::")[0] for word in rest if word.startswith("tests")]
            return all((REPOSITORY / path).exists() for path in paths)
        case ("pip", "install", *rest):
            named = re.findall(r"(?:factdesk|\.)\[([^\]]+)\]", " ".join(rest))
            return {extra.strip() for group in named for extra in group.split(",")} <= extras
    return True


def _rooms() -> set[str]:
    return {path.name for path in REPOSITORY.iterdir() if path.is_dir()}


def test_every_variable_that_is_shown_is_a_setting() -> None:
    variables = {v for text in PAGES.values() for v in re.findall(r"\bFACTDESK_([A-Z]\w*)=", text)}
    wrong = []
    for variable in variables - {"HOME", "CONFIG", "LLM__NAME"}:
        model = Settings
        for part in variable.lower().split("__"):
            if part not in model.model_fields:
                wrong.append(variable)
                break
            model = type(model.model_fields[part].default)
    assert not wrong
    assert variables


@pytest.mark.parametrize("page", RUNS)
def test_marked_commands_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order, on the shipped examples, in a home that is empty at first."""
    monkeypatch.chdir(REPOSITORY)
    for shown in ALL:
        if shown.page != page or shown.mark != "runs":
            continue
        assert shown.words[0] == "factdesk", f"{shown}: only factdesk is run here"
        done = CliRunner().invoke(cli, list(shown.words[1:]))
        assert done.exit_code == 0, f"{shown}\n{done.output}\n{done.exception!r}"
        assert done.stdout.strip(), f"{shown}: says nothing"


LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def test_links_and_pictures_are_there() -> None:
    wrong = []
    for page, text in PAGES.items():
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:|#", target):
                continue
            if not ((REPOSITORY / page).parent / target.split("#")[0]).exists():
                wrong.append(f"{page}: {target}")
    assert not wrong


def _anchor(heading: str) -> str:
    """The anchor that a heading gets, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_every_anchor_and_every_link_of_the_design_is_there() -> None:
    design = {p.relative_to(REPOSITORY).as_posix(): p.read_text() for p in REPOSITORY.glob("design/**/*.md")}
    wrong = []
    for page, text in (PAGES | design).items():
        for target in LINK.findall(text):
            file, _, anchor = target.partition("#")
            path = (REPOSITORY / page).parent / file if file else REPOSITORY / page
            if re.match(r"[a-z]+:", target):
                continue
            if not path.exists():
                wrong.append(f"{page}: {target}")
            elif anchor:
                headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
                if anchor not in map(_anchor, headings):
                    wrong.append(f"{page}: {target}")
    assert not wrong


def test_the_picture_of_the_report_is_small_and_light() -> None:
    from PIL import Image, ImageStat

    path = REPOSITORY / "docs" / "pictures" / "report.png"
    assert path.stat().st_size < 200_000
    with Image.open(path) as picture:
        assert ImageStat.Stat(picture.convert("L")).mean[0] > 200


@pytest.mark.parametrize(
    "line",
    [
        "factdesk chek TEXT",
        "factdesk check TEXT --imag a.jpg",
        "factdesk check TEXT --mode lax",
        "factdesk ask",
        "factdesk report",
        "factdesk trust",
        "factdesk history list --limit 0",
        "factdesk history list more",
        "factdesk check TEXT --image",
    ],
)
def test_what_does_not_exist_is_noticed(line: str) -> None:
    [words] = simple_commands(line)
    with pytest.raises(click.UsageError):
        parse(cli, words, whole=True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("factdesk demo  # a comment", [("factdesk", "demo")]),
        ("A=1 factdesk demo && factdesk doctor", [("factdesk", "demo"), ("factdesk", "doctor")]),
        ("factdesk check - --json < claim.txt > out.json", [("factdesk", "check", "-", "--json")]),
        ("factdesk check 'one; two'", [("factdesk", "check", "one; two")]),
    ],
)
def test_lines_are_taken_apart_as_a_shell_does(line: str, words: list[tuple[str, ...]]) -> None:
    assert list(simple_commands(line)) == words


def test_a_synopsis_means_each_of_its_choices() -> None:
    assert alternatives("factdesk trust show | explain ID [--json]") == [
        "factdesk trust show ID --json",
        "factdesk trust explain ID --json",
    ]


def test_the_page_of_commands_is_what_the_commands_are(repository: Path) -> None:
    from factdesk.cli.page import page

    written = (repository / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == page(), "write it anew: python -m factdesk.cli.page > docs/commands.md"
