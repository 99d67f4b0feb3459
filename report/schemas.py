"""JSON Schemas of the public formats, generated from the models.

``python -m report.schemas --write`` writes ``docs/schemas/*.json``; ``--check`` exits with 1 when one
differs from the models.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from agent.types import ClaimIR
from factdesk.kernel import CERTIFICATE_SCHEMA, CHECK_SCHEMA, CLAIM_IR_SCHEMA
from report.render.check_json import AnswerResult, CheckResult
from report.types import Certificate

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def certificate_schema() -> dict[str, Any]:
    """JSON Schema of :class:`report.types.Certificate`."""
    schema = _schema(Certificate, "urn:factdesk:certificate:1")
    schema["$defs"]["CertificateBody"]["properties"]["schema_version"]["const"] = CERTIFICATE_SCHEMA
    return schema


def check_schema() -> dict[str, Any]:
    """JSON Schema of :class:`report.render.check_json.CheckResult`, the output of ``check --json``."""
    schema = _schema(CheckResult, "urn:factdesk:check:1")
    schema["properties"]["schema_version"]["const"] = CHECK_SCHEMA
    return schema


def claim_ir_schema() -> dict[str, Any]:
    """JSON Schema of :class:`agent.types.ClaimIR`, what a text is read into."""
    schema = _schema(ClaimIR, f"urn:{CLAIM_IR_SCHEMA.replace('/', ':')}", mode="validation")
    properties = schema["properties"]
    properties["schema_version"]["const"] = CLAIM_IR_SCHEMA
    properties["claims"].update(minItems=1, maxItems=12)
    properties["trimmed"]["minimum"] = 0
    return schema


def schema_texts() -> dict[str, str]:
    """File name to file content, as they stand in ``docs/schemas``."""
    schemas = {
        "answer-1.json": _schema(AnswerResult, "urn:factdesk:answer:1"),
        "certificate-1.json": certificate_schema(),
        "check-1.json": check_schema(),
        "claim-ir-1.json": claim_ir_schema(),
    }
    return {
        name: json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        for name, schema in schemas.items()
    }


def stale(folder: Path = FOLDER) -> tuple[str, ...]:
    """Names of the files that are missing or differ from the models."""
    return tuple(
        name
        for name, text in schema_texts().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    )


def write(folder: Path = FOLDER) -> None:
    """Write all schema files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schema_texts().items():
        (folder / name).write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """``--write`` or ``--check``; the exit code."""
    if list(arguments) == ["--write"]:
        write()
        return 0
    if list(arguments) == ["--check"]:
        names = stale()
        if names:
            sys.stderr.write(f"not as generated: {', '.join(names)}; run python -m report.schemas --write\n")
        return 1 if names else 0
    sys.stderr.write("usage: python -m report.schemas --check | --write\n")
    return 2


def _schema(
    model: type[BaseModel], identifier: str, mode: Literal["validation", "serialization"] = "serialization"
) -> dict[str, Any]:
    schema = model.model_json_schema(mode=mode)
    return {"$schema": _DIALECT, "$id": identifier, **schema}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
