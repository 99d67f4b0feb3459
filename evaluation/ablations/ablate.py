"""``factdesk eval ablate``: one switch at a time, one table, and the curves."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.data.outcome import EvalItem
from evaluation.judging.llm_judge import by_judge, open_judge
from evaluation.metrics.figures import EvalFigures, figures_of
from evaluation.runs.fused_retriever import FusedChecker
from evaluation.runs.runfile import EvalRun, RunKey, read_traces, write_json
from evaluation.runs.runner import CountedVerifier, MeasuredChecker, Plan, run
from evaluation.runs.variants import Variant, apply, offline_variants
from factdesk.kernel import ConfigError, Record
from verifier.calibration.probabilities import Calibration

ABLATION_SCHEMA = "factdesk.eval-ablation/1"
AXES = ("verifier", "evidence", "granularity", "retrieval", "method", "thresholds")
OFFLINE = ("verifier", "evidence", "granularity", "thresholds")
"""Axes that make sense where claims are held against texts given with them."""
BASE = "as shipped"
COLUMNS = (
    "n accuracy macro_f1 verified_precision verified_coverage verified_recall refuted_precision wrong_verified "
    "wrong_refuted uer cer auroc ece evidence_recall pairs retrieval_calls tokens cpu_seconds p50 p95"
).split()


class AblationRow(Record):
    """One variant. ``run``: the file of a run of its own; ``""``: decided anew on the base run's scores."""

    axis: str
    variant: str
    run: str
    figures: EvalFigures


class Ablation(Record):
    """The whole table; the first row is the base."""

    schema_version: str = ABLATION_SCHEMA
    key: RunKey
    fingerprint: dict[str, str]
    rows: tuple[AblationRow, ...]


Bar = Callable[[str], Callable[[EvalItem, int, int], None]]


def ablate(
    plan: Plan,
    folder: Path,
    axes: Sequence[str] = (),
    specs: Sequence[str] = (),
    *,
    judges: Sequence[str] = (),
    bar: Bar = lambda _title: lambda _item, _n, _of: None,
    draws: int = 200,
) -> Ablation:
    """Measure every variant of some axes (default: all that make sense) on the same claims.

    ``specs``: other verifiers, each with a run of its own. ``judges``: language models in the verifier's
    place, on the sentences of the base run. ``draws``: of the bootstrap, for rows that are decided anew.
    Runs lie in ``folder`` and are taken up where they stand. Raises ``ConfigError`` for an
    unknown axis, or one that needs a corpus where there is none.
    """
    chosen = tuple(axes) or (AXES if plan.evidence == "corpus" else OFFLINE)
    _refuse(chosen, plan)
    checker = plan.make_checker(plan.settings)
    base = run(plan, folder / "base.json", bar(BASE))
    rows = [AblationRow(axis="base", variant=BASE, run="base.json", figures=base.figures)]
    for axis, name, other in _other_runs(plan, chosen, specs):
        file = f"{axis}-{_file_name(name)}.json"
        if other == plan:
            rows.append(AblationRow(axis=axis, variant=name, run="base.json", figures=base.figures))
            continue
        found = run(replace(other, variant=f"{axis}: {name}"), folder / file, bar(name))
        rows.append(AblationRow(axis=axis, variant=name, run=file, figures=found.figures))
    rows += _decided_anew(plan, base, folder / "base.json", checker, chosen, draws)
    rows += _judged(plan, base, folder, judges, bar, draws)
    rows.sort(key=lambda r: ("base", *AXES).index(r.axis))
    table = Ablation(key=base.key, fingerprint=base.fingerprint, rows=tuple(rows))
    write_json(folder / "ablation.json", table.model_dump(mode="json"))
    (folder / "ablation.md").write_text(markdown(table), encoding="utf-8")
    return table


def _refuse(axes: Sequence[str], plan: Plan) -> None:
    unknown = [a for a in axes if a not in AXES]
    if unknown:
        raise ConfigError(f"axis {unknown[0]!r} is unknown; known: {', '.join(AXES)}")
    searching = [a for a in axes if a not in OFFLINE]
    if searching and plan.evidence == "given":
        raise ConfigError(f"axis {searching[0]!r} needs a corpus; name one with --corpus, or leave it out")


def _other_runs(plan: Plan, axes: Sequence[str], specs: Sequence[str]) -> list[tuple[str, str, Plan]]:
    """Variants that need the whole check anew."""

    def changed(**update: object) -> Plan:
        return replace(plan, settings=plan.settings.model_copy(update=update))

    found: list[tuple[str, str, Plan]] = [("verifier", spec, changed(verifier=spec)) for spec in specs]
    if "retrieval" in axes:
        found += [
            ("retrieval", "bm25", changed(retriever="bm25", trust=False)),
            ("retrieval", "dense", changed(retriever="dense", trust=False)),
            (
                "retrieval",
                "hybrid",
                replace(changed(retriever="hybrid", trust=False), make_checker=FusedChecker),
            ),
            ("retrieval", "hybrid + rerank", changed(retriever="hybrid", trust=False)),
            ("retrieval", "hybrid + rerank + trust", changed(retriever="hybrid", trust=True)),
            ("retrieval", "hybrid + rerank + trust + community", changed(retriever="both", trust=True)),
        ]
    if "method" in axes:
        found += [("method", m, changed(method=m)) for m in ("chain", "tree", "subq")]
    return found


def _decided_anew(
    plan: Plan, base: EvalRun, file: Path, checker: MeasuredChecker, axes: Sequence[str], draws: int
) -> list[AblationRow]:
    traces = read_traces(file)
    costs = {item.id: item.cost for item in base.items}
    variants = offline_variants(axes, checker.verifier, calibration_of(checker))
    return [
        AblationRow(
            axis=variant.axis,
            variant=variant.name,
            run="",
            figures=figures_of(
                [apply(variant, row, traces[row.id], costs[row.id]) for row in plan.dataset.rows],
                binary=plan.dataset.binary,
                draws=draws,
            ),
        )
        for variant in variants
    ]


def _judged(plan: Plan, base: EvalRun, folder: Path, specs: Sequence[str], bar: Bar, draws: int) -> list[AblationRow]:
    """Language models as judges, with and without the slot guard; the costs are those of judging alone."""
    traces = read_traces(folder / "base.json")
    items = {item.id: item for item in base.items}
    rows = []
    for spec in specs:
        judge = open_judge(spec, plan.settings, folder / f"judge-{_file_name(spec)}.jsonl")
        done, total = bar(f"judge {spec}"), len(plan.dataset.rows)
        costs = {}
        for number, row in enumerate(plan.dataset.rows, 1):
            costs[row.id] = judge.cost(traces[row.id], items[row.id].cost)
            done(items[row.id], number, total)
        for guard in (False, True):
            name = f"{spec} as judge{' + guard' if guard else ''}"
            variant = Variant("verifier", name, by_judge(judge, guard=guard))
            figures = figures_of(
                [apply(variant, row, traces[row.id], costs[row.id]) for row in plan.dataset.rows],
                binary=plan.dataset.binary,
                draws=draws,
            )
            rows.append(AblationRow(axis="verifier", variant=name, run="", figures=figures))
    return rows


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-")


def calibration_of(checker: MeasuredChecker) -> Calibration | None:
    """The verifier's calibration; ``None`` for verifiers of several models, which have none of their own."""
    verifier = checker.verifier
    inner = verifier.inner if isinstance(verifier, CountedVerifier) else verifier
    found = getattr(inner, "calibration", None)
    return found if isinstance(found, Calibration) else None


def value_of(figures: EvalFigures, column: str) -> float | int | None:
    """One cell; intervals by their value."""
    found: Any = getattr(figures, column, None)
    if column in type(figures.costs).model_fields:
        found = getattr(figures.costs, column)
    return getattr(found, "value", found) if found is not None else None


def markdown(table: Ablation) -> str:
    """The table as Markdown. Rows without a run of their own have the seconds of the base run."""
    head = ["axis", "variant", *COLUMNS]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in table.rows:
        cells = [_cell(value_of(row.figures, c)) for c in COLUMNS]
        lines.append(f"| {row.axis} | {row.variant} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
