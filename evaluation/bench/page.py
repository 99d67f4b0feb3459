"""``docs/results/benchmarks.md`` from the JSON of ``factdesk bench``: nothing in it is written by hand."""

from __future__ import annotations

from evaluation.bench.types import BenchRecord, BenchReport

TITLES = {
    "verifier": "Verifier",
    "retrieval": "Retrieval",
    "growth": "Growth with the corpus",
    "cold_start": "Whole processes",
    "checks": "Whole checks",
    "graph": "Knowledge graph",
    "trust": "Trust",
}


def as_page(report: BenchReport, command: str) -> str:
    """The report as Markdown; ``command`` is what made it."""
    machine = report.machine
    load = "not known" if machine.load is None else f"{machine.load:g}"
    lines = [
        "# Benchmarks",
        "",
        f"Written by `{command}`; no figure is typed by hand. A ratio says how many times better factdesk",
        "is than the peer in the same run, whether more or less of the unit is better.",
        "Where the seconds are: [profile.md](profile.md).",
        "",
        f"{machine.cpu}, {machine.usable_cores} of {machine.cores} cores usable, load at the start {load},",
        f"{machine.system}, Python {machine.python}; "
        + ", ".join(f"{name} {version}" for name, version in sorted(machine.libraries.items()))
        + ".",
    ]
    for group, records in _grouped(report.records).items():
        lines += [
            "",
            f"## {TITLES.get(group, group)}",
            "",
            "| figure | ours | peer | ratio |",
            "|---|---|---|---|",
        ]
        lines += [_row(record, group) for record in records]
    if report.skipped:
        lines += ["", "## Not measured", ""]
        lines += [f"- {name}: {reason}" for name, reason in report.skipped.items()]
    return "\n".join(lines) + "\n"


def _grouped(records: tuple[BenchRecord, ...]) -> dict[str, list[BenchRecord]]:
    groups: dict[str, list[BenchRecord]] = {}
    for record in records:
        groups.setdefault(record.name.partition(".")[0], []).append(record)
    return groups


def _row(record: BenchRecord, group: str) -> str:
    name = record.name.removeprefix(f"{group}.").replace("_", " ").replace(".", ", ")
    ours = f"{record.value:,g} {record.unit}"
    if record.ratio is None:
        return f"| {name} | {ours} | | |"
    return f"| {name} | {ours} | {record.peer}: {record.peer_value:,g} {record.unit} | **{record.ratio:,g}** |"
