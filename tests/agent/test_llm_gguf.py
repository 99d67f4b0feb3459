"""The frame that is written for a small local model: whatever it fills in, the answer can be read.

The model itself runs in ``tests/factdesk/test_llm_check.py`` (``pytest -m slow``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.adapters.gguf import LIST_ITEMS, _fill, find_gguf
from agent.reasoners import llm_schemas
from factdesk.kernel import InputError, Record

SCHEMAS = [
    value
    for value in vars(llm_schemas).values()
    if isinstance(value, type) and issubclass(value, Record) and value.__module__ == llm_schemas.__name__
]


class Pen:
    """A model that fills in anything."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.written = ""

    def force(self, text: str) -> None:
        self.written += text

    def quoted(self, options: Sequence[str] = ()) -> str:
        words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
        text = json.dumps(self.data.draw(st.sampled_from(list(options)) if options else words))
        self.force(text)
        return text

    def choose(self, options: Sequence[str]) -> str:
        chosen: str = self.data.draw(st.sampled_from(list(options)))
        self.force(chosen)
        return chosen


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda s: s.__name__)
@settings(max_examples=30)
@given(data=st.data())
def test_every_schema_is_filled_in_so_that_it_validates(schema: type[Record], data: st.DataObject) -> None:
    shape = schema.model_json_schema()
    pen: Any = Pen(data)
    record = schema.model_validate_json(_fill(pen, shape, shape.get("$defs", {})))
    for value in record.model_dump().values():
        assert not isinstance(value, list | tuple) or 1 <= len(value) <= LIST_ITEMS
    assert pen.written.startswith("{")


def test_schemas_are_such_as_strict_providers_take() -> None:
    assert len(SCHEMAS) >= 9
    for schema in SCHEMAS:
        shape = schema.model_json_schema()
        for part in (shape, *shape.get("$defs", {}).values()):
            assert part["additionalProperties"] is False
            assert sorted(part["required"]) == sorted(part["properties"])


def test_a_gguf_file_is_found_by_path_folder_or_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_model_package"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('finding must not import')\n")
    file = package / "tiny.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_gguf(str(file)) == find_gguf(str(package)) == find_gguf("some_model_package") == file
    (package / "other.gguf").write_bytes(b"GGUF")
    with pytest.raises(InputError, match="several"):
        find_gguf(str(package))
    with pytest.raises(InputError, match="no GGUF file"):
        find_gguf(str(tmp_path / "nothing"))
