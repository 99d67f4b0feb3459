"""ALCE (Gao et al. 2023): answers with citations to ASQA, QAMPARI and ELI5.

Citation recall and precision follow ALCE's script: a statement counts when all that it cites together bears
it out; a citation counts when its statement does and the citation bears it out alone, or the others do not
without it. The judge is **our verifier** in the place of the 11-billion-parameter model of the paper, so
figures compare systems judged here, not with the paper's tables.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from evaluation.data.formats.reading import JsonRow, digest, json_rows, need
from evaluation.data.formats.types import document
from evaluation.metrics.measures import Interval, interval
from evidence.segmentation.spans import sentence_ranges
from evidence.types import Document
from factdesk.kernel import ConfigError, Fingerprint, InputError, Record

Task = Literal["asqa", "qampari", "eli5"]
TASKS: tuple[Task, ...] = ("asqa", "qampari", "eli5")
MAX_CITATIONS = 3
"""So many citations of a statement count, as in ALCE's script."""
_CITED = re.compile(r"\[(\d+)")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
Judge = Callable[[str, Sequence[Document]], bool]
"""Whether some texts bear a statement out."""
Answerer = Callable[[str, Sequence[Document]], str]
"""Answers a question from some texts, with citations ``[1]``."""


class AlceItem(Record):
    """One question with its answer."""

    id: str
    question: str
    output: str
    statements: int
    uncited: int
    """Statements without a citation, or with one that does not exist."""
    citation_recall: float
    citation_precision: float
    correct: dict[str, float]
    """By the task's own measures."""


class AlceReport(Record):
    """Figures over all questions; means of the questions' own, 0 to 1."""

    schema_version: str = "factdesk.eval-alce/1"
    task: Task
    name: str
    data_sha256: str
    n: int
    answered: int
    statements: int
    citation_recall: Interval
    citation_precision: Interval
    correct: dict[str, Interval]
    """ASQA: ``str_em``; QAMPARI: ``precision``, ``recall``, ``recall_top5``, ``f1_top5``; ELI5:
    ``claim_recall``."""
    judge: Fingerprint
    answers: str
    """``"file"``: as they stood there; ``"factdesk"``: by ``factdesk ask`` over each question's documents."""
    settings: dict[str, Any]
    """In force, as a certificate records them, and how many documents were given."""
    items: tuple[AlceItem, ...]


def evaluate_alce(
    path: Path,
    task: str,
    judge: Judge,
    judged_by: Fingerprint,
    *,
    answer: Answerer | None = None,
    limit: int | None = None,
    part: Path | None = None,
    settings: dict[str, Any] | None = None,
    done: Callable[[AlceItem, int], None] = lambda _item, _n: None,
) -> AlceReport:
    """Judge the answers of a file, or with ``answer`` make them first.

    ``part``: a file where judged questions are kept until all are done, so that a stopped run goes on.
    Raises ``ConfigError`` for an unknown task and ``InputError`` for a file that is none of ALCE's.
    """
    chosen = next((t for t in TASKS if t == task), None)
    if chosen is None:
        raise ConfigError(f"task {task!r} is unknown; known: {', '.join(TASKS)}")
    key = {
        "data": digest([path]),
        "task": chosen,
        "ask": answer is not None,
        "judge": judged_by.sha256,
        "settings": settings or {},
    }
    known = _begun(part, key)
    items: list[AlceItem] = []
    for number, row in _rows(path):
        if limit is not None and len(items) >= limit:
            break
        if len(items) < len(known):
            items.append(known[len(items)])
            continue
        need(row, path, number, "question", "docs")
        docs = _documents(row, number)
        if answer is None:
            need(row, path, number, "output")
        output = answer(str(row["question"]), docs) if answer else str(row["output"])
        items.append(_judged(row, number, chosen, output.strip().split("\n")[0], docs, judge))
        if part is not None:
            with part.open("a", encoding="utf-8") as file:
                file.write(items[-1].model_dump_json() + "\n")
        done(items[-1], number)
    if not items:
        raise InputError(f"{path.name} holds no questions")
    found = _report(path, chosen, judged_by, items, "factdesk" if answer else "file")
    return found.model_copy(update={"settings": settings or {}})


def _begun(part: Path | None, key: dict[str, Any]) -> list[AlceItem]:
    """What an earlier process judged, in the order of the file. Raises ``InputError`` for another run's."""
    if part is None:
        return []
    if not part.exists():
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(key) + "\n", encoding="utf-8")
        return []
    first, *rest = part.read_text(encoding="utf-8").splitlines(keepends=True)
    if json.loads(first) != key:
        raise InputError(f"{part.name} belongs to another run; remove it, or name another file with --out")
    whole = [line for line in rest if line.endswith("\n")]  # a line torn off is judged again
    part.write_text(first + "".join(whole), encoding="utf-8")
    return [AlceItem.model_validate_json(line) for line in whole]


def _rows(path: Path) -> list[tuple[int, JsonRow]]:
    """ALCE's data (a list) or results (``{"data": [...]}``)."""
    found = list(json_rows(path))
    if len(found) == 1 and isinstance(found[0][1].get("data"), list):
        return list(enumerate(found[0][1]["data"], 1))
    return found


def _documents(row: JsonRow, number: int) -> list[Document]:
    return [
        document(f"q{number}-{n}", str(d.get("text") or d.get("sent") or ""), title=str(d.get("title") or ""))
        for n, d in enumerate(row["docs"], 1)
    ]


def statements(task: Task, question: str, output: str) -> list[str]:
    """What the answer states, citations included; items of a QAMPARI list are read with their question."""
    if task == "qampari":
        parts = output.rstrip().rstrip(".").rstrip(",").split(",")
        return [f"{question} {p.strip()}" for p in parts if uncited(p).strip()]
    return [output[a:b] for a, b in sentence_ranges(output, 0, len(output)) if uncited(output[a:b]).strip()]


def uncited(text: str) -> str:
    """Without citations."""
    return re.sub(r"\s*\[\d+\]?(?:\s*\|)?\]?", "", text).strip()


def _judged(row: JsonRow, number: int, task: Task, output: str, docs: Sequence[Document], judge: Judge) -> AlceItem:
    found = statements(task, str(row["question"]), output)
    borne = right = cited = lacking = 0
    for statement in found:
        places = [int(n) - 1 for n in _CITED.findall(statement)][:MAX_CITATIONS]
        if not places or any(p < 0 or p >= len(docs) for p in places):
            lacking += 1
            continue
        cited += len(places)
        good = cited_rightly(uncited(statement), [docs[p] for p in places], judge)
        borne += good is not None
        right += good or 0
    return AlceItem(
        id=str(row.get("sample_id") or row.get("id") or number),
        question=str(row["question"]),
        output=output,
        statements=len(found),
        uncited=lacking,
        citation_recall=borne / len(found) if found else 0.0,
        citation_precision=right / cited if cited else 0.0,
        correct=correctness(task, row, output, judge),
    )


def cited_rightly(statement: str, cited: Sequence[Document], judge: Judge) -> int | None:
    """How many of a statement's citations count; ``None`` where all together do not bear it out."""
    if not judge(statement, cited):
        return None
    if len(cited) == 1:
        return 1
    return sum(
        judge(statement, [one]) or not judge(statement, [d for m, d in enumerate(cited) if m != n])
        for n, one in enumerate(cited)
    )


def correctness(task: Task, row: JsonRow, output: str, judge: Judge) -> dict[str, float]:
    """The task's own measures; empty where the file has no reference."""
    text = uncited(output)
    if task == "asqa":
        pairs = row.get("qa_pairs") or []
        hits = [any(normal(a) in normal(text) for a in p.get("short_answers", ())) for p in pairs]
        return {"str_em": float(np.mean(hits))} if hits else {}
    if task == "qampari":
        return _list_figures(text, row.get("answers") or [])
    claims = [str(c) for c in row.get("claims") or ()]
    said = [document("output", text)] if text else []
    return {"claim_recall": float(np.mean([bool(said) and judge(c, said) for c in claims]))} if claims else {}


def _list_figures(text: str, answers: Sequence[Sequence[str]]) -> dict[str, float]:
    if not answers:
        return {}
    said = [s for s in (normal(p) for p in text.rstrip().rstrip(".").rstrip(",").split(",")) if s]
    wanted = [[normal(a) for a in group] for group in answers]
    precision = sum(any(s in group for group in wanted) for s in said) / len(said) if said else 0.0
    found = sum(any(a in said for a in group) for group in wanted)
    top = min(5, found) / min(5, len(wanted))
    f1 = 2 * precision * top / (precision + top) if precision + top else 0.0
    return {"precision": precision, "recall": found / len(wanted), "recall_top5": top, "f1_top5": f1}


def normal(text: str) -> str:
    """Lower case, without punctuation, articles and double spaces."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def _report(path: Path, task: Task, judge: Fingerprint, items: Sequence[AlceItem], answers: str) -> AlceReport:
    n = len(items)

    def spread(values: Sequence[float]) -> Interval:
        array = np.array(values)
        return interval(lambda c: float(array[c].mean()), len(array))

    names = sorted({name for i in items for name in i.correct})
    return AlceReport(
        task=task,
        name=path.name,
        data_sha256=digest([path]),
        n=n,
        answered=sum(bool(i.output) for i in items),
        statements=sum(i.statements for i in items),
        citation_recall=spread([i.citation_recall for i in items]),
        citation_precision=spread([i.citation_precision for i in items]),
        correct={name: spread([i.correct[name] for i in items if name in i.correct]) for name in names},
        settings={},
        judge=judge,
        answers=answers,
        items=tuple(items),
    )


def verifier_judge(verifier: Any, thresholds: Any, caps: Any) -> Judge:
    """Our verifier as judge: some sentence, or two together, likelier bears the statement out than not."""
    from agent.types import AtomicClaim
    from evaluation.data.outcome import support_of
    from evaluation.runs.given_evidence import score, sentences
    from verifier.pair_decision import LEANS

    def judge(statement: str, texts: Sequence[Document]) -> bool:
        spans = [span for text in texts for span in sentences(text)]
        claim = AtomicClaim(claim_id="c1", text=statement, start=0, end=len(statement), source=statement)
        record = score(claim, spans, verifier, thresholds, caps)
        return support_of([record], thresholds) >= LEANS

    return judge


def factdesk_answerer(checker: Any, folder: Path, limit: int) -> Answerer:
    """Answers by ``factdesk ask`` over a question's first documents, each statement with its citations."""
    from evaluation.runs.runner import write_corpus
    from report.render.view import shown_claims

    def answer(question: str, docs: Sequence[Document]) -> str:
        given = [d for d in docs[:limit] if d.text.strip()]
        if not given:
            return ""
        report = checker.ask(question, corpus=(str(write_corpus(given, folder)),), record=False)
        places = {d.doc_id: n for n, d in enumerate(docs, 1)}
        said = []
        for view in shown_claims(report.certificate, "strict"):
            cited = dict.fromkeys(places[s.span.doc_id] for s in view.deciding if s.span.doc_id in places)
            marks = "".join(f"[{n}]" for n in cited)
            text = view.record.claim.text.rstrip()
            said.append(f"{text.rstrip('.')} {marks}." if marks else text)
        return " ".join(said)

    return answer
