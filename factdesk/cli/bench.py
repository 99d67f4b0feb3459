"""``factdesk bench``."""

from __future__ import annotations

import click

from factdesk.cli.common import emit_json


@click.command()
@click.argument("names", nargs=-1)
@click.option("--quick", is_flag=True, help="Smaller and fewer rounds: about a minute.")
@click.option("--json", "as_json", is_flag=True, help="Print machine and records as JSON.")
def bench(names: tuple[str, ...], quick: bool, as_json: bool) -> None:
    """Measure this machine: verifier, retrieval, cold_start, trust (all when no NAMES are given).

    A ratio says how many times better factdesk is than the peer named beside it, in the same run.

    \b
    Examples:
      factdesk bench --quick
      factdesk bench verifier --json
    """
    from factdesk.bench.registry import run_benchmarks

    def starting(name: str) -> None:
        click.echo(f"measuring {name} …", err=True)

    found = run_benchmarks(names, quick=quick, starting=starting)
    if as_json:
        emit_json(found.model_dump(mode="json"))
        return
    machine = found.machine
    click.echo(f"{machine.cpu}, {machine.usable_cores} of {machine.cores} cores, load {machine.load}")
    click.echo(f"Python {machine.python}, " + ", ".join(f"{k} {v}" for k, v in machine.libraries.items()))
    for record in found.records:
        click.echo(f"{record.name:44} {record.value:>10g} {record.unit}")
        if record.ratio is not None:
            click.echo(
                f"{'':44} {record.ratio:>10g} times {record.peer} ({record.peer_value:g} {record.unit})"
            )
    for name, reason in found.skipped.items():
        click.echo(f"skipped {name}: {reason}")
