"""Reading the bodies of requests: JSON, or forms with pictures and documents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import AsyncIterator, Callable
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

from fastapi import Depends
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from factdesk.kernel import Record
from factdesk.service.desk import desk_of
from factdesk.service.types import MAX_CHARACTERS, Upload

Asked = TypeVar("Asked", bound=Record)
FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
MAX_DOCUMENTS = 200
"""Files of one form."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_UNFIT = re.compile(r"[^\w.,()' -]+")
"""What the name of a document's file does not keep."""


def form_of(model: type[Asked], *, pictures: bool = False) -> Any:
    """FastAPI's dependency that reads a record and its pictures: JSON, or a form with the fields of ``model``, kept as
    ``request.state.given``. Raises ``HTTPException`` 400 for an unreadable form, 413, 415, and 422 for invalid fields.
    """

    async def read(request: Request) -> tuple[Asked, tuple[Upload, ...]]:
        request.state.given = {}
        most = desk_of(request).settings.serve.max_images if pictures else 0
        if _media_type(request) == "application/json":
            return _validated(lambda data: model.model_validate_json(data), await request.body()), ()
        if _media_type(request) not in FORMS:
            raise HTTPException(415, "send application/json, or multipart/form-data with pictures")
        async with request.form(max_files=most + 1, max_fields=32, max_part_size=4 * MAX_CHARACTERS + 1) as form:
            asked = _validated(model.model_validate, _fields(form, model, most))
            request.state.given = asked.model_dump(exclude_none=True)
            return asked, await _pictures(form, most)

    return Depends(read)


def any_form(*, fields: int, files: int = 0) -> Any:
    """FastAPI's dependency for another form, with so many fields and files at most, while its request is answered.
    Raises ``HTTPException`` as :func:`form_of` does.
    """

    async def read(request: Request) -> AsyncIterator[FormData]:
        if _media_type(request) not in ("", *FORMS):
            raise HTTPException(415, "send multipart/form-data with documents")
        async with request.form(max_files=files, max_fields=fields, max_part_size=10_000) as form:
            request.state.given = {name: value.strip() for name, value in form.multi_items() if isinstance(value, str)}
            yield form

    return Depends(read)


def files_of(form: FormData, field: str) -> list[tuple[str, bytes]]:
    """Name and bytes of the files of a field; a field that was left empty has none."""
    given = (value for value in form.getlist(field) if isinstance(value, UploadFile) and value.filename)
    return [(value.filename or "", value.file.read()) for value in given]


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _validated(read: Callable[[Any], Asked], data: Any) -> Asked:
    try:
        return read(data)
    except ValidationError as error:
        raise HTTPException(422, explained(error.errors())) from error


def _fields(form: FormData, model: type[Record], max_images: int) -> dict[str, Any]:
    known = (*model.model_fields, *(("image",) if max_images else ()))
    many = {name for name, info in model.model_fields.items() if isinstance(info.default, tuple)}
    values: dict[str, Any] = {}
    for name, value in form.multi_items():
        if name not in known:
            raise HTTPException(422, f"unknown field {name[:80]!r}; known ones: {', '.join(known)}")
        if name == "image" or value == "":
            continue
        if not isinstance(value, str):
            raise HTTPException(422, f"{name} must be text, not a file")
        if name in many:
            values.setdefault(name, []).append(value)
        elif name in values:
            raise HTTPException(422, f"{name} is given twice")
        else:
            values[name] = value.replace("\r\n", "\n") if name == "text" else value
    return values


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


def document_name(given: str, number: int) -> str:
    """The same for a document, whose name becomes its id: letters of all scripts stay, and the ending."""
    last = unicodedata.normalize("NFC", PureWindowsPath(PurePosixPath(given).name).name)
    stem, dot, suffix = _UNFIT.sub("_", last).lstrip("._- ").rpartition(".")
    plain = f"{stem[:50].strip()}.{suffix[:12]}" if dot and stem else suffix[:50]
    return plain or f"document-{number}"


def explained(errors: Any) -> str:
    """Pydantic's errors in one line, without the values."""
    parts = []
    for item in list(errors)[:5]:
        where = ".".join(str(part) for part in item["loc"])
        parts.append(f"{where or 'the body'}: {item['msg']}"[:200])
    return "; ".join(parts)
