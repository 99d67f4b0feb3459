"""The whole evaluation in one command: every set that is there, by the public commands, on one page.

    python -m evaluation.programs.evaluate_all DATA OUT --page docs/results/evaluation.md [--only NAME ...]

``DATA`` is a folder with the public sets (``claims/``, ``nli/dev/``, ``trust/``; not part of the project);
what is not there is left out, and the page says so. Each step is a ``factdesk`` command whose output is kept
in ``OUT``; steps that are done are not done again, so the same line goes on after a stop. An ``OUT`` of other
code or weights is refused. Nothing is written to the history. ``factdesk bench`` needs a quiet machine and is
no part of it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from evaluation.programs.evaluation_page import FIGURE, page, pictures

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("agent", "evaluation", "evidence", "factdesk", "language", "report", "store", "trust", "verifier")
UNSEEN = ("unseen", "unseen-hard", "unseen-news", "unseen-reference", "unseen-local")


@dataclass(frozen=True)
class Step:
    """One command. ``DATA`` and ``OUT`` in its arguments stand for the two folders."""

    name: str
    arguments: tuple[str, ...]
    needs: str = ""
    """What must be there below ``DATA``; ``""``: nothing."""


def steps(data: Path) -> list[Step]:
    """All steps, in their order: the dearest last."""
    claims = ("claims", "examples/claims.jsonl", "--corpus", "examples/corpus")
    base = "OUT/examples/base.json"
    pairs = tuple(f"DATA/nli/dev/{p.name}" for p in sorted((data / "nli" / "dev").glob("*.jsonl.gz")))
    questions = ("examples/questions.jsonl", "--corpus", "examples/corpus", "--sources-file")
    articles = ("DATA/trust/articles.jsonl.gz", "--relations", "DATA/trust/relations.csv")
    planted = ("--claims", "examples/claims.jsonl", "--corpus", "examples/corpus", "--rate", "0.05")
    fewer = ("--axis", "retrieval", "--axis", "method", "--limit", "20")
    return [
        Step("examples", ("eval", "run", *claims, "--out", base)),
        Step("errors-examples", ("eval", "errors", base, "--json")),
        *(step for name in _unseen() for step in _claims(f"tests/data/{name}", name)),
        *_public("fm2"),
        Step("ablation", ("eval", "ablate", *claims, *OFFLINE, "--out", "OUT/examples")),
        Step("baselines", ("eval", "baselines", *claims, "--out", "OUT/examples")),
        Step("retrieval", ("eval", "retrieval", *claims[1:], "--json")),
        Step("pairs", ("eval", "pairs", *pairs, "--limit", "200", "--json"), "nli/dev"),
        Step("trust", ("eval", "trust", *articles, "--seeds", "20", "--json"), "trust/articles.jsonl.gz"),
        Step("questions", ("eval", "questions", *questions, "examples/sources.txt", "--json")),
        Step("poison", ("eval", "poison", *planted, "--limit", "10", "--json")),
        Step("annotate", ("eval", "annotate", "--corpus", "examples/corpus", "--texts", "50", "--json")),
        Step("sheet", ("eval", "sheet", base, "--n", "200", "--out", "OUT/sheet.html")),
        Step("runs", ("eval", "ablate", *claims, *fewer, "--out", "OUT/runs")),
        Step("compare", ("eval", "compare", "OUT/runs/retrieval-bm25.json", "OUT/runs/base.json")),
        *_public("scifact"),
    ]


OFFLINE = tuple(w for a in ("verifier", "evidence", "granularity", "thresholds") for w in ("--axis", a))
"""The axes of an ablation that are decided anew on one run."""


def _unseen() -> list[str]:
    """The sets of the tests; an installed package has none."""
    return [name for name in UNSEEN if (ROOT / "tests" / "data" / name).is_dir()]


def _claims(folder: str, name: str) -> list[Step]:
    arguments = ("eval", "run", "claims", f"{folder}/claims.jsonl", "--corpus", f"{folder}/corpus")
    return [
        Step(name, (*arguments, "--out", f"OUT/{name}.json")),
        Step(f"errors-{name}", ("eval", "errors", f"OUT/{name}.json", "--json")),
    ]


def _public(name: str) -> list[Step]:
    claims, corpus = f"claims/{name}-150.jsonl", f"claims/{name}-corpus.jsonl.gz"
    arguments = ("eval", "run", "claims", f"DATA/{claims}", "--with", f"DATA/{corpus}")
    return [
        Step(name, (*arguments, "--out", f"OUT/{name}.json"), claims),
        Step(f"errors-{name}", ("eval", "errors", f"OUT/{name}.json", "--json"), claims),
    ]


def state_of_code() -> str:
    """One hash over code, weights and the examples: what the figures depend on."""
    digest = hashlib.sha256()
    kinds = {".py", ".onnx", ".json", ".toml", ".md", ".txt"}
    files = [
        p
        for room in ROOMS
        for p in (ROOT / room).rglob("*")
        if p.suffix in kinds or (".onnx." in p.name and p.is_file())
    ]
    files += [p for p in (ROOT / "examples").rglob("*") if p.suffix in {".jsonl", ".md", ".png", ".jpg"}]
    for path in sorted(files):
        if "training" not in path.parts and "notebooks" not in path.parts:
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def carry_out(step: Step, data: Path, out: Path) -> dict[str, object]:
    """Run one step; its output goes to ``OUT/steps``. What it took is kept beside it."""
    folder = out / "steps"
    kept = folder / f"{step.name}.json"
    if kept.exists():
        found: dict[str, object] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    places = {"DATA": str(data), "OUT": str(out)}
    arguments = [_placed(a, places) for a in step.arguments]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with (folder / f"{step.name}.out").open("wb") as output:
        command = [sys.executable, "-m", "factdesk", *arguments]
        code = subprocess.run(command, cwd=ROOT, stdout=output, env=os.environ, check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0:
        raise SystemExit(f"step {step.name!r} ended with exit code {code}; mend it and give the same line again")
    took: dict[str, object] = {
        "command": f"factdesk {' '.join(step.arguments)}",
        "seconds": round(time.monotonic() - begun, 1),
        "cpu_seconds": round(used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, 1),
    }
    kept.write_text(json.dumps(took, indent=1) + "\n", encoding="utf-8")
    return took


def _placed(argument: str, places: dict[str, str]) -> str:
    first, _, rest = argument.partition("/")
    return f"{places[first]}/{rest}" if first in places else argument


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--page", type=Path, help="Markdown page to write.")
    parser.add_argument("--only", nargs="*", default=[], help="Only these steps.")
    parser.add_argument("--skip", nargs="*", default=[], help="Not these steps.")
    parser.add_argument("--list", action="store_true", help="List the steps and end.")
    given = parser.parse_args()
    data, out = given.data.resolve(), given.out.resolve()
    wanted = [s for s in steps(data) if (not given.only or s.name in given.only) and s.name not in given.skip]
    if given.list:
        for step in wanted:
            sys.stdout.write(f"{step.name:16} factdesk {' '.join(step.arguments)}\n")
        return
    (out / "steps").mkdir(parents=True, exist_ok=True)
    state, mark = state_of_code(), out / "code.txt"
    if mark.exists() and mark.read_text(encoding="utf-8").strip() != state:
        raise SystemExit(f"{out} was made with other code, weights or examples; name another folder")
    mark.write_text(f"{state}\n", encoding="utf-8")
    for step in wanted:
        if step.needs and not (data / step.needs).exists():
            sys.stderr.write(f"{step.name}: DATA/{step.needs} is not there, left out\n")
            continue
        sys.stderr.write(f"{step.name}: factdesk {' '.join(step.arguments)}\n")
        took = carry_out(step, data, out)
        sys.stderr.write(f"{step.name}: {took['seconds']} s, {took['cpu_seconds']} s of the processor\n")
    if given.page:
        given.page.write_text(page(out, [s.name for s in steps(data)]), encoding="utf-8")
        for picture in pictures(out).values():
            (given.page.parent / "figures").mkdir(exist_ok=True)
            shutil.copyfile(picture, given.page.parent / "figures" / f"{FIGURE}{picture.name}")
        sys.stderr.write(f"wrote {given.page}\n")


if __name__ == "__main__":
    main()
