"""``factdesk-verify FILE... [--key PUB] [--rerun] [--json]``.

The modules of factdesk that it needs lie in ``_src``. They are put first on the import path of this process,
so that neither an installed factdesk nor a folder ``report`` in the working directory can stand in for them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def parser() -> argparse.ArgumentParser:
    """The options; they mean what they mean to ``factdesk verify``."""
    made = argparse.ArgumentParser(
        prog="factdesk-verify",
        description="Say of certificates, exported histories and bundles whether integrity, completeness and "
        "(with --rerun) scores and decisions hold. Exit code 5 when an answer that was asked for does not.",
    )
    made.add_argument("files", nargs="+", type=Path, metavar="FILE")
    made.add_argument("--key", action="append", type=Path, default=[], help="public key: PEM or key set")
    made.add_argument("--rerun", action="store_true", help="run the verifier again and decide anew")
    made.add_argument("--history", type=Path, help="export to look single certificates up in")
    made.add_argument("--head", action="append", type=Path, default=[], help="head of the history that you kept")
    made.add_argument("--verifier", help="the verifier to run again (default: the shipped one)")
    made.add_argument("--allow-unsigned", action="store_true", help="let unsigned certificates pass integrity")
    made.add_argument("--json", action="store_true", help="print as JSON")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Verify; the exit code."""
    source = Path(__file__).resolve().parent / "_src"
    if source.is_dir():
        sys.path.insert(0, str(source))
    given = parser().parse_args(arguments)
    from factdesk.kernel import FactdeskError

    try:
        return _verify(given)
    except FactdeskError as error:
        sys.stderr.write(f"factdesk-verify: {error}\n")
        return error.exit_code


def _verify(given: argparse.Namespace) -> int:
    from report.certificate.history_file import read_history
    from report.certificate.keys import read_keys
    from report.verification.files import Known, read_head_file, read_text, verify_files
    from report.verification.words import verification_lines

    history = read_history(read_text(given.history)) if given.history else None
    known = Known(
        keys={i: k for path in given.key for i, k in read_keys(path).items()},
        heads=tuple(read_head_file(path) for path in given.head),
        history=history,
        scope="export" if history else "none",
        allow_unsigned=given.allow_unsigned,
    )
    found = verify_files(given.files, known, rerun=given.rerun, verifier=given.verifier)
    if given.json:
        text = json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2)
    else:
        text = "\n".join(verification_lines(found))
    sys.stdout.write(text + "\n")
    return 0 if found.holds else 5


if __name__ == "__main__":
    sys.exit(main())
