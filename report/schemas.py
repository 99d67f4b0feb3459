"""JSON Schemas of the public formats; ``python -m report.schemas --write`` generates ``docs/schemas/*.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from agent.types import ClaimIR
from factdesk.kernel import CERTIFICATE_SCHEMA, CLAIM_IR_SCHEMA
from report.render.check_json import AnswerResult, CheckResult
from report.types import Certificate

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Each public format by the name of its file."""
    certificate = _schema(Certificate, "factdesk:certificate")
    certificate["$defs"]["CertificateBody"]["properties"]["schema_version"]["const"] = CERTIFICATE_SCHEMA
    claim_ir = _schema(ClaimIR, "factdesk.claim-ir", mode="validation")
    claim_ir["properties"]["schema_version"]["const"] = CLAIM_IR_SCHEMA
    claim_ir["properties"]["claims"].update(minItems=1, maxItems=12)
    claim_ir["properties"]["trimmed"]["minimum"] = 0
    return {
        "answer-1.json": _schema(AnswerResult, "factdesk:answer"),
        "certificate-1.json": certificate,
        "check-1.json": _schema(CheckResult, "factdesk:check"),
        "claim-ir-1.json": claim_ir,
    }


def stale(folder: Path = FOLDER) -> tuple[str, ...]:
    """Names of the files that are missing or differ from the models."""
    return tuple(
        name
        for name, text in _texts().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    )


def write(folder: Path = FOLDER) -> None:
    """Write all schema files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _texts().items():
        (folder / name).write_text(text, encoding="utf-8")


def _texts() -> dict[str, str]:
    return {
        name: json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        for name, schema in schemas().items()
    }


def _schema(
    model: type[BaseModel], name: str, mode: Literal["validation", "serialization"] = "serialization"
) -> dict[str, Any]:
    return {"$schema": _DIALECT, "$id": f"urn:{name}:1", **model.model_json_schema(mode=mode)}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m report.schemas --write")
    write()
