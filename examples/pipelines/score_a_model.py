"""An inspect_ai task: how much of what a model says about the library do the documents bear out?

pip install '.[inspect]' && inspect eval examples/pipelines/score_a_model.py --model PROVIDER/MODEL
"""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate

from factdesk.inspect_scorer import borne_out

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


@task
def library() -> Task:
    """Two questions; the score is the share of Verified statements of each answer."""
    questions = ("What did the refurbishment of the Tollgate Library cost?", "When did the Tollgate Library reopen?")
    return Task(
        dataset=[Sample(input=f"{question} Answer in one sentence that stands on its own.") for question in questions],
        solver=generate(),
        scorer=borne_out(corpus=(str(CORPUS),)),
    )
