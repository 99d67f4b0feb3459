"""Arguments and options of commands, derived from their parameters and from the fields of ``Settings``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from datetime import date as Date
from datetime import datetime
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import click
from annotated_types import Ge, Le

from factdesk.cli.output import AS_JSON, Outcome, keep_json
from factdesk.registry import installed
from factdesk.settings import RetrieverName, Settings, load_settings
from factdesk.settings_parts import PRESETS, BackEndName

if TYPE_CHECKING:
    from factdesk.check.context import CheckRequest
    from factdesk.parallel.stages import Executor

Function = TypeVar("Function", bound=Callable[..., Any])


class Day(click.ParamType[Date]):
    """An ISO date (``2024-05-31``)."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Date:
        """Parse, or say what a date looks like."""
        if isinstance(value, Date):
            return value
        try:
            return datetime.strptime(value, "%Y-%m-%d").date()
        except ValueError:
            self.fail(f"{value!r} is no date; write it as 2024-05-31", param, ctx)


ARGUMENT = object()
"""Marks an argument that has a default."""
_TYPES: Mapping[object, click.ParamType[Any]] = {Date: Day(), Path: click.Path(path_type=Path)}
Verdict = Literal["supported", "refuted", "conflicting", "not_enough_evidence"]
VERDICTS = get_args(Verdict)
NewFile = Annotated[Path, click.Path(dir_okay=False, path_type=Path)]
Limit = Annotated[int, Ge(1), Le(1000)]
Quiet = Annotated[bool, "No progress on stderr."]
Yes = Annotated[bool, "Do not ask."]
Engine = Annotated[Literal["local", "ray"], "Where models run: in this process, or on a Ray cluster."]
Workers = Annotated[int | None, Ge(1), Le(256), "Ray actors, each with models of its own (default: 1)."]
CLAIM_FLAGS = ("images", "image_urls", "date")
"""Flags about one claim."""
SETTINGS_FLAGS = (
    *("corpus", "web", "window", "block", "method", "wider", "veracity", "retriever", "graph", "delta", "lam"),
    *("ranking", "trust", "corpus_trust", "reasoner", "verifier", "mode"),
    *("caps.max_seconds", "caps.max_pairs", "caps.max_claims", "caps.max_tokens"),
)
"""Fields of ``Settings`` that are flags of a check, in the order of its help."""
SPELT: Mapping[str, Mapping[str, Any]] = {
    "trust": {"param_decls": ("--trust", "trust"), "type": click.Choice(["on", "off"])},
    "sources": {"param_decls": ("--source", "sources")},
}
"""Fields whose flag is written otherwise than their name and type say."""


@dataclass(frozen=True)
class CheckFlags:
    """What was given on the command line: about the claim, and over file and environment."""

    images: Annotated[
        tuple[Path, ...],
        "--image",
        "Image that belongs to the claim, or a short video, of which key frames are taken; may be repeated.",
    ] = ()
    image_urls: Annotated[
        tuple[str, ...],
        "--image-url",
        "Public address of the image, for reverse image search; in the order of --image.",
    ] = ()
    date: Annotated[Date | None, "Day on which the claim was made."] = None
    as_of: Annotated[Date | None, "Leave out evidence published after this day."] = None
    overrides: Mapping[str, object] = field(default_factory=dict)
    """Arguments of ``load_settings``; those that were given alone."""

    @property
    def corpus(self) -> tuple[str, ...]:
        """Corpora that were named."""
        found = self.overrides.get("corpus")
        return found if isinstance(found, tuple) else ()

    def settings(self, **more: object) -> Settings:
        """The settings of file and environment with the flags, and with ``more``, put over them."""
        return load_settings(**{**self.overrides, **more})

    def request(self, text: str, *, asked: bool = False) -> CheckRequest:
        """The request for a claim, or for a question."""
        from factdesk.check.context import CheckRequest

        return CheckRequest(text, self.images, self.image_urls, self.date, self.as_of, asked=asked)


class BackEndChoice(click.Choice[str]):
    """The names of factdesk's own back ends, and those that installed packages add."""

    def __init__(self, name: BackEndName) -> None:
        super().__init__(name.own)
        self._kind = name.kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, or what the choice is."""
        if value not in self.choices and value in (found.name for found in installed(self._kind)):
            return str(value)
        return super().convert(value, param, ctx)


RETRIEVER = click.Choice([name for name in get_args(RetrieverName) if name != "none"])
"""What finds sentences."""


def setting(path: str, **changed: Any) -> dict[str, Any]:
    """Click's attributes for a field (``"retriever"``, ``"caps.max_pairs"``), with others put over them."""
    info, name = Settings.model_fields[path.split(".")[0]], path.split(".")[-1]
    if "." in path:
        info = type(info.default).model_fields[name]
    derived = _attributes(name, info.annotation, info.metadata)
    return {**derived, "help": info.description, **SPELT.get(name, {}), **changed}


def setting_option(path: str, **changed: Any) -> Callable[[Function], Function]:
    """The option of a field, on a command."""
    return lambda command: _with(command, [_of_setting(path, **changed)])


def _of_setting(path: str, **changed: Any) -> click.Option:
    attributes = setting(path, **changed)
    return click.Option(attributes.pop("param_decls"), **attributes)


class Command(click.Command):
    """A command whose arguments and options are the parameters of its function, and whose outcome is printed.

    A parameter without a default is an argument. ``Annotated`` adds to its type, in any order: a sentence (help),
    ``--name``, bounds, a type or attributes of click's, :data:`ARGUMENT`. Those that decorators have given an
    option, and ``flags``, are passed over. What gives an :class:`Outcome` has ``--json`` besides.
    """

    def __init__(self, name: str | None, *, callback: Callable[..., Any], params: list[click.Parameter], **more: Any):
        hints = get_type_hints(callback, include_extras=True)
        known = {parameter.name for parameter in params}
        for name_of, parameter in inspect.signature(callback).parameters.items():
            if name_of not in known and hints[name_of] is not CheckFlags:
                params.append(_parameter(name_of, hints[name_of], parameter.default))
        if Outcome in (hints["return"], *get_args(hints["return"])):
            params.append(
                click.Option(
                    ["--json", AS_JSON], is_flag=True, help="Print as JSON.", callback=keep_json, expose_value=False
                )
            )
        super().__init__(name, callback=callback, params=params, **more)

    def invoke(self, ctx: click.Context) -> None:
        """Run it, and print what it gives."""
        found = super().invoke(ctx)
        if isinstance(found, Outcome):
            found.show()
            if found.code:
                ctx.exit(found.code)


class Group(click.Group):
    """A group of such commands."""

    command_class = Command
    group_class = type


def _parameter(name: str, hint: Any, default: Any) -> click.Parameter:
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    attributes = _attributes(name, kind, extras, default)
    spelt, needed = attributes.pop("param_decls"), default is inspect.Parameter.empty
    if not needed and default not in (None, ()):
        attributes = {"default": default, "show_default": bool(default) and default is not True, **attributes}
    if ARGUMENT in extras or (needed and not any(str(extra).startswith("--") for extra in extras)):
        if attributes.pop("multiple", False):
            attributes["nargs"] = -1
        attributes.pop("show_default", None)
        return click.Argument([name], required=needed, **attributes)
    return click.Option(spelt, required=needed, **attributes)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _attributes(name: str, kind: Any, extras: Iterable[Any], default: object = None) -> dict[str, Any]:
    """Click's attributes for a type and what is said beside it."""
    if get_origin(kind) in (Union, UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    found: dict[str, Any] = {"param_decls": (_flag(name), name)}
    if get_origin(kind) is tuple:
        found["multiple"], kind = True, get_args(kind)[0]
    if get_origin(kind) is Annotated:
        kind, *inner = get_args(kind)
        extras = (*inner, *extras)
    if kind is bool and default is False:
        found["is_flag"] = True
    elif kind is bool:
        found |= {"param_decls": (f"{_flag(name)}/--no-{_flag(name)[2:]}", name), "default": default}
    elif get_origin(kind) is Literal:
        found["type"] = click.Choice(get_args(kind))
    elif kind in (int, float):
        found["type"] = (click.IntRange if kind is int else click.FloatRange)(**_bounds(extras))
    elif kind in _TYPES:
        found["type"] = _TYPES[kind]
    for extra in extras:
        match extra:
            case BackEndName():
                found["type"] = BackEndChoice(extra)
            case click.ParamType():
                found["type"] = extra
            case Mapping():
                found |= extra
            case str() if extra.startswith("--"):
                found["param_decls"] = (extra, name)
            case str():
                found["help"] = extra
    return found


def _bounds(extras: Iterable[Any]) -> dict[str, Any]:
    """Click's ends of a range for the bounds among what is said beside a type."""
    found: dict[str, Any] = {}
    for name, end, is_open in (("ge", "min", False), ("gt", "min", True), ("le", "max", False), ("lt", "max", True)):
        for bound in extras:
            if (value := getattr(bound, name, None)) is not None:
                found |= {end: value, f"{end}_open": is_open}
    return found


def check_options(*, without: tuple[str, ...] = (), also: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """The flags of a check on a command, which gets them as one argument ``flags`` (:class:`CheckFlags`), ``without``
    those that make no sense for it. ``also``: further fields of ``Settings``.
    """
    hints = get_type_hints(CheckFlags, include_extras=True)
    preset = "Settings of a published system; other flags stand over them (docs/papers.md)."
    options = {
        **{name: _parameter(name, hints[name], None) for name in (*CLAIM_FLAGS, "as_of")},
        "preset": click.Option(["--preset"], type=click.Choice(sorted(PRESETS)), help=preset),
        **{path: _of_setting(path) for path in (*SETTINGS_FLAGS, *also)},
    }
    chosen = {path: option for path, option in options.items() if path not in without}

    def decorate(command: Function) -> Function:
        @wraps(command)
        def run(*arguments: Any, **given: Any) -> Any:
            values = {path: given.pop(path.split(".")[-1]) for path in chosen}
            return command(*arguments, flags=_flags(values), **given)

        found: Function = _with(run, chosen.values())
        return found

    return decorate


def _with(command: Any, options: Iterable[click.Parameter]) -> Any:
    """A function with options, as click's own decorators leave them: the last one first."""
    command.__click_params__ = [*getattr(command, "__click_params__", ()), *reversed([*options])]
    return command


def _flags(values: Mapping[str, Any]) -> CheckFlags:
    """What click read, sorted into the two: about the claim, and over the settings."""
    claim = {name: value for name, value in values.items() if name in (*CLAIM_FLAGS, "as_of")}
    given = {path: v for path, v in values.items() if path not in claim and v is not None and v != ()}
    caps = {path.partition(".")[2]: value for path, value in given.items() if "." in path}
    plain = {path: value for path, value in given.items() if "." not in path}
    return CheckFlags(**claim, overrides={**plain, "caps": caps} if caps else plain)


@contextmanager
def executor_of(engine: Engine, workers: int | None) -> Iterator[Executor | None]:
    """The executor of an engine, let go of at the end; ``None`` for this process itself.

    Raises ``BackendUnavailable`` when Ray is asked for and cannot be had.
    """
    if engine == "local":
        yield None
        return
    from factdesk.parallel.ray_workers import RayExecutor

    with redirect_stdout(sys.stderr):  # Ray prints its advice; stdout is for the outcome alone
        executor = RayExecutor(load_settings(), workers or 1)
        try:
            yield executor
        finally:
            executor.close()
