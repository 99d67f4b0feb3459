"""Reading the body of a check: JSON, or a form with pictures."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from factdesk.service.types import MAX_CHARACTERS, CheckRequest, Upload

_FIELDS = ("text", "date", "as_of", "corpus", "image")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


async def read_check(request: Request, max_images: int) -> tuple[CheckRequest, tuple[Upload, ...]]:
    """A check and its pictures from a request.

    Raises ``HTTPException``: 415 for another media type, 422 for invalid fields, 400 for an unreadable
    form, 413 for a body that is too large.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return _validated(await request.body()), ()
    if kind not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        raise HTTPException(415, "send application/json, or multipart/form-data with pictures")
    async with request.form(max_files=max_images + 1, max_fields=32, max_part_size=4 * MAX_CHARACTERS + 1) as form:
        return _fields(form), await _pictures(form, max_images)


def _validated(data: bytes) -> CheckRequest:
    try:
        return CheckRequest.model_validate_json(data)
    except ValidationError as error:
        raise HTTPException(422, explained(error.errors())) from error


def _fields(form: FormData) -> CheckRequest:
    values: dict[str, Any] = {}
    for name, value in form.multi_items():
        if name not in _FIELDS:
            raise HTTPException(422, f"unknown field {name[:80]!r}; known ones: {', '.join(_FIELDS)}")
        if name == "image" or value == "":
            continue
        if not isinstance(value, str):
            raise HTTPException(422, f"{name} must be text, not a file")
        if name == "corpus":
            values.setdefault(name, []).append(value)
        elif name in values:
            raise HTTPException(422, f"{name} is given twice")
        else:
            values[name] = value.replace("\r\n", "\n") if name == "text" else value
    try:
        return CheckRequest.model_validate(values)
    except ValidationError as error:
        raise HTTPException(422, explained(error.errors())) from error


async def _pictures(form: FormData, max_images: int) -> tuple[Upload, ...]:
    found = []
    for number, value in enumerate(form.getlist("image"), 1):
        if not isinstance(value, UploadFile):
            if value:
                raise HTTPException(422, "image must be a file")
            continue
        data = await value.read()
        if not data and not value.filename:
            continue  # a browser's field that was left empty
        found.append(Upload(name=f"{safe_name(value.filename or '', number)}", data=data))
    if len(found) > max_images:
        raise HTTPException(422, f"{len(found)} pictures are too many; at most {max_images} are taken")
    return tuple(found)


def safe_name(given: str, number: int) -> str:
    """The last part of a file name in plain characters, never empty or hidden."""
    last = PureWindowsPath(PurePosixPath(given).name).name
    plain = _UNSAFE.sub("_", last).lstrip("._-")[-80:]
    return plain or f"image-{number}"


def explained(errors: Any) -> str:
    """Pydantic's errors in one line, without the values."""
    parts = []
    for item in list(errors)[:5]:
        where = ".".join(str(part) for part in item["loc"])
        parts.append(f"{where or 'the body'}: {item['msg']}"[:200])
    return "; ".join(parts)
