"""``factdesk eval gates``: what each part of the trust gate buys against planted documents."""

from __future__ import annotations

from pathlib import Path

import click

from factdesk.cli.output import emit, json_option

GATE_NAMES = ("off", "check", "corpus", "seeds", "sources")


@click.command("gates")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--corpus", "corpora", multiple=True, required=True, help="Corpus or path; may be repeated.")
@click.option("--gate", "gates", multiple=True, type=click.Choice(GATE_NAMES), help="May be repeated (default: all).")
@click.option("--method", "methods", multiple=True, help="Attack as of eval poison; may be repeated (default: all).")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many claims, drawn by --seed.")
@click.option("--each", type=click.IntRange(min=1), default=3, show_default=True, help="Planted documents a claim.")
@click.option("--seeds", type=click.IntRange(min=0), default=6, show_default=True, help="Documents named as trusted.")
@click.option("--seed", type=int, default=0, show_default=True)
@json_option()
def gates_(
    file: Path,
    corpora: tuple[str, ...],
    gates: tuple[str, ...],
    methods: tuple[str, ...],
    limit: int | None,
    each: int,
    seeds: int,
    seed: int,
    as_json: bool,
) -> None:
    """Attack labelled claims with planted documents, under every gate of trust.

    \b
    off: none; check: trust of the check's documents; corpus: with what is known of the whole corpus;
    seeds: with documents named as trusted; sources: with two independent sources asked for.
    Example: factdesk eval gates examples/claims.jsonl --corpus examples/corpus --limit 12 --method denial
    """
    from evaluation.attacks.gates import Trial, evaluate_gates

    trial = Trial(file, corpora, methods, gates, limit, each, seeds, seed)
    found = evaluate_gates(trial, done=lambda told: click.echo(told, err=True))
    head = f"{'gate':8} {'attacks':>7} {'success':>7} {'right clean':>12} {'right poisoned':>15}"
    lines = [
        f"{r.gate:8} {r.attacks:7} {r.success:7} {r.clean:5} of {r.n:3} {r.poisoned:8} of {r.attacks:3}" for r in found
    ]
    emit(found, as_json, (head, *lines))


COMMANDS: tuple[click.Command, ...] = (gates_,)
