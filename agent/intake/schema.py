"""The public JSON Schema of Claim IR, ``docs/schemas/claim-ir-1.json``, made from the types.

Run ``python -m agent.intake.schema --check`` (exit code 1 when the file is out of date) or ``--write``.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from agent.types import ClaimIR
from factdesk.kernel import CLAIM_IR_SCHEMA

SCHEMA_PATH = Path("docs") / "schemas" / "claim-ir-1.json"
"""Relative to the project's root folder."""


def claim_ir_schema() -> str:
    """The schema as JSON text with sorted keys and a line end."""
    schema = ClaimIR.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = f"urn:{CLAIM_IR_SCHEMA.replace('/', ':')}"
    properties = schema["properties"]
    properties["schema_version"]["const"] = CLAIM_IR_SCHEMA
    properties["claims"].update(minItems=1, maxItems=12)
    properties["trimmed"]["minimum"] = 0
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Check or write the file below the current folder; gives the exit code."""
    parser = argparse.ArgumentParser(prog="agent.intake.schema", description="JSON Schema of Claim IR")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="fail when the file differs from the types")
    action.add_argument("--write", action="store_true", help="write the file")
    parser.add_argument("--root", type=Path, default=Path(), help="root folder of the project")
    options = parser.parse_args(arguments)
    path = options.root / SCHEMA_PATH
    if options.write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(claim_ir_schema(), encoding="utf-8")
        return 0
    if path.is_file() and path.read_text(encoding="utf-8") == claim_ir_schema():
        return 0
    sys.stderr.write(f"{path} is not current; run python -m agent.intake.schema --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
