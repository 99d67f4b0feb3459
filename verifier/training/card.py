"""The model card: sources with licences, stages, hashes and figures, written from what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.training.evaluate import OperatingPoint, SetFigures
from verifier.training.models import Trained
from verifier.types import Thresholds

LICENCES = {
    "fever_gg": "GGKorn/fever-nli, no licence stated; FEVER itself: CC BY-SA 3.0",
    "fever_gg_nei": "derived from FEVER (CC BY-SA 3.0) by retrieval; weak labels",
    "ling_in_loop": "Alicia-Parrish/ling_in_loop; a public research release without a stated licence",
    "infotabs": "infotabs/infotabs; Apache-2.0",
    "snli_cat18k": "academic-repository/cat, Apache-2.0; SNLI: CC BY-SA 4.0",
    "snli_cad": "acmi-lab/counterfactually-augmented-data; Apache-2.0",
    "snli_dev": "SNLI; CC BY-SA 4.0",
    "mnli_10k": "technion-cs-nlp/LLMsKnow, MIT; MultiNLI: OANC and others",
    "mnli_matched_dev": "MultiNLI; OANC and others",
    "mpe": "aylai/MultiPremiseEntailment; a public research release without a stated licence",
    "healthver": "suzhentxt/healthver_mcqa; a public research release without a stated licence",
    "scifact": "allenai/scifact; claims CC BY 4.0, abstracts ODC-By",
    "conjnli": "swarnaHub/ConjNLI; MIT",
    "folio": "Yale-LILY/FOLIO; CC BY-SA 4.0",
    "cannot": "dmlls/cannot-dataset; CC BY-SA 4.0",
    "handwritten": "written by hand for factdesk (verifier/training/items/handwritten*.jsonl); Apache-2.0",
    "trap": "written for factdesk by a language model (verifier/training/items/traps.jsonl); Apache-2.0",
    "templates": "written for factdesk (verifier/training/templates.txt); Apache-2.0",
}
"""Licence line of each source; whatever is not listed was made by our rules from the sets above."""
MADE = "made by rule from the sets above (verifier/training); same licences"


LIMITS = """\
## Limits

English only; 128 tokens of evidence; weak on multi-step reasoning (see anli_r1_dev) and on long
scientific abstracts. It reads one or two sentences, not documents. Numbers, dates and names are
compared by the slot guard beside it, because a model of this size overlooks them."""


def write_card(
    model: Trained,
    *,
    mixture: Mapping[str, Mapping[str, int]],
    stages: Sequence[str],
    figures: Sequence[SetFigures],
    thresholds: Thresholds,
    hashes: Mapping[str, str],
    command: str,
    points: tuple[OperatingPoint | None, OperatingPoint | None] = (None, None),
    claim_only: Mapping[str, float] | None = None,
) -> None:
    """Write ``README.md`` of a model folder; ``command`` is the one that printed the figures."""
    lines = [
        f"# {model.name}",
        "",
        model.about,
        "",
        "## Files",
        "",
        *(f"- `{name}` sha256 `{digest}`" for name, digest in sorted(hashes.items())),
        "",
        *_sources(mixture),
        "## Stages",
        "",
        *(f"- {stage}" for stage in stages),
        "",
        *_figures(figures, claim_only or {}, command),
        *_points(points),
        f"Thresholds: tau_entail {thresholds.tau_entail}, tau_contradict {thresholds.tau_contradict}, "
        f"tau_refute {thresholds.tau_refute}, what the source says instead {thresholds.least_mended}.",
        "",
        LIMITS,
    ]
    (model.folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _sources(mixture: Mapping[str, Mapping[str, int]]) -> list[str]:
    lines = [
        "## Training data",
        "",
        "| source | entailment / neutral / contradiction in one pass | licence as stated by the source |",
        "|---|---|---|",
    ]
    for source, counts in sorted(mixture.items()):
        shares = " / ".join(f"{counts.get(label, 0):,}" for label in ("entailment", "neutral", "contradiction"))
        lines.append(f"| {source} | {shares} | {LICENCES.get(source, MADE)} |")
    return [
        *lines,
        "",
        "No set with a non-commercial or newswire licence was used. Sets without a stated licence are public",
        "research releases that widely used open models were trained on; judge for yourself before you",
        "redistribute.",
        "",
    ]


def _figures(figures: Sequence[SetFigures], claim_only: Mapping[str, float], command: str) -> list[str]:
    return [
        "## Figures",
        "",
        "On the report half of each development set (split by premise; calibration saw the other half only).",
        "Accuracy is restricted to the labels that occur in the set; Verified means calibrated entailment at",
        "`tau_entail` and the slot guard agreeing. Command:",
        f"`{command}`.",
        "",
        "| set | n | accuracy | claim only | macro F1 | ECE | ECE raw | Verified precision | Verified recall |",
        "|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {f.name} | {f.n} | {f.accuracy:.3f} | {_share(claim_only.get(f.name))} "
            f"| {f.macro_f1:.3f} | {f.ece:.3f} | {f.ece_raw:.3f} "
            f"| {_share(f.verified_precision)} | {_share(f.verified_recall)} |"
            for f in figures
        ),
        "",
        "`desk` is our own (`verifier/training/checklike_devset.py`, items that training never saw): claims",
        "beside sentences of the right story, of the same story about something else, and of other stories.",
        "`traps` are contrast sets never trained on (`verifier/training/contrast_sets.py`): claims made of",
        "the evidence's own words, of which less than half follow.",
        "",
        '"Claim only" is what a word model guesses without the evidence (`verifier/training/baseline.py`):',
        "the part of the accuracy that proves nothing.",
        "",
    ]


def _points(points: tuple[OperatingPoint | None, OperatingPoint | None]) -> list[str]:
    names = ("shipped threshold", "highest precision at a recall of 0.6")
    rows = [
        f"| {name} | {p.tau:.3f} | {p.precision:.3f} | {p.recall:.3f} |" if p else f"| {name} | none | | |"
        for name, p in zip(names, points, strict=True)
    ]
    head = [
        "All report halves of the public sets together:",
        "",
        "| operating point | tau_entail | precision | recall |",
        "|---|---|---|---|",
    ]
    return [*head, *rows, ""]


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
