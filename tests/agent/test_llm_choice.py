"""Choosing a reasoner: specs, addresses, and what is recorded of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from factdesk.check.models import ReasonerInputs, make_reasoner
from factdesk.kernel import ConfigError, InputError
from factdesk.settings import load_settings


@pytest.mark.parametrize("spec", ["", "llm", "llm:", "llm:openai", "llm:openai:", "gguf:", "extractive:x", "gpt"])
def test_an_unknown_spec_names_the_known_ones(spec: str) -> None:
    with pytest.raises(ConfigError, match=r"extractive, llm:PROVIDER:MODEL .*gguf:PATH"):
        make_reasoner(ReasonerInputs(spec, load_settings()))


def test_a_model_name_may_hold_colons() -> None:
    given = load_settings(llm={"base_url": "http://127.0.0.1:9/v1"})
    made = make_reasoner(ReasonerInputs("llm:openai:qwen3:4b", given))
    assert made.fingerprint.name.startswith("reasoner:llm:openai:qwen3:4b")


@pytest.mark.parametrize("place", ["nowhere.gguf", "json", "no-package"])
def test_a_gguf_file_that_is_not_there_is_refused(place: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no GGUF file"):
        make_reasoner(ReasonerInputs(f"gguf:{place}", load_settings()))


def test_settings_record_how_a_model_was_asked_but_neither_key_nor_place(tmp_path: Path) -> None:
    plain = load_settings(llm={"base_url": "http://127.0.0.1:1/v1", "api_key": "sk-secret"})
    assert "llm" not in plain.recorded()
    model = load_settings(reasoner="llm:openai:m", llm={"base_url": "http://127.0.0.1:1/v1", "api_key": "sk-x"})
    assert model.recorded()["llm"]["fallback"] is True
    assert not {"base_url", "api_key"} & set(model.recorded()["llm"])
    local = load_settings(reasoner=f"gguf:{tmp_path}/m.gguf")
    assert local.recorded()["reasoner"] == "gguf:m.gguf"


@pytest.mark.parametrize("url", ["ftp://a/v1", "http://user:pass@host/v1", "localhost:11434", "http://"])
def test_an_address_that_is_none_or_holds_a_password_is_refused(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(llm={"base_url": url})
    assert "pass" not in str(caught.value).replace("password", "")
