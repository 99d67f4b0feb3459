"""ClaimTrust's table: questions asked with evidence in the order of relevance alone, and of trust as well."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, get_args

from pydantic import BaseModel, Field

from agent.reasoners.chat_model import ChatError
from evaluation.metrics.questions import evaluate_questions, read_questions
from factdesk.checker import FactChecker
from factdesk.kernel import BackendUnavailable, Record
from factdesk.settings import Ranking, load_settings

if TYPE_CHECKING:
    from agent.reasoners.chat_model import ChatModel
    from factdesk.settings import Settings

NO_ANSWER = "(no answer)"


class AnswerQuality(BaseModel):
    """What the model is asked for."""

    quality: Annotated[float, Field(ge=0.0, le=1.0)]


class RankingRow(Record):
    """One ranking of the evidence."""

    ranking: Ranking
    n: int
    answered: int
    accuracy: float
    """Share of all questions whose answer holds an accepted string."""
    quality: float | None
    """Mean of the model's scores, 0 to 1; ``None`` without a model, or where it scored nothing."""
    unscored: int
    """Answers that the model did not score."""


class QualityJudge:
    """Asks a language model how good an answer is; measured alone, no verdict knows of it."""

    def __init__(self, make_chat: Callable[[], ChatModel]) -> None:
        self._make_chat = make_chat
        text = files("evaluation.judging").joinpath("answer_quality.md").read_text(encoding="utf-8")
        self._prompt = text.replace("\r\n", "\n").strip()

    def score(self, question: str, answer: str) -> float | None:
        """0 to 1; ``None`` where nothing usable came. Raises ``BackendUnavailable`` when it cannot be reached."""
        user = json.dumps({"question": question, "answer": answer or NO_ANSWER}, ensure_ascii=False)
        try:
            found = self._make_chat().complete(self._prompt, user, AnswerQuality)
        except ChatError as error:
            if error.kind == "unavailable":
                raise BackendUnavailable(f"the judge cannot be had: {error}") from error
            return None
        return AnswerQuality.model_validate(found.model_dump()).quality


def open_quality(spec: str, settings: Settings) -> QualityJudge:
    """The judge that a reasoner's spec names. Raises ``ConfigError`` where it names no language model."""
    from factdesk.check.models import make_chat

    make_chat(spec, settings)
    return QualityJudge(lambda: make_chat(spec, settings))


def compare_rankings(
    file: Path, corpus: str, judge: QualityJudge | None = None, limit: int | None = None
) -> tuple[RankingRow, ...]:
    """All questions of a file in both rankings. Raises ``InputError`` where the corpus has no trust to rank by."""
    return tuple(_row(ranking, file, corpus, judge, limit) for ranking in get_args(Ranking))


def _row(ranking: Ranking, file: Path, corpus: str, judge: QualityJudge | None, limit: int | None) -> RankingRow:
    checker = FactChecker(load_settings(corpus=(corpus,), ranking=ranking))
    rows = read_questions(file, limit)
    found = evaluate_questions(checker, file, limit=limit).outcomes
    shown = [(row, " ".join(outcome.shown)) for row, outcome in zip(rows, found, strict=True)]
    scores = [judge.score(row.question, answer) for row, answer in shown] if judge is not None else []
    known = [s for s in scores if s is not None]
    holds = sum(any(a.casefold() in answer.casefold() for a in row.accept) for row, answer in shown)
    return RankingRow(
        ranking=ranking,
        n=len(shown),
        answered=sum(bool(answer) for _, answer in shown),
        accuracy=round(holds / len(shown), 4),
        quality=round(fmean(known), 4) if known else None,
        unscored=len(scores) - len(known),
    )
