"""A scorer for inspect_ai: the share of a model's statements that the desk's documents bear out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from factdesk.checker import FactChecker
from factdesk.kernel import BackendUnavailable, FactdeskError, install_line

if TYPE_CHECKING:
    from inspect_ai.scorer import Score, Scorer, Target
    from inspect_ai.solver import TaskState


def borne_out(checker: FactChecker | None = None, **settings: Any) -> Scorer:
    """Verified statements of the answer over all its statements, 0 to 1; the certificate's id is in the metadata. What
    cannot be checked is unscored, never 0: an error is no verdict. Raises ``BackendUnavailable``: no inspect_ai.
    """
    try:
        from inspect_ai.scorer import Score, mean, scorer, stderr
    except ImportError as error:
        raise BackendUnavailable(f"this needs the package inspect_ai; {install_line('inspect')}") from error
    from asyncio import to_thread

    desk = checker or FactChecker.from_config(**settings)

    def make() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            del target
            answer = state.output.completion
            try:
                report = await to_thread(desk.check, answer)
            except FactdeskError as error:
                return Score.unscored(reason="not_checked", answer=answer, explanation=str(error))
            found = report.json()
            states = [claim["state"] for claim in found["claims"]]
            told = {name: found[name] for name in ("verdict", "certificate_id")} | {"states": states}
            if not states:
                return Score.unscored(reason="no_statement", answer=answer, metadata=told)
            share = states.count("VERIFIED") / len(states)
            return Score(value=share, answer=answer, explanation=report.text(), metadata=told)

        return score

    made: Scorer = scorer(metrics=[mean(), stderr()], name="factdesk")(make)()
    return made
