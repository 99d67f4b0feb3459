"""The commands that README and docs show: found, taken apart as by a shell, parsed by click, not run."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

FENCE = re.compile(r"^(?:<!-- (?P<mark>[^>]*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
INLINE = re.compile(r"`((?:[A-Z_]+=\S+ )?(?:factdesk|python|pytest|pip) [^`]+)`")
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.S)
PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*|…")
"""Such as FILE, ID or N: stands for a value of the reader's."""


@dataclass(frozen=True)
class Shown:
    """One command as a page shows it."""

    page: str
    line: int
    text: str
    words: tuple[str, ...]
    whole: bool
    """From a block of commands, so to be typed as it stands; otherwise it is spoken of."""
    mark: str = ""
    """The comment before its block: ``runs`` for those that a test runs."""

    def __str__(self) -> str:
        return f"{self.page}:{self.line} {self.text}"


def commands_of(page: str, text: str) -> Iterator[Shown]:
    """All commands of a page, in blocks and in running text."""
    for block in FENCE.finditer(text):
        if block["kind"] not in ("sh", "bash", "console"):
            continue
        first = text.count("\n", 0, block.start("text")) + 1
        for offset, line in _lines(block["text"]):
            for words in simple_commands(line):
                yield Shown(page, first + offset, line, words, True, block["mark"] or "")
    prose = FENCE.sub(lambda b: "\n" * b[0].count("\n"), text)
    for found in INLINE.finditer(prose):
        said = " ".join(found[1].split())
        number = prose.count("\n", 0, found.start()) + 1
        for choice in alternatives(said):
            for words in simple_commands(choice):
                yield Shown(page, number, said, words, False)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their number; those that end in a backslash with the next."""
    begun, number = "", 0
    for offset, line in enumerate(text.split("\n")):
        number = number if begun else offset
        begun += line
        if begun.endswith("\\"):
            begun = begun[:-1] + " "
            continue
        if begun.strip():
            yield number, begun.strip()
        begun = ""


def simple_commands(line: str) -> Iterator[tuple[str, ...]]:
    """The commands of a line without comments, redirections and assignments. Raises ``ValueError``."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    skip = False
    for word in [*lexer, ";"]:
        if word in {"&&", "||", "|", ";", "&"}:
            if words:
                yield tuple(words)
            words = []
        elif word in {"<", ">", ">>"}:
            skip = True
        elif skip:
            skip = False
        elif words or not ASSIGNMENT.fullmatch(word):
            words.append(word)


def alternatives(said: str) -> list[str]:
    """``[--json]`` is given, ``a|b`` and ``a | b`` are each of them: what a synopsis means."""
    said = re.sub(r"\[(--?[^\]]+)\]", r"\1", said)
    parts = re.split(r"(\S+(?:\s*\|\s*\S+)+)", said)
    choices = [[p.strip() for p in part.split("|")] if index % 2 else [part] for index, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def parse(cli: click.Command, words: tuple[str, ...], *, whole: bool) -> None:
    """Take the words apart as click does, without running anything. Raises ``click.UsageError``.

    ``whole``: what is required must be there.
    """
    command, context, rest = cli, None, list(words)
    while True:
        context = click.Context(command, parent=context, info_name=rest.pop(0))
        values, rest, _ = command.make_parser(context).parse_args(rest)
        if not isinstance(command, click.Group):
            break
        if not rest:
            if whole:
                raise click.UsageError(f"{command.name} needs a command")
            return
        found = command.get_command(context, rest[0])
        if found is None:
            raise click.UsageError(f"{command.name} has no command {rest[0]!r}")
        command = found
    if set(rest) - {"…", "..."}:
        raise click.UsageError(f"{command.name} takes no {rest!r}")
    for parameter in command.params:
        _check(parameter, values.get(parameter.name or ""), context, whole)


def _check(parameter: click.Parameter, value: object, context: click.Context, whole: bool) -> None:
    """Required ones are there; choices and numbers are among those allowed."""
    given = list(value) if isinstance(value, (list, tuple)) else [value]
    given = [v for v in given if isinstance(v, str)]
    if whole and parameter.required and not given:
        raise click.UsageError(f"{parameter.name} is missing")
    if isinstance(parameter.type, (click.Choice, click.IntRange, click.FloatRange)):
        for text in given:
            if not PLACEHOLDER.fullmatch(text):
                parameter.type.convert(text, parameter, context)


def pages(repository: Path) -> dict[str, str]:
    """README and all pages below docs, by their path."""
    files = [repository / "README.md", *sorted((repository / "docs").rglob("*.md"))]
    return {p.relative_to(repository).as_posix(): p.read_text(encoding="utf-8") for p in files}
