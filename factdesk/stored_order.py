"""An order as a stopped run keeps it: settings without secrets and places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from factdesk.kernel import ConfigError, InputError
from factdesk.settings import Settings
from store.runs import Order

if TYPE_CHECKING:
    from report.types import Certificate
    from store.ledger import Ledger

LEFT_OUT: Any = {
    "home": True,
    "llm": {"api_key"},
    "imagesearch": {"api_key"},
    "websearch": {"api_key"},
    "database": True,
    "serve": True,
}
"""Secrets and places, which a run takes from the process that goes on with it."""


def storable(settings: Settings) -> dict[str, Any]:
    """Settings as JSON values, without the home folder and without secrets."""
    return settings.model_dump(mode="json", exclude=LEFT_OUT)


def stored_settings(order: Order, now: Settings) -> Settings:
    """The settings a run was begun with; home and secrets are those of ``now``. Raises ``ConfigError``: this version
    cannot take them.
    """
    kept: dict[str, Any] = {"home": now.home, "database": now.database, "serve": now.serve}
    for name in ("llm", "imagesearch", "websearch"):
        kept[name] = {**getattr(now, name).model_dump(), **order.settings.get(name, {})}
    try:
        settings = Settings(**{**order.settings, **kept})
    except ValidationError as error:
        raise ConfigError(
            f"the settings of run {order.run_id!r} do not fit this version; check its claim anew"
        ) from error
    if storable(settings) != order.settings:
        raise ConfigError(f"file or environment override the settings of run {order.run_id!r}; unset them to resume it")
    return settings


def append_once(ledger: Ledger, certificate: Certificate) -> Certificate:
    """Append, unless the process before was killed right after it had appended the same certificate."""
    try:
        there = ledger.get(certificate.envelope.certificate_id)
    except InputError:
        return ledger.append(certificate)
    return there if there.body == certificate.body else ledger.append(certificate)
