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
UNRECORDED: Any = {
    **LEFT_OUT,
    "corpus": True,
    "score_cache": True,
    "imagesearch": {"url", "api_key"},
    "websearch": {"url", "api_key"},
}
"""What a recording leaves out: all that belongs to the machine."""


def storable(settings: Settings, left_out: Any = LEFT_OUT) -> dict[str, Any]:
    """Settings as JSON values, without the home folder and without secrets."""
    return settings.model_dump(mode="json", exclude=left_out)


def stored_settings(order: Order, now: Settings, left_out: Any = LEFT_OUT) -> Settings:
    """The settings of an order; what was ``left_out`` of it is that of ``now``. Raises ``ConfigError``: this version
    cannot take them.
    """
    given = dict(order.settings)
    try:
        for name, value in now.model_dump(include=left_out).items():
            given[name] = {**value, **given.get(name, {})} if isinstance(value, dict) else value
        settings = Settings(**given)
    except (ValidationError, TypeError) as error:
        raise ConfigError(
            f"the settings of run {order.run_id!r} do not fit this version; check its claim anew"
        ) from error
    if storable(settings, left_out) != order.settings:
        raise ConfigError(f"file or environment override the settings of run {order.run_id!r}; unset them to resume it")
    return settings


def append_once(ledger: Ledger, certificate: Certificate) -> Certificate:
    """Append, unless the process before was killed right after it had appended the same certificate."""
    try:
        there = ledger.get(certificate.envelope.certificate_id)
    except InputError:
        return ledger.append(certificate)
    return there if there.body == certificate.body else ledger.append(certificate)
