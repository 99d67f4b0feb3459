"""Web search by LangChain's DuckDuckGo tool, the only file that imports ``langchain_community``.

The wrapper's defaults (last year, any engine) are overridden.
"""

from __future__ import annotations

import threading
import warnings
from importlib.metadata import version
from typing import TYPE_CHECKING

from agent.tools.web.json_api import rows
from agent.tools.web.search_engines import results_of
from agent.web_ports import SearchResult
from factdesk.kernel import BackendUnavailable, Fingerprint, TransientError

if TYPE_CHECKING:
    from langchain_community.tools import DuckDuckGoSearchResults

_IMPORT = threading.Lock()
_NOTHING_FOUND = "No results found"


def _tool(limit: int) -> DuckDuckGoSearchResults:
    with _IMPORT, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r".*langchain-community.*is being sunset")
        from langchain_community.tools import DuckDuckGoSearchResults
        from langchain_community.utilities import DuckDuckGoSearchAPIWrapper
    wrapper = DuckDuckGoSearchAPIWrapper(time=None, backend="duckduckgo", max_results=limit, source="text")
    return DuckDuckGoSearchResults(api_wrapper=wrapper, num_results=limit, backend="text", output_format="list")


class DuckDuckGoSearch:
    """``agent.web_ports.WebSearch`` over ``DuckDuckGoSearchResults``."""

    @property
    def fingerprint(self) -> Fingerprint:
        """The version of ``ddgs``."""
        return Fingerprint(name="websearch:duckduckgo", version=version("ddgs"))

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Results in DuckDuckGo's order; empty also when DuckDuckGo blocks."""
        from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

        try:
            found = _tool(limit).invoke(query)
        except RatelimitException as error:
            raise TransientError("DuckDuckGo allows no more searches for now") from error
        except TimeoutException as error:
            raise TransientError("DuckDuckGo did not answer in time") from error
        except DDGSException as error:
            if str(error).startswith(_NOTHING_FOUND):
                return ()
            raise TransientError(f"DuckDuckGo could not be asked ({_short(error)})") from error
        if not isinstance(found, list):
            raise BackendUnavailable("the DuckDuckGo tool answered in an unknown form; update factdesk")
        return results_of(rows(found), "link", "snippet")[:limit]


def _short(error: Exception) -> str:
    """The kind of the underlying error, without addresses."""
    return str(error).partition(":")[0][:60] or type(error).__name__
