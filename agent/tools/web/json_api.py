"""A JSON answer of a public interface, asked for through the guarded connection of ``docs/web.md``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from agent.tools.web.http import Getter
from agent.tools.web.ssrf_guard import AddressGuard, Refused, Trouble
from factdesk.kernel import BackendUnavailable, ConfigError, TransientError

MAX_BYTES = 5_000_000
TYPES = ("application/json",)


class OwnAddress(AddressGuard):
    """Lets every address pass, since it comes from the user's settings; redirects are not followed."""

    def address(self, host: str, port: int) -> str:
        """The host as it is."""
        del port
        return host


class JsonApi:
    """``GET`` requests below one address; ``key_header``: a key in a header, so that no address holds it."""

    def __init__(
        self,
        name: str,
        base: str,
        *,
        key_header: tuple[str, str] | None = None,
        guard: AddressGuard | None = None,
        seconds: float = 15.0,
        settings: str = "websearch",
        hint: str = "",
    ) -> None:
        """``name``: of the service, ``settings``: its part of them, ``hint``: what to mend, for messages.

        Raises ``ConfigError`` for an invalid address.
        """
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{settings}.url {base!r} is no address; give http://HOST or https://HOST")
        self.base = base.rstrip("/")
        self._name, self._hint = name, hint or f"check {settings}.url and {settings}.api_key"
        self._headers = dict([key_header]) if key_header else {}
        self._getter = Getter(guard or AddressGuard(), seconds=seconds)

    def get(self, path: str, parameters: Mapping[str, str]) -> dict[str, Any]:
        """The object at a path. Raises ``TransientError`` or ``BackendUnavailable``, without the address, which
        may hold a key.
        """
        url = f"{self.base}{path}?{urlencode(parameters)}"
        try:
            answer = self._getter.get(url, max_bytes=MAX_BYTES, types=TYPES, headers=self._headers)
        except Trouble as error:
            raise TransientError(f"{self._name} could not be reached ({error})") from None
        except Refused as error:
            raise BackendUnavailable(f"{self._name} gave no JSON to read ({error.kind}); {self._hint}") from None
        if answer.status != 200:
            raise BackendUnavailable(f"{self._name} answered {answer.status}; {self._hint}")
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError) as error:
            raise BackendUnavailable(f"{self._name} did not answer with JSON") from error
        if not isinstance(found, dict):
            raise BackendUnavailable(f"{self._name} answered with no JSON object")
        return found

    def rows(self, found: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        """The objects of a list in an answer. Raises ``BackendUnavailable`` where there is none."""
        if not isinstance(found.get(name), list):
            raise BackendUnavailable(f"{self._name}'s answer has no list {name!r}; {self._hint}")
        return rows(found[name])


def rows(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; ``[]`` for what is none."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def text_of(row: Mapping[str, Any], name: str) -> str:
    """A field as text; ``""``: none."""
    return str(row.get(name) or "")
