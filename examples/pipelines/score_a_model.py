"""An inspect_ai task: how much of what a model says about the library do the documents bear out?

    pip install '.[inspect]' && inspect eval examples/pipelines/score_a_model.py --model PROVIDER/MODEL

``python examples/pipelines/score_a_model.py`` scores two answers that are written below, with neither a model nor a
network: the first is borne out, the second is not.
"""

from __future__ import annotations

from pathlib import Path

import inspect_ai
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from factdesk.inspect_scorer import borne_out

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
ANSWERS = {
    "What did the refurbishment of the Tollgate Library cost?": "The refurbishment of the Tollgate Library cost £6.2"
    " million.",
    "When did the Tollgate Library reopen?": "The Tollgate Library reopened on 3 May 2023.",
}
"""Each question with the answer that stands for a model's."""


@task
def library() -> Task:
    """Two questions; the score is the share of Verified statements of each answer."""
    return Task(
        dataset=[Sample(input=f"{question} Answer in one sentence that stands on its own.") for question in ANSWERS],
        solver=generate(),
        scorer=borne_out(corpus=(str(CORPUS),)),
    )


def main() -> EvalLog:
    """The task on the answers written here. Their use of tokens is given: to count it, inspect_ai asks a network."""
    outputs = [ModelOutput.from_content("written", answer) for answer in ANSWERS.values()]
    for output in outputs:
        output.usage = ModelUsage()
    model = get_model("mockllm/model", custom_outputs=outputs)
    return inspect_ai.eval(library(), model=model, max_connections=1, max_samples=1, display="plain")[0]


if __name__ == "__main__":
    for scored in main().samples or ():
        print(scored.scores["factdesk"].value, scored.output.completion)  # noqa: T201 - an example
