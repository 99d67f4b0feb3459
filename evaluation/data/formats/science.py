"""SciFact: scientific claims and abstracts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation.data.formats.reading import JsonRow, companion, digest, first_rows, json_rows, label_of, need
from evaluation.data.formats.types import Dataset, EvalLabel, EvalRow, Gold, document
from factdesk.kernel import InputError

LABELS: Mapping[str, EvalLabel] = {"support": "supported", "contradict": "refuted"}


def load_scifact(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``claims_dev.jsonl`` (``id``, ``claim``, ``evidence``, ``cited_doc_ids``), with ``corpus.jsonl``.

    A claim without evidence has not enough; one with evidence both ways is conflicting.
    """
    corpus = companion(companions, "corpus.jsonl", folder=False)
    if corpus is None:
        raise InputError("SciFact needs its abstracts; give corpus.jsonl with --with")
    abstracts: dict[str, tuple[str, tuple[str, ...]]] = {}
    for number, row in json_rows(corpus):
        need(row, corpus, number, "doc_id", "abstract")
        sentences = tuple(" ".join(str(s).split()) for s in row["abstract"])
        if any(sentences):
            abstracts[str(row["doc_id"])] = (str(row.get("title") or ""), sentences)
    documents = {key: document(key, " ".join(s), title=title) for key, (title, s) in sorted(abstracts.items())}

    def made(row: JsonRow, number: int) -> EvalRow:
        label, gold = _evidence(row, abstracts, path, number)
        cited = dict.fromkeys([*map(str, row.get("cited_doc_ids") or ()), *(g.doc_id for s in gold for g in s)])
        return EvalRow(
            id=str(row["id"]),
            claim=str(row["claim"]),
            label=label,
            gold=gold,
            given=tuple(documents[c] for c in cited if c in documents),
        )

    return Dataset(
        format="scifact",
        rows=first_rows(path, limit, made, "id", "claim"),
        documents=tuple(documents.values()),
        sha256=digest([path, *companions]),
    )


def _evidence(
    row: JsonRow, abstracts: Mapping[str, tuple[str, tuple[str, ...]]], path: Path, number: int
) -> tuple[EvalLabel, tuple[tuple[Gold, ...], ...]]:
    labels: set[EvalLabel] = set()
    gold = []
    for doc_id, sets in (row.get("evidence") or {}).items():
        sentences = abstracts.get(str(doc_id), ("", ()))[1]
        for found in sets:
            labels.add(label_of(found.get("label"), LABELS, path, number))
            chosen = [int(n) for n in found.get("sentences", ())]
            gold.append(tuple(Gold(doc_id=str(doc_id), quote=sentences[n]) for n in chosen if n < len(sentences)))
    kept = tuple(group for group in gold if group)
    if not labels:
        return "not_enough_evidence", ()
    return (labels.pop() if len(labels) == 1 else "conflicting"), kept
