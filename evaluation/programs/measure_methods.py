"""RAGAR's Table 1 for any labelled claims: how they are asked about, times how the veracity is predicted.

Each set is NAME=FILE:CORPUS; CORPUS is a folder or a stored corpus. ``tree-random`` is the tree with a random
elimination. What is rated is the reasoner's proposal, as in the paper (gold supported and refuted only, a
failed proposal counts as wrong); beside it stand the certificates' wrong verdicts, the questions and the
seconds. Usage::

    python -m evaluation.programs.measure_methods OUT examples=examples/claims.jsonl:examples/corpus
        [NAME=FILE:CORPUS ...]
        [--methods chain tree subq tree-random] [--veracity standard cot cove] [--part 1/2]
        [--reasoner llm:PROVIDER:MODEL]

OUT gets one JSON file a cell; a cell that is there is not run again, so a stopped run goes on. ``--part
1/2`` and ``--part 2/2`` are for two processes. The tables are printed at the end, as Markdown, with
bootstrap intervals (2,000 draws of claims, the same for both sides of a difference). The tables in
docs/results/methods.md come from this command.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from agent.ports import Elimination
from agent.reasoners import elimination
from agent.types import AtomicClaim, QAPair
from evaluation.data.claims import ClaimOutcome, evaluate_claims
from evaluation.metrics.tree_figures import LABELS, Trails, weighted_f1
from factdesk.checker import FactChecker, Report
from factdesk.settings import load_settings

RANDOM = "tree-random"
METHODS = ("chain", "tree", "subq", RANDOM)
VERACITY = ("standard", "cot", "cove")
DRAWS = 2000
Cell = dict[str, Any]


def at_random(claim: AtomicClaim, kept: Sequence[QAPair], round_: Sequence[QAPair]) -> Elimination:
    """Keep any pair that has an answer; the same one in every run."""
    del kept
    rivals = [number for number, pair in enumerate(round_) if pair.answer.found]
    if not rivals:
        return Elimination(kept=None, reasons=tuple("no answer was found" for _ in round_))
    best = random.Random(f"{claim.text}|{round_[0].question.depth}").choice(rivals)
    return Elimination(kept=best, reasons=tuple("kept or not by chance" for _ in round_))


def run_cell(file: Path, corpus: str, method: str, veracity: str, reasoner: str | None = None) -> Cell:
    """All claims of a file, by one method; ``reasoner``: that of the settings, or another."""
    by_rule = elimination.eliminate
    if method == RANDOM:
        elimination.eliminate = at_random
    asked = {"method": method.removesuffix("-random"), "veracity": veracity, "reasoner": reasoner}
    checker = FactChecker(load_settings(corpus=(corpus,), **asked))
    trails, said, gold = Trails(), list[str](), list[str]()

    def done(outcome: ClaimOutcome, report: Report) -> None:
        body = report.certificate.body
        trails.add(outcome.label, body)
        gold.append("failed" if outcome.label == "not_enough_evidence" else outcome.label)
        said.append(body.proposal.label if body.proposal else "failed")

    try:
        report = evaluate_claims(checker, file, done=done)
    finally:
        elimination.eliminate = by_rule
    figures = trails.figures(checker.corpora.embedder)
    return {
        "gold": gold,
        "said": said,
        "figures": figures.model_dump(mode="json"),
        "verdicts": report.model_dump(mode="json", exclude={"outcomes"}),
    }


def interval(cells: Sequence[Cell]) -> tuple[float, float, float]:
    """Weighted F1 of one cell, or the difference of two on the same claims, with its 95 % interval."""
    gold = np.array(cells[0]["gold"])
    sides = [np.array(c["said"]) for c in cells]
    draws = np.random.default_rng(0).integers(0, len(gold), size=(DRAWS, len(gold)))

    def figure(rows: Any) -> float:
        scores = [weighted_f1(gold[rows], side[rows]) for side in sides]
        return scores[0] - scores[1] if len(scores) == 2 else scores[0]

    found = [figure(d) for d in draws]
    low, high = np.quantile(found, [0.025, 0.975])
    return figure(np.arange(len(gold))), float(low), float(high)


def table(cells: dict[tuple[str, str], Cell]) -> str:
    """One set's table."""
    head = "| method | veracity | F1 supported | F1 refuted | failed | weighted F1 | wrong | questions | s |"
    lines = [head, "|---|---|---|---|---|---|---|---|---|"]
    for (method, veracity), cell in cells.items():
        value, low, high = interval([cell])
        proposal, verdicts = cell["figures"]["proposal"], cell["verdicts"]
        f1, failed = proposal["f1"], proposal["failed"]
        lines.append(
            f"| {method} | {veracity} | {f1[LABELS[0]]:.3f} | {f1[LABELS[1]]:.3f} | "
            f"{failed[LABELS[0]]}, {failed[LABELS[1]]} | {value:.3f} ({low:.2f} to {high:.2f}) | "
            f"{verdicts['wrong_verified']}, {verdicts['wrong_refuted']} | {verdicts['questions']:.1f} | "
            f"{verdicts['p50']:.2f} |"
        )
    return "\n".join(lines)


def differences(cells: dict[tuple[str, str], Cell]) -> list[str]:
    """What the tree gains on each other method, and whether that is noise."""
    lines = []
    for veracity in VERACITY:
        for other in (m for m in METHODS if m != "tree"):
            if {("tree", veracity), (other, veracity)} <= set(cells):
                value, low, high = interval([cells["tree", veracity], cells[other, veracity]])
                word = "noise" if low <= 0 <= high else "not noise"
                lines.append(f"- tree against {other}, {veracity}: {value:+.3f} ({low:+.2f} to {high:+.2f}), {word}")
    return lines


def shape(cells: dict[tuple[str, str], Cell]) -> list[str]:
    """Whether the tree is a tree."""
    return [
        f"- {method}, {veracity}: similarity of side-by-side questions {tree['similarity']}, "
        f"kept pairs not from the first branch {tree['kept_not_first']}, "
        f"follow-ups that name a new entity {tree['new_entity']}"
        for (method, veracity), cell in cells.items()
        if method == "tree" and (tree := cell["figures"]["tree"])
    ]


def main() -> None:
    """Run what is missing, then print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("sets", nargs="+", metavar="NAME=FILE:CORPUS")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--veracity", nargs="+", choices=VERACITY, default=list(VERACITY))
    parser.add_argument("--reasoner", help="language model that asks, answers and judges, e.g. llm:openai:gpt-5-mini")
    parser.add_argument("--part", default="1/1", help="which share of the cells this process runs, e.g. 1/2")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    part, parts = (int(n) for n in given.part.split("/"))
    jobs = []
    for named in given.sets:
        name, _, rest = named.partition("=")
        file, _, corpus = rest.rpartition(":")
        jobs += [(name, Path(file), corpus, m, v) for m in given.methods for v in given.veracity]
    for number, (name, file, corpus, method, veracity) in enumerate(jobs):
        path = given.out / f"{name}-{method}-{veracity}.json"
        if number % parts == part - 1 and not path.exists():
            path.write_text(json.dumps(run_cell(file, corpus, method, veracity, given.reasoner)), encoding="utf-8")
    for name in dict.fromkeys(job[0] for job in jobs):
        mine = [(m, v, given.out / f"{name}-{m}-{v}.json") for m in given.methods for v in given.veracity]
        cells = {(m, v): json.loads(p.read_text(encoding="utf-8")) for m, v, p in mine if p.exists()}
        click.echo("\n".join([f"\n### {name}\n", table(cells), "", *differences(cells), "", *shape(cells)]))


if __name__ == "__main__":
    main()
