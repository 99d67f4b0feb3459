"""Flags that are derived from the fields of ``Settings``: name, type, bounds and description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date as Date
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin

import click
from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from factdesk.cli.common import DAY, FILE
from factdesk.registry import installed
from factdesk.settings import Settings, load_settings
from factdesk.settings_parts import PRESETS, BackEndName

if TYPE_CHECKING:
    from factdesk.check.context import CheckRequest

Command = TypeVar("Command", bound=Callable[..., Any])
CLAIM_FLAGS = ("images", "image_urls", "date")
"""Flags about one claim."""
SETTINGS_FLAGS = (
    *("corpus", "web", "window", "block", "method", "wider", "veracity", "retriever", "graph", "delta", "lam"),
    *("ranking", "trust", "reasoner", "verifier", "mode"),
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

    images: tuple[Path, ...] = ()
    image_urls: tuple[str, ...] = ()
    date: Date | None = None
    as_of: Date | None = None
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

        return CheckRequest(
            text=text,
            images=self.images,
            image_urls=self.image_urls,
            date=self.date,
            as_of=self.as_of,
            asked=asked,
        )


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


def choices(name: str) -> tuple[str, ...]:
    """The words that a field of ``Settings`` may be."""
    found = Settings.model_fields[name]
    own = next((extra.own for extra in found.metadata if isinstance(extra, BackEndName)), None)
    return own or get_args(found.annotation)


def setting_option(path: str, **changed: Any) -> Callable[[Command], Command]:
    """The flag of a field (``"retriever"``, ``"caps.max_pairs"``), with attributes of click's put over it."""
    info, name = Settings.model_fields[path.split(".")[0]], path.split(".")[-1]
    if "." in path:
        info = type(info.default).model_fields[name]
    attributes = {"help": info.description, **_typed(name, info), **SPELT.get(name, {}), **changed}
    return click.option(*attributes.pop("param_decls"), **attributes)


def _typed(name: str, info: FieldInfo) -> dict[str, Any]:
    """Click's attributes for the type of a field."""
    flag = f"--{name.replace('_', '-')}"
    kind = info.annotation
    if get_origin(kind) in (Union, UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    if kind is bool:
        return {"param_decls": (f"{flag}/--no-{name.replace('_', '-')}", name), "default": None}
    back_end = next((extra for extra in info.metadata if isinstance(extra, BackEndName)), None)
    found: dict[str, Any] = {"param_decls": (flag, name)}
    if back_end is not None:
        found["type"] = BackEndChoice(back_end)
    elif get_origin(kind) is Literal:
        found["type"] = click.Choice(get_args(kind))
    elif get_origin(kind) is tuple:
        found["multiple"] = True
    elif kind in (int, float):
        found["type"] = (click.IntRange if kind is int else click.FloatRange)(**_bounds(info))
    return found


def _bounds(info: FieldInfo) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for bound in info.metadata:
        match bound:
            case Ge(ge=least):
                found["min"] = least
            case Gt(gt=least):
                found |= {"min": least, "min_open": True}
            case Le(le=most):
                found["max"] = most
            case Lt(lt=most):
                found |= {"max": most, "max_open": True}
    return found


def check_options(*, without: tuple[str, ...] = (), also: tuple[str, ...] = ()) -> Callable[[Command], Command]:
    """The flags of a check on a command, which gets them as one argument ``flags`` (:class:`CheckFlags`).

    ``without``: those that make no sense for it. ``also``: further fields of ``Settings``.
    """
    options = {
        "images": click.option(
            "--image",
            "images",
            multiple=True,
            type=FILE,
            help="Image that belongs to the claim, or a short video, of which key frames are taken; may be repeated.",
        ),
        "image_urls": click.option(
            "--image-url",
            "image_urls",
            multiple=True,
            help="Public address of the image, for reverse image search; in the order of --image.",
        ),
        "date": click.option("--date", "date", type=DAY, help="Day on which the claim was made."),
        "as_of": click.option("--as-of", type=DAY, help="Leave out evidence published after this day."),
        "preset": click.option(
            "--preset",
            type=click.Choice(sorted(PRESETS)),
            help="Settings of a published system; other flags stand over them (docs/papers.md).",
        ),
        **{path: setting_option(path) for path in (*SETTINGS_FLAGS, *also)},
    }
    chosen = {path: option for path, option in options.items() if path not in without}

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*arguments: Any, **given: Any) -> Any:
            values = {path: given.pop(path.split(".")[-1]) for path in chosen}
            return command(*arguments, flags=_flags(values), **given)

        found: Any = run
        for option in reversed(chosen.values()):
            found = option(found)
        return found  # type: ignore[no-any-return]

    return decorate


def _flags(values: Mapping[str, Any]) -> CheckFlags:
    """What click read, sorted into the two: about the claim, and over the settings."""
    claim = {name: value for name, value in values.items() if name in (*CLAIM_FLAGS, "as_of")}
    given = {path: v for path, v in values.items() if path not in claim and v is not None and v != ()}
    caps = {path.partition(".")[2]: value for path, value in given.items() if "." in path}
    plain = {path: value for path, value in given.items() if "." not in path}
    return CheckFlags(**claim, overrides={**plain, "caps": caps} if caps else plain)
