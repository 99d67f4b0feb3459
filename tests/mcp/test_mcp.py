"""``factdesk mcp`` by a real client over stdio: what it offers, what it decides, what it refuses."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from tests.factdesk.conftest import CLAIM

COST = "How much did the Tollgate Library cost?"
OPEN = "The Tollgate Library has a swimming pool on its roof."


def talk(home: Path, corpus: Path, talks: Callable[[Client], Awaitable[Any]]) -> Any:
    """Start the server as a client does, and talk to it."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "factdesk", "mcp", "--corpus", str(corpus)],
        env={**os.environ, "FACTDESK_HOME": str(home)},
    )

    async def session() -> Any:
        async with Client(command, read_timeout_seconds=120) as client:
            return await talks(client)

    return asyncio.run(session())


def content(result: Any) -> Any:
    assert not result.is_error, result.content
    found = result.structured_content
    return found["result"] if set(found) == {"result"} else found


def test_an_agent_checks_asks_searches_and_verifies(tmp_path: Path, repository: Path) -> None:
    corpus = repository / "examples" / "corpus" / "local"

    async def talks(client: Client) -> dict[str, Any]:
        tools = {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}
        held = content(await client.call_tool("check", {"claim": CLAIM}))
        left = content(await client.call_tool("check", {"claim": OPEN}))
        asked = content(await client.call_tool("ask", {"question": "How much did the Tollgate Library cost?"}))
        hits = content(await client.call_tool("search", {"words": "library cost", "limit": 3}))
        again = content(await client.call_tool("verify", {"certificate": held["certificate_id"], "rerun": True}))
        refused = [
            await client.call_tool("check", {"claim": CLAIM, "corpora": [name]})
            for name in ("/etc", "https://news.example/x", "no-such")
        ]
        refused += [
            await client.call_tool("check", {"claim": " "}),
            await client.call_tool("verify", {"certificate": "ffffffff"}),
            await client.call_tool("check", {"claim": CLAIM, "as_of": "May"}),
        ]
        history = (await client.read_resource("factdesk://history")).contents[0]
        report = (await client.read_resource(f"factdesk://reports/{held['certificate_id']}")).contents[0]
        return {
            "tools": tools,
            "instructions": client.instructions,
            "held": held,
            "left": left,
            "asked": asked,
            "hits": hits,
            "again": again,
            "refused": refused,
            "history": history.text,
            "report": report.text,
        }

    found = talk(tmp_path, corpus, talks)
    assert {"check", "ask", "annotate", "search", "verify", "history"} == set(found["tools"])
    assert 'not "false"' in found["tools"]["check"]
    assert "An error is no verdict" in found["instructions"]
    assert (found["held"]["verdict"], found["held"]["claims"][0]["state"]) == ("supported", "VERIFIED")
    assert (found["left"]["verdict"], found["left"]["shown"]) == ("not_enough_evidence", [])
    assert found["asked"]["answer"][0]["according_to"]
    assert all({"text", "doc_id", "start"} <= set(hit) for hit in found["hits"])
    assert [found["again"][name]["ok"] for name in ("integrity", "completeness", "reverified")] == [True] * 3
    for answer in found["refused"]:
        assert answer.is_error
        assert "Nothing was decided" in answer.content[0].text
    assert found["held"]["certificate_id"] in {e["certificate_id"] for e in json.loads(found["history"])}
    assert "VERIFIED" in found["report"]


def test_without_the_package_the_command_says_how_to_get_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; sys.argv = ['factdesk', 'mcp']\nfrom factdesk.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "FACTDESK_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "[mcp]" in done.stderr) == (4, True), done.stderr
