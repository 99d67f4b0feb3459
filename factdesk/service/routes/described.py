"""What the description says of every route."""

from __future__ import annotations

from typing import Any

from factdesk.service.types import Problem


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Error responses of a route: those of every one, and ``codes``."""
    common = (400, 401, 422, 429, 500, 503)
    return {code: {"model": Problem} for code in sorted({*common, *codes})}
