"""The formats by name: what each is, which files it needs, and how it is usually evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.data.formats.averitec import load_averitec
from evaluation.data.formats.claims_only import load_liar, load_mocheg, load_mocheg_ragar
from evaluation.data.formats.grounded import load_aggrefact, load_ragtruth
from evaluation.data.formats.own import load_claims, load_pairs
from evaluation.data.formats.science import load_scifact
from evaluation.data.formats.types import Dataset, Evidence
from evaluation.data.formats.wiki import load_climate_fever, load_fever, load_vitaminc
from factdesk.kernel import InputError
from factdesk.registry import Registry

Loader = Callable[[Path, Sequence[Path], int | None], Dataset]


@dataclass(frozen=True)
class Format:
    """A data set's format."""

    name: str
    file: str
    """The file that is named on the command line."""
    companion: str
    """What ``--with`` may give besides; ``""``: nothing."""
    evidence: Evidence
    """How it is evaluated unless told otherwise."""
    load: Loader


FORMATS = Registry[Format]("format")
for each in (
    Format("claims", "claims.jsonl (claim, label)", "corpus.jsonl", "corpus", load_claims),
    Format("pairs", "pairs.jsonl (premise, hypothesis, label)", "", "given", load_pairs),
    Format("fever", "shared_task_dev.jsonl", "the folder wiki-pages", "corpus", load_fever),
    Format("vitaminc", "dev.jsonl or test.jsonl", "", "given", load_vitaminc),
    Format("scifact", "claims_dev.jsonl", "corpus.jsonl (needed)", "corpus", load_scifact),
    Format("averitec", "dev.json", "the folder of the knowledge store", "corpus", load_averitec),
    Format("climate-fever", "climate-fever.jsonl", "", "given", load_climate_fever),
    Format("mocheg", "Corpus2.csv", "the folder images", "corpus", load_mocheg),
    Format("mocheg-ragar", "Corpus2.csv", "the folder images", "corpus", load_mocheg_ragar),
    Format("ragtruth", "response.jsonl", "source_info.jsonl (needed)", "given", load_ragtruth),
    Format("llm-aggrefact", "test.csv or .jsonl (dataset, doc, claim, label)", "", "given", load_aggrefact),
    Format("liar", "test.tsv", "", "corpus", load_liar),
):
    FORMATS.register(each.name)(each)


def load_dataset(name: str, path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """Read a file in a format by its name.

    Raises ``ConfigError`` for an unknown format, ``InputError`` for a file that does not fit it or is empty.
    """
    found = FORMATS.find(name)[0].load(path, companions, limit)
    if not found.rows:
        raise InputError(f"{path.name} holds nothing that can be evaluated as {name}")
    ids = [row.id for row in found.rows]
    if len(set(ids)) < len(ids):
        twice = next(i for n, i in enumerate(ids) if i in ids[:n])
        raise InputError(f"{path.name} has the id {twice!r} twice; each needs one of its own")
    return found
