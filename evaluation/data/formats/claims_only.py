"""LIAR and MOCHEG: claims of fact-checking sites, without evidence and with pictures."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from evaluation.data.formats.reading import JsonRow, companion, digest, first_rows, label_of, need, table_rows
from evaluation.data.formats.types import Dataset, EvalLabel, EvalRow, corpus_of, document
from evidence.types import Document
from factdesk.kernel import sha256_text

LIAR_COLUMNS = (
    "id label statement subjects speaker job state party barely_true false half_true mostly_true pants_on_fire context"
).split()
LIAR_LABELS: Mapping[str, EvalLabel] = {
    "true": "supported",
    "mostly-true": "supported",
    "half-true": "conflicting",
    "barely-true": "conflicting",
    "false": "refuted",
    "pants-fire": "refuted",
}
PER_LABEL, SEED = 150, 7
MOCHEG_LABELS: Mapping[str, EvalLabel] = {
    "supported": "supported",
    "refuted": "refuted",
    "nei": "not_enough_evidence",
}


def load_liar(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``test.tsv``, 14 columns without a header. Half-true and barely-true stand for conflicting."""
    del companions

    def made(row: JsonRow, number: int) -> EvalRow:
        return EvalRow(
            id=str(row["id"]),
            claim=str(row["statement"]),
            group=str(row["label"]),
            label=label_of(row["label"], LIAR_LABELS, path, number),
            speaker=str(row.get("speaker") or ""),
        )

    columned = partial(table_rows, columns=LIAR_COLUMNS)
    rows = first_rows(path, limit, made, "id", "label", "statement", read=columned)
    return Dataset(format="liar", rows=rows, sha256=digest([path]))


def load_mocheg(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``Corpus2.csv``: ``claim_id``, ``Claim``, ``Evidence``, ``cleaned_truthfulness``, ``img_evidences``.

    A folder as companion holds the pictures that ``img_evidences`` names (``a.jpg;b.jpg``), which are
    submitted with the claim. Lines of one claim are put together; other labels are left out, as MOCHEG does.
    """
    folder = companion(companions, "the folder of images", folder=True)
    found: dict[str, EvalRow] = {}
    skipped = Counter[str]()
    for number, row in table_rows(path):
        need(row, path, number, "claim_id", "Claim", "cleaned_truthfulness")
        key, word = str(row["claim_id"]), str(row["cleaned_truthfulness"]).strip().casefold()
        if word not in MOCHEG_LABELS:
            skipped["another label"] += 1
            continue
        if key not in found and limit is not None and len(found) >= limit:
            continue
        names = [n.strip() for n in str(row.get("img_evidences") or "").split(";") if n.strip()]
        images = [folder / Path(n).name for n in names] if folder else []
        skipped["picture that is not in the folder"] += sum(not image.is_file() for image in images)
        old = found.get(key)
        given = (*(old.given if old else ()), *_evidence(str(row.get("Evidence") or "")))
        pictures = (*(old.images if old else ()), *(str(i) for i in images if i.is_file()))
        found[key] = EvalRow(
            id=key,
            claim=str(row["Claim"]),
            label=label_of(word, MOCHEG_LABELS, path, number),
            given=tuple({d.doc_id: d for d in given}.values()),
            images=tuple(dict.fromkeys(pictures)),
        )
    made = tuple(found.values())
    return Dataset(
        format="mocheg",
        rows=made,
        documents=corpus_of(made),
        sha256=digest([path, *companions]),
        skipped={k: v for k, v in skipped.items() if v},
    )


def load_mocheg_ragar(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """MOCHEG as RAGAR takes it: PolitiFact's claims alone, 150 supported and 150 refuted, drawn with seed 7.

    ``limit``: so many in all, half of each. The evidence, which has the ruling, is left out.
    """
    whole = load_mocheg(path, companions)
    kept = {
        str(row["claim_id"])
        for _, row in table_rows(path)
        if any("politifact" in str(row.get(name) or "").casefold() for name in row if _names_site(name))
    }
    each = PER_LABEL if limit is None else limit // 2
    chosen: list[EvalRow] = []
    for label in ("supported", "refuted"):
        rows = [r.model_copy(update={"given": ()}) for r in whole.rows if r.label == label and r.id in kept]
        chosen += random.Random(SEED).sample(rows, min(each, len(rows)))
    skipped = {**whole.skipped, "not PolitiFact's, not drawn or nei": len(whole.rows) - len(chosen)}
    return Dataset(format="mocheg-ragar", rows=tuple(chosen), sha256=whole.sha256, skipped=skipped)


def _names_site(column: str) -> bool:
    return any(word in column.casefold() for word in ("url", "website", "source", "checkor"))


def _evidence(text: str) -> tuple[Document, ...]:
    text = " ".join(text.replace("<p>", " ").replace("</p>", " ").split())
    return (document(f"mocheg-{sha256_text(text)[:16]}", text),) if text else ()
