"""factdesk in LangChain: a tool for agents and a Runnable for chains, over one checker each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from factdesk.checker import FactChecker

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable
    from langchain_core.tools import StructuredTool

DESCRIPTION = (
    "Check a claim (English) against the desk's documents. Gives the verdict and, for each atomic claim, a "
    "state: VERIFIED, BLOCKED (refuted) or UNVERIFIED. UNVERIFIED means that nothing was shown, not that it "
    "is false. Only what stands in 'shown' may be told as the result; an error is no verdict."
)


def check_runnable(checker: FactChecker | None = None, **settings: Any) -> Runnable[str, dict[str, Any]]:
    """Claim in, public JSON of the check out (``docs/schemas/check-1.json``); what goes wrong is raised as
    ``FactdeskError``. ``settings`` are those of ``FactChecker.from_config``, for a checker that is made here.
    """
    from langchain_core.runnables import RunnableLambda

    desk = checker or FactChecker.from_config(**settings)

    def check(claim: str) -> dict[str, Any]:
        return desk.check(claim).json()

    return RunnableLambda(check)


def check_tool(checker: FactChecker | None = None, **settings: Any) -> StructuredTool:
    """The same as a tool named ``check_claim`` for an agent, with the contract in its description. An error of factdesk
    becomes a ``ToolException``, which the tool tells to the agent.
    """
    from langchain_core.tools import StructuredTool, ToolException

    from factdesk.kernel import FactdeskError

    desk = checker or FactChecker.from_config(**settings)

    def check_claim(claim: str) -> dict[str, Any]:
        """Check a claim."""
        try:
            return desk.check(claim).json()
        except FactdeskError as error:
            raise ToolException(f"{error}. Nothing was decided.") from error

    return StructuredTool.from_function(
        check_claim, name="check_claim", description=DESCRIPTION, handle_tool_error=True
    )
