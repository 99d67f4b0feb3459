"""AVeriTeC: real claims with the questions and answers of annotators."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from evaluation.data.formats.reading import JsonRow, companion, digest, first_rows, json_rows, label_of
from evaluation.data.formats.types import Answered, Dataset, EvalLabel, EvalRow, corpus_of, document
from evidence.types import Document
from factdesk.kernel import sha256_text

LABELS: Mapping[str, EvalLabel] = {
    "supported": "supported",
    "refuted": "refuted",
    "not enough evidence": "not_enough_evidence",
    "conflicting evidence/cherrypicking": "conflicting",
}
_DAY = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})")
NO_ANSWER = "No answer could be found."


def load_averitec(path: Path, companions: Sequence[Path] = (), limit: int | None = None) -> Dataset:
    """``dev.json``: ``claim``, ``label``, ``claim_date``, ``questions`` with ``answers``.

    A folder as companion is the knowledge store: ``<number>.json``, JSON Lines with ``url`` and ``url2text``
    (a page's sentences), numbered like the claims from 0. Without it the annotators' answers are the texts.
    """
    store = companion(companions, "the folder of the knowledge store", folder=True)
    skipped = Counter[str]()

    def made(row: JsonRow, number: int) -> EvalRow:
        claim_id = str(row.get("claim_id", number - 1))
        return EvalRow(
            id=claim_id,
            claim=str(row["claim"]),
            label=label_of(row["label"], LABELS, path, number),
            date=_day(row.get("claim_date")),
            speaker=str(row.get("speaker") or ""),
            asked=answered(row),
            given=_stored(store / f"{claim_id}.json", skipped) if store else _answers(row),
            group=" ".join(map(str, row.get("claim_types") or ())),
        )

    rows = first_rows(path, limit, made, "claim", "label")
    return Dataset(
        format="averitec",
        rows=rows,
        documents=corpus_of(rows),
        skipped=dict(skipped),
        sha256=digest([path, *companions]),
    )


def answered(row: JsonRow) -> tuple[Answered, ...]:
    """Question and answer as AVeriTeC compares them: an answer a pair, the reason behind yes and no."""
    found = []
    for item in row.get("questions") or ():
        answers = item.get("answers") or []
        answers = answers if isinstance(answers, list) else [answers]
        for answer in answers:
            text = str(answer.get("answer") or "")
            if answer.get("answer_type") == "Boolean":
                text = f"{text}. {answer.get('boolean_explanation') or ''}".strip()
            found.append(Answered(question=str(item["question"]), answer=text))
        if not answers:
            found.append(Answered(question=str(item["question"]), answer=NO_ANSWER))
    return tuple(found)


def _answers(row: JsonRow) -> tuple[Document, ...]:
    found: dict[str, Document] = {}
    for item in row.get("questions") or ():
        answers = item.get("answers") or []
        for answer in answers if isinstance(answers, list) else [answers]:
            explained = str(answer.get("boolean_explanation") or "")
            text = explained if answer.get("answer_type") == "Boolean" else str(answer.get("answer") or "")
            if not text.strip() or answer.get("answer_type") == "Unanswerable":
                continue
            url = str(answer.get("source_url") or "") or None
            doc_id = f"averitec-{sha256_text(f'{url} {text}')[:16]}"
            found[doc_id] = document(doc_id, text, title=str(item.get("question") or ""), url=url)
    return tuple(found.values())


def _stored(path: Path, skipped: Counter[str]) -> tuple[Document, ...]:
    if not path.is_file():
        skipped["claim without a file in the knowledge store"] += 1
        return ()
    found: dict[str, Document] = {}
    for _, row in json_rows(path):
        sentences = [" ".join(str(s).split()) for s in row.get("url2text") or ()]
        text = "\n".join(s for s in sentences if s)
        url = str(row.get("url") or "")
        if text and url:
            doc_id = f"averitec-{sha256_text(url + text)[:16]}"
            found[doc_id] = document(doc_id, text, url=url)
    return tuple(found.values())


def _day(value: object) -> date | None:
    """A day as AVeriTeC writes it (``25-8-2020``); ``None`` for anything else."""
    match = _DAY.fullmatch(str(value or "").strip())
    if match is None:
        return None
    try:
        return date(int(match[3]), int(match[2]), int(match[1]))
    except ValueError:
        return None
