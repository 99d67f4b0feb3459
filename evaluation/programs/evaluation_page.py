"""The page that ``evaluate_all.py`` writes: one table a set, with the command above it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.data.word_lists import toml_beside

PAGE = toml_beside(__file__, "evaluation_page.toml")
"""Steps, files, titles and columns of its parts."""
FIGURE = "evaluation-"


def page(out: Path, names: Sequence[str]) -> str:
    """The page over all steps that are done, in the order of ``names``."""
    done = {n: _json(out / "steps" / f"{n}.json") for n in names if (out / "steps" / f"{n}.json").exists()}
    parts = [_head(out, done, [n for n in names if n not in done]), _claims(out, done), _errors(out, done)]
    parts += [_table(out, done, name) for name in PAGE["with_table"] if name in done]
    parts.append(_pictures(out))
    parts += [_pairs(out, done), _lists(out, done), _took(done)]
    return "\n\n".join(p.strip() for p in parts if p.strip()) + "\n"


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _of(interval: dict[str, float | None]) -> str:
    if interval["value"] is None:
        return "-"
    return f"{interval['value']:.2f} ({interval['low']:.2f} to {interval['high']:.2f})"


def _head(out: Path, done: dict[str, Any], missing: Sequence[str]) -> str:
    run = _json(out / "examples" / "base.json") if "examples" in done else {"fingerprint": {}}
    models = [(k, v) for k, v in run["fingerprint"].items() if k.startswith("verifier:")]
    name, digest = models[0] if models else ("verifier:unknown", "unknown")
    left = f"\n\nNot run: {', '.join(missing)}." if missing else ""
    state = (out / "code.txt").read_text(encoding="utf-8").strip()
    return f"""# The whole evaluation

Written by `python -m evaluation.programs.evaluate_all DATA OUT --page docs/results/evaluation.md`, with the
verifier `{name.removeprefix("verifier:")}` (`{digest[:16]}…`); `{state}` stands for code, weights,
examples. `DATA` is a folder with the public sets, which are not part of the project. What each figure means
stands in [docs/evaluation.md](../evaluation.md); brackets are 95 % bootstrap intervals. Seconds are of a
machine that was shared with other work; look at those of the processor.{left}"""


def _claims(out: Path, done: dict[str, Any]) -> str:
    head = (
        "| set | claims | wrong Verified | wrong refuted | supported certified | refuted certified | AUROC "
        "| gold found | processor seconds a claim |"
    )
    rows, commands = [], []
    for name, file, title in PAGE["claim_sets"]:
        if name not in done:
            continue
        figures = _json(out / file)["figures"]
        n = figures["labels"]
        certified = {
            label: f"{round(figures['per_class'][label]['recall'] * n[label])} of {n[label]}"
            for label in ("supported", "refuted")
        }
        recall = figures["evidence_recall"]
        rows.append(
            f"| {title} | {figures['n']} | {figures['wrong_verified']} | {figures['wrong_refuted']} "
            f"| {certified['supported']} | {certified['refuted']} "
            f"| {_of(figures['auroc'])} | {'-' if recall is None else f'{recall:.2f}'} "
            f"| {figures['costs']['cpu_seconds']:.2f} |"
        )
        commands.append(done[name]["command"])
    return _section("Whole checks", commands, "\n".join([head, f"|{'---|' * (head.count('|') - 1)}", *rows]))


def _section(title: str, commands: Sequence[str], body: str) -> str:
    if not commands:
        return ""
    shown = "\n".join(f"- `{c}`" for c in commands)
    return f"## {title}\n\n{shown}\n\n{body}"


def _errors(out: Path, done: dict[str, Any]) -> str:
    found = {
        title: _json(out / "steps" / f"errors-{name}.out")
        for name, _, title in PAGE["claim_sets"]
        if f"errors-{name}" in done
    }
    if not found:
        return ""
    kinds = list(next(iter(found.values()))["counts"])
    lines = [f"| set | missed | {' | '.join(kinds)} |", f"|{'---|' * (len(kinds) + 2)}"]
    for title, report in found.items():
        lines.append(f"| {title} | {report['missed']} | {' | '.join(str(report['counts'][k]) for k in kinds)} |")
    then = [f"| set | {' | '.join(ORDER)} |", f"|{'---|' * (len(ORDER) + 1)}"]
    for title, report in found.items():
        counts = report["then_counts"]
        then.append(f"| {title} | {' | '.join(str(counts.get(k, 0)) for k in ORDER)} |")
    commands = [done[f"errors-{name}"]["command"] for name, _, _ in PAGE["claim_sets"] if f"errors-{name}" in done]
    body = "\n".join(lines) + "\n\nWhat would stop the right verdict if the model were sure of that sentence:\n\n"
    return _section("Why verdicts were missed", commands, body + "\n".join(then))


ORDER = ("nothing", "guard", "opposed", "trust gate", "no mended claim", "not reached")


def _table(out: Path, done: dict[str, Any], name: str) -> str:
    title, file = PAGE["with_table"][name]
    lines = (out / file).read_text(encoding="utf-8").strip().splitlines()
    if file.endswith("ablation.md"):
        cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
        kept = [cells[0].index(c) for c in PAGE["ablation_columns"] if c in cells[0]]
        lines = [f"| {' | '.join(row[i] for i in kept)} |" for row in cells]
    return _section(title, [done[name]["command"]], "\n".join(lines))


def pictures(out: Path) -> dict[str, Path]:
    """Pictures that there are: title and file."""
    places = ((title, out / folder / f"{name}.svg") for name, (title, folder) in PAGE["pictures"].items())
    return {title: path for title, path in places if path.exists()}


def _pictures(out: Path) -> str:
    shown = [f"![{title}](figures/{FIGURE}{path.name})" for title, path in pictures(out).items()]
    return "## Curves\n\nFrom the same ablations.\n\n" + "\n\n".join(shown) if shown else ""


def _pairs(out: Path, done: dict[str, Any]) -> str:
    if "pairs" not in done:
        return ""
    rows = _json(out / "steps" / "pairs.out")["files"]
    names = "n accuracy macro_f1 auroc_entail ece verified_precision verified_recall false_verified".split()
    lines = [f"| set | {' | '.join(names)} |", f"|{'---|' * (len(names) + 1)}"]
    for row in rows:
        cells = [f"{v:.3f}" if isinstance(v, float) else "-" if v is None else str(v) for v in (row[n] for n in names)]
        lines.append(f"| {Path(row['file']).name.split('.')[0]} | {' | '.join(cells)} |")
    command = done["pairs"]["command"].split(" DATA/")[0] + " DATA/nli/dev/*.jsonl.gz --limit 200 --json"
    return _section("The verifier alone", [command], "\n".join(lines))


def _lists(out: Path, done: dict[str, Any]) -> str:
    """The smaller steps: their figures as they were printed."""
    parts = []
    for name, title in PAGE["smaller"].items():
        if name not in done:
            continue
        text = (out / "steps" / f"{name}.out").read_text(encoding="utf-8").strip()
        body = _figures(json.loads(text)) if text[:1] in "[{" else f"```text\n{text.replace(str(out), 'OUT')}\n```"
        parts.append(_section(title, [done[name]["command"]], body))
    return "\n\n".join(parts)


def _figures(found: Any) -> str:
    rows = found if isinstance(found, list) else found.get("cells") or [found]
    kept = [{k: v for k, v in row.items() if isinstance(v, (int, float, str)) and len(str(v)) < 60} for row in rows]
    if len(kept) == 1:
        return "| figure | value |\n|---|---|\n" + "\n".join(f"| {k} | {v} |" for k, v in kept[0].items())
    names = list(kept[0])
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    return "\n".join([*lines, *(f"| {' | '.join(str(row.get(n, '-')) for n in names)} |" for row in kept)])


def _took(done: dict[str, Any]) -> str:
    lines = ["| step | seconds | of the processor |", "|---|---|---|"]
    lines += [f"| {name} | {took['seconds']} | {took['cpu_seconds']} |" for name, took in done.items()]
    wall, cpu = (sum(t[k] for t in done.values()) for k in ("seconds", "cpu_seconds"))
    lines.append(f"| **all** | **{wall:.0f}** ({wall / 60:.0f} minutes) | **{cpu:.0f}** ({cpu / 60:.0f} minutes) |")
    return "## What it took\n\n" + "\n".join(lines)
