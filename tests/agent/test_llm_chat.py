"""The way to a language model: the real LangChain client against a server of the test's own."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from agent.adapters.langchain_chat import MAX_RESPONSE, Endpoint, LangChainTransport
from agent.prompts import NAMES, load_prompt, prompt_fingerprints
from agent.reasoners.chat_model import MAX_REPLY, Budget, ChatError, ChatMessage, ChatModel, estimate_tokens
from agent.reasoners.llm_schemas import AskedQuestion, clean
from factdesk.kernel import BackendUnavailable, ConfigError, sha256_text
from tests.agent.llm_server import Play, Server, good, in_turn, serve

KEY = "sk-open-sesame"
GOOD = good(question="How much did it cost?", why="the amount")
USER = '{"claim": "x"}'


def make_chat(server: Server, clock: Callable[[], float] = time.monotonic, **changes: Any) -> ChatModel:
    bounds: dict[str, Any] = {
        "max_tokens": None,
        "max_calls": 50,
        "max_seconds": 60.0,
        "timeout": 5.0,
        "max_output_tokens": 200,
    }
    bounds |= {key: changes.pop(key) for key in list(changes) if key in bounds}
    point = {"provider": "openai", "model": "tiny", "base_url": server.url, "api_key": KEY, **changes}
    transport = LangChainTransport(Endpoint(**point, timeout=bounds["timeout"]))
    return ChatModel(transport, Budget(**bounds, clock=clock))


def ask(chat: ChatModel) -> AskedQuestion:
    return chat.complete("You ask.", USER, AskedQuestion)


def failure(chat: ChatModel) -> ChatError:
    with pytest.raises(ChatError) as caught:
        ask(chat)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_good_answer_becomes_a_record_and_is_counted() -> None:
    with serve(in_turn(GOOD)) as server:
        chat = make_chat(server)
        assert ask(chat) == AskedQuestion(question="How much did it cost?", why="the amount")
    [request] = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["response_format"]["json_schema"]["schema"]["required"] == ["question", "why"]
    assert request.body["max_tokens"] == 200
    assert request.body["temperature"] == 0.0
    assert request.text("system").startswith("You ask.")
    assert request.text("user") == USER
    assert chat.usage.model_dump() == {
        "calls": 1,
        "repairs": 0,
        "input_tokens": 70,
        "output_tokens": 30,
        "estimated": False,
    }


def test_a_broken_answer_is_repaired_once() -> None:
    with serve(in_turn(Play("Sure! {question: how much?"), GOOD)) as server:
        chat = make_chat(server)
        assert ask(chat).why == "the amount"
    first, second = server.requests
    assert [m["role"] for m in second.body["messages"]] == ["system", "user", "assistant", "user"]
    assert second.body["messages"][:2] == first.body["messages"]
    assert second.text("assistant") == "Sure! {question: how much?"
    assert second.text("user").startswith(load_prompt("repair"))
    assert (chat.usage.calls, chat.usage.repairs) == (2, 1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("I am not able to do that.", "no JSON object"),
        ('{"question": 7, "why": "x"}', "question: string type"),
        ('{"question": "q"}', "why: missing"),
        ('{"question": "q", "why": "w", "state": "VERIFIED"}', "the object: extra forbidden"),
        ('{"question": "q", "why": "\\ud800"}', "json"),
        ("", "no JSON object"),
        ("[" * 5000 + "{}", "missing"),
    ],
)
def test_an_answer_that_is_wrong_twice_is_a_failure_after_one_repair(content: str, says: str) -> None:
    with serve(in_turn(Play(content), Play(content), GOOD)) as server:
        error = failure(make_chat(server))
    assert error.kind == "bad_output"
    assert says in str(error)
    assert "VERIFIED" not in str(error)
    assert len(server.requests) == 2


def test_json_in_a_code_fence_needs_no_repair() -> None:
    with serve(in_turn(Play('Here:\n```json\n{"question": "q?", "why": "w"}\n```'))) as server:
        assert ask(make_chat(server)).question == "q?"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "says"),
    [(500, "HTTP 500"), (503, "HTTP 503"), (401, "key"), (404, "model"), (400, "json_mode"), (429, "many")],
)
def test_http_errors_are_failures_and_nothing_is_retried(status: int, says: str) -> None:
    body = f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}'.encode()
    with serve(in_turn(Play(status=status, body=body))) as server:
        error = failure(make_chat(server))
        assert error.kind == "unavailable"
        assert says in str(error)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body",
    [b"<html>welcome</html>", b"{}", b'{"choices": null}', b'{"choices": []}', b'"hello"', b"\xff\xfe"],
)
def test_a_server_that_talks_nonsense_is_a_failure(body: bytes) -> None:
    with serve(in_turn(Play(body=body))) as server:
        assert failure(make_chat(server)).kind in ("bad_output", "unavailable")


def test_a_model_that_is_slow_is_given_up() -> None:
    with serve(in_turn(Play(GOOD.content, delay=1.5))) as server:
        error = failure(make_chat(server, timeout=0.4))
    assert error.kind == "timeout"
    assert "0.4 s" in str(error)


def test_a_response_that_drips_is_given_up() -> None:
    with serve(in_turn(Play(GOOD.content, drip=0.05))) as server:
        assert failure(make_chat(server, timeout=0.6)).kind == "timeout"


def test_a_server_that_is_not_there_is_a_failure_and_left_alone_after_two_tries() -> None:
    with serve(in_turn(GOOD)) as server:
        pass
    chat = make_chat(server)
    assert [failure(chat).kind for _ in range(4)] == ["unavailable"] * 4
    assert chat.usage.calls == 2
    assert "not asked again" in str(failure(chat))


def test_a_model_that_comes_back_is_asked_on() -> None:
    down = Play(status=503, body=b"{}")
    with serve(in_turn(down, GOOD, down, GOOD)) as server:
        chat = make_chat(server)
        assert failure(chat).kind == "unavailable"
        assert ask(chat).question
        assert failure(chat).kind == "unavailable"
        assert ask(chat).question


@pytest.mark.parametrize("play", [Play(refusal="I can't help with that."), Play("{}", finish="content_filter")])
def test_a_refusal_is_a_failure_without_a_repair(play: Play) -> None:
    with serve(in_turn(play)) as server:
        assert failure(make_chat(server)).kind == "refused"
    assert len(server.requests) == 1


def test_a_huge_answer_is_no_answer() -> None:
    with serve(in_turn(good(question="q" * (MAX_REPLY + 1), why="w"))) as server:
        error = failure(make_chat(server))
    assert error.kind == "bad_output"
    assert str(MAX_REPLY) in str(error)
    assert len(server.requests[1].text("assistant")) < 3000


def test_a_huge_response_is_not_read_to_its_end() -> None:
    with serve(in_turn(Play(body=b" " * MAX_RESPONSE + GOOD.payload()))) as server:
        assert failure(make_chat(server)).kind in ("bad_output", "unavailable")


def test_calls_and_tokens_are_hard_bounds() -> None:
    with serve(in_turn(GOOD)) as server:
        chat = make_chat(server, max_calls=2)
        assert ask(chat)
        assert ask(chat)
        assert failure(chat).kind == "budget"
        assert len(server.requests) == 2
        chat = make_chat(server, max_tokens=500)
        while chat.usage.calls < 20:
            before = chat.usage.calls
            with suppress(ChatError):
                ask(chat)
            if chat.usage.calls == before:
                break
        assert failure(chat).kind == "budget"
        usage = chat.usage
        assert 1 <= usage.calls <= 5
        assert usage.input_tokens + usage.output_tokens <= 500
        assert server.requests[-1].body["max_tokens"] < 200, "the last call gets what is left"


def test_a_repair_is_refused_when_the_budget_is_used_up() -> None:
    with serve(in_turn(Play("no"), GOOD)) as server:
        error = failure(make_chat(server, max_calls=1))
    assert error.kind == "budget"
    assert len(server.requests) == 1


def test_seconds_are_a_hard_bound() -> None:
    now = [0.0]
    with serve(in_turn(GOOD)) as server:
        chat = make_chat(server, clock=lambda: now[0], max_seconds=10.0)
        assert ask(chat)
        now[0] = 10.0
        assert failure(chat).kind == "budget"
        assert len(server.requests) == 1


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": -5, "completion_tokens": 10**30, "total_tokens": 0}])
def test_token_counts_that_are_missing_or_absurd_are_estimated(usage: dict[str, Any] | None) -> None:
    with serve(in_turn(Play(GOOD.content, usage=usage))) as server:
        chat = make_chat(server)
        ask(chat)
        assert chat.usage.estimated
        assert 20 < chat.usage.input_tokens < 400
        assert 0 < chat.usage.output_tokens < 100


def test_a_call_that_failed_counts_in_full() -> None:
    with serve(in_turn(Play(status=500, body=b"{}"))) as server:
        chat = make_chat(server)
        failure(chat)
        assert chat.usage.output_tokens == 200
        assert chat.usage.estimated


def test_the_temperature_can_be_left_unsent() -> None:
    with serve(in_turn(GOOD)) as server:
        ask(make_chat(server, temperature=None))
        assert "temperature" not in server.requests[0].body


def test_function_calling_and_json_mode_work_by_setting() -> None:
    with serve(in_turn(Play(GOOD.content, tool=True))) as server:
        assert ask(make_chat(server, structured="function_calling")).why == "the amount"
        assert server.requests[0].body["tools"][0]["function"]["name"] == "AskedQuestion"
    with serve(in_turn(GOOD)) as server:
        assert ask(make_chat(server, structured="json_mode")).why == "the amount"
        assert server.requests[0].body["response_format"] == {"type": "json_object"}


def test_a_key_from_the_environment_never_goes_to_an_endpoint_of_ones_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-provider")
    with serve(in_turn(GOOD)) as server:
        ask(make_chat(server, api_key=None))
        assert "sk-of-the-provider" not in str(server.requests[0].headers)


def test_the_fingerprint_names_the_model_and_neither_key_nor_place() -> None:
    with serve(in_turn(GOOD)) as server:
        found = make_chat(server).fingerprint
        assert found.name.startswith("chat:llm:openai:tiny")
        assert "127.0.0.1" not in found.model_dump_json()
        assert KEY not in found.model_dump_json() + repr(Endpoint("openai", "tiny", api_key=KEY))


def test_images_go_as_data_urls() -> None:
    url = "data:image/jpeg;base64,AAAA"
    with serve(in_turn(GOOD)) as server:
        make_chat(server).complete("S", USER, AskedQuestion, [url])
        parts = server.requests[0].body["messages"][1]["content"]
    assert [p["type"] for p in parts] == ["text", "image_url"]
    assert parts[1]["image_url"]["url"] == url


def test_what_cannot_be_had_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(BackendUnavailable, match="FACTDESK_LLM__API_KEY"):
        LangChainTransport(Endpoint("openai", "tiny"))
    with pytest.raises(ConfigError, match="unknown provider 'nosuch'"):
        LangChainTransport(Endpoint("nosuch", "tiny"))
    with pytest.raises(BackendUnavailable, match="langchain-cohere"):
        LangChainTransport(Endpoint("cohere", "tiny"))


def test_every_prompt_is_there_and_its_hash_is_that_of_what_is_sent(repository: Any) -> None:
    files = sorted(p.stem for p in (repository / "agent" / "prompts").glob("*.md"))
    assert list(NAMES) == files
    for found in prompt_fingerprints():
        assert found.sha256 == sha256_text(load_prompt(found.name.removeprefix("prompt:")))
        assert load_prompt(found.name.removeprefix("prompt:"))


def test_estimates_are_rather_too_high() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("The refurbishment cost 6.2 million pounds.") >= 10
    assert ChatMessage(role="user", text="x").images == ()


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  a\n\tb ", "a b"),
        ("a\u202eb\x00c", "a b c"),
        ("x" * 50, "x" * 9 + "…"),
        ("", ""),
    ],
)
def test_the_models_words_are_one_line_of_printable_characters(text: str, cleaned: str) -> None:
    assert clean(text, 10) == cleaned
