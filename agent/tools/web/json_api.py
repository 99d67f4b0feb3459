"""A JSON answer of a public interface, asked for through the guarded connection of ``docs/web.md``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from agent.tools.web.http import Getter
from agent.tools.web.ssrf_guard import AddressGuard
from factdesk.kernel import BackendUnavailable, ConfigError

MAX_BYTES = 3_000_000
TYPES = ("application/json",)


class JsonApi:
    """``GET`` requests below one address; a key goes into a header, so that no address holds it."""

    def __init__(self, name: str, base: str, *, key_header: tuple[str, str] | None = None) -> None:
        """``name``: of the service, for messages. Raises ``ConfigError`` for an invalid address."""
        if not base.startswith(("http://", "https://")):
            raise ConfigError(f"websearch.url {base!r} is no address; give http://HOST or https://HOST")
        self.name = name
        self.base = base.rstrip("/")
        self._headers = dict([key_header]) if key_header else {}
        self._getter = Getter(AddressGuard(), seconds=15.0)

    def get(self, path: str, parameters: Mapping[str, str]) -> dict[str, Any]:
        """The object at a path. Raises ``TransientError`` or ``BackendUnavailable``."""
        url = f"{self.base}{path}?{urlencode(parameters)}"
        answer = self._getter.get(url, max_bytes=MAX_BYTES, types=TYPES, headers=self._headers)
        if answer.status in (400, 401, 403):
            raise BackendUnavailable(f"{self.name} answered {answer.status}; check the settings websearch.*")
        if answer.status != 200:
            raise BackendUnavailable(f"{self.name} answered {answer.status}")
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError) as error:
            raise BackendUnavailable(f"{self.name} did not answer with JSON") from error
        if not isinstance(found, dict):
            raise BackendUnavailable(f"{self.name} answered with no JSON object")
        return found


def rows(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; ``[]`` for what is none."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
