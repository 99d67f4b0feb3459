"""Canonical bytes: RFC 8785 JSON with every float rounded once, so that machines whose last digits differ agree.

Round *before* the policy decides (:func:`rounded`): a re-run on the stored numbers meets the same side of a threshold.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any, TypeVar

import rfc8785
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from factdesk.kernel import CertificateError

MAX_TEXT = 16_000_000
"""Characters of a certificate."""
DECIMALS = 6
"""Decimals every float keeps."""

_NUMBERS = (int, float)

R = TypeVar("R", bound=BaseModel)


def round_floats(value: Any) -> Any:
    """A copy with all floats rounded, ``-0.0`` as ``0.0``. Raises ``CertificateError`` for NaN and infinities."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise CertificateError(f"a certificate cannot hold the number {value!r}; scores must be finite")
        return round(value, DECIMALS) + 0.0
    if isinstance(value, dict):
        return {key: round_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [round_floats(item) for item in value]
    if isinstance(value, tuple):
        return tuple(round_floats(item) for item in value)
    return value


def rounded(record: R) -> R:
    """The same record with all its floats at six decimals. Idempotent."""
    return type(record).model_validate(round_floats(record.model_dump()))


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of JSON data, floats as they are. Raises ``CertificateError`` for what such JSON cannot hold: NaN,
    infinities, integers past 2**53, lone surrogates, keys that are no strings, nesting past Python's limit.
    """
    try:
        return rfc8785.dumps(value)
    except RecursionError as error:
        raise CertificateError("a certificate cannot hold data nested this deeply") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise CertificateError(f"a certificate cannot hold this data: {error}") from error


def dump(record: BaseModel) -> Any:
    """JSON data of a record, floats as they are; ``CertificateError`` for what has no JSON form."""
    # pydantic writes NaN and infinities as null without a word: look for them before.
    round_floats(record.model_dump())
    try:
        return record.model_dump(mode="json")
    except (PydanticSerializationError, UnicodeError) as error:
        raise CertificateError(f"a certificate cannot hold this data: {error}") from error


def canonical_record(record: BaseModel) -> bytes:
    """Canonical bytes of a record with all floats rounded."""
    return canonical(round_floats(dump(record)))


def canonical_exact(record: BaseModel) -> bytes | None:
    """As :func:`canonical_record`; ``None`` where a float of the record has more than six decimals."""
    found = dump(record)
    exact = round_floats(found)
    return canonical(exact) if exact == found else None


def in_exact_form(record: BaseModel, data: Any) -> bool:
    """Whether JSON ``data`` is, to the byte of its canonical form, what the record with rounded floats is.

    Values are compared first, which is quick; the bytes decide where any differs. Raises ``CertificateError``
    as :func:`canonical` does, for what the values do not show.
    """
    with suppress(PydanticSerializationError, UnicodeError, RecursionError):  # the slow way names them
        if _same(record.model_dump(mode="json"), data):
            return True
    exact = canonical(dump(record))
    return exact == canonical(data) == canonical_record(record)


def _same(found: Any, data: Any) -> bool:
    """Whether both have the same canonical bytes, with floats at six decimals. ``False``: not sure."""
    kind = type(data)
    if kind is dict:
        return (
            type(found) is dict
            and len(found) == len(data)
            and all(key in found and _same(found[key], value) for key, value in data.items())
        )
    if kind is list:
        return type(found) is list and len(found) == len(data) and all(map(_same, found, data))
    if kind is float or kind is int:  # 1 and 1.0 are the same number
        return type(found) in _NUMBERS and abs(data) < 2**53 and found == data == round(data, DECIMALS)
    return type(found) is kind and bool(found == data)
