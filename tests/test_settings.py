"""Settings: where they come from, which one wins, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import DEFAULT_VERIFIER, ConfigError
from factdesk.settings import Settings, load_settings
from verifier.types import Thresholds

SetEnvironment = Callable[..., None]


@pytest.mark.usefixtures("default_verifier")
def test_defaults_are_the_shipped_ones(environment: SetEnvironment, factdesk_home: Path) -> None:
    settings = load_settings()
    assert settings.home == factdesk_home
    assert (settings.method, settings.veracity, settings.retriever) == ("chain", "standard", "hybrid")
    assert (settings.ranking, settings.trust, settings.mode, settings.web) == (
        "vanilla",
        True,
        "strict",
        False,
    )
    assert (settings.reasoner, settings.verifier) == ("extractive", DEFAULT_VERIFIER)
    assert settings.caps.max_pairs == 240
    assert not factdesk_home.exists(), "asking for settings makes nothing"


def test_home_is_the_users_data_folder_when_nothing_is_said(
    environment: SetEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FACTDESK_HOME")
    home = load_settings().home
    assert home.is_absolute()
    assert home.name == "factdesk"


def test_file_then_environment_then_arguments(environment: SetEnvironment) -> None:
    Path("factdesk.toml").write_text(
        'mode = "debug"\nretriever = "bm25"\nmethod = "tree"\n'
        "[caps]\nmax_pairs = 10\nmax_claims = 2\nmax_questions = 3\n",
        encoding="utf-8",
    )
    environment(RETRIEVER="dense", METHOD="subq", CAPS__MAX_PAIRS="20", CAPS__MAX_CLAIMS="4")
    settings = load_settings(method="auto", mode=None, corpus=(), caps={"max_pairs": 30, "max_claims": None})
    assert (settings.mode, settings.retriever, settings.method) == ("debug", "dense", "auto")
    assert settings.corpus == ("default",)
    caps = settings.caps
    assert (caps.max_pairs, caps.max_claims, caps.max_questions, caps.max_branches) == (30, 4, 3, 3)


def test_the_file_that_the_environment_names(environment: SetEnvironment, tmp_path: Path) -> None:
    Path("factdesk.toml").write_text('mode = "debug"', encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text('mode = "mixed"', encoding="utf-8")
    environment(CONFIG=str(other))
    assert load_settings().mode == "mixed"


@pytest.mark.parametrize(
    ("variables", "arguments", "says"),
    [
        ({}, {"methode": "chain"}, ["'methode'", "known ones", "method"]),
        ({}, {"method": "guess"}, ["'guess'", "'chain'", "FACTDESK_METHOD"]),
        ({}, {"caps": {"max_pair": 1}}, ["'caps.max_pair'", "max_pairs"]),
        ({"THRESHOLD": "1"}, {}, ["'FACTDESK_THRESHOLD'", "thresholds"]),
        ({"THRESHOLDS__TAU_ENTIAL": "0.9"}, {}, ["tau_ential", "tau_entail"]),
        ({"THRESHOLDS__TAU_ENTAIL": "1.5"}, {}, ["'1.5'", "less than or equal to 1"]),
        (
            {"CAPS__MAX_PAIRS": "0"},
            {},
            ["'caps.max_pairs' is '0'", "greater than or equal to 1", "CAPS__MAX_PAIRS"],
        ),
        ({"CAPS__MAX_SECONDS": "-1"}, {}, ["'caps.max_seconds' is '-1'", "greater than 0"]),
        ({"CAPS": "many"}, {}, ["caps", "JSON"]),
        ({"TRUST": "perhaps"}, {}, ["'perhaps'", "FACTDESK_TRUST"]),
        ({"CONFIG": "nowhere.toml"}, {}, ["'nowhere.toml'", "no file"]),
    ],
)
def test_wrong_settings_are_refused_with_the_mend(
    environment: SetEnvironment, variables: dict[str, str], arguments: dict[str, object], says: list[str]
) -> None:
    environment(**variables)
    with pytest.raises(ConfigError) as caught:
        load_settings(**arguments)
    assert caught.value.exit_code == 2
    assert all(part in str(caught.value) for part in says), str(caught.value)


@pytest.mark.parametrize("content", [b"mode = ", b'mode = "\xff"', b"unknown = 1", b"[caps]\nmax_pairs = 'x'"])
def test_a_broken_file_is_refused(environment: SetEnvironment, content: bytes) -> None:
    Path("factdesk.toml").write_bytes(content)
    with pytest.raises(ConfigError):
        load_settings()


def test_secrets_are_never_shown(environment: SetEnvironment) -> None:
    secret = "open-sesame"
    environment(LLM__API_KEY=secret)
    settings = load_settings()
    assert settings.llm.api_key is not None
    assert settings.llm.api_key.get_secret_value() == secret
    shown = f"{settings!r} {settings} {settings.model_dump_json()} {settings.recorded()}"
    assert secret not in shown
    with pytest.raises(ConfigError) as caught:
        load_settings(llm={"api_key": [secret]})
    assert secret not in str(caught.value)


def test_what_a_certificate_records_is_json_and_tells_nothing_of_the_machine(
    environment: SetEnvironment, tmp_path: Path
) -> None:
    environment(THRESHOLDS__TAU_ENTAIL="0.5")
    one, other = (
        load_settings(),
        load_settings(home=tmp_path / "elsewhere", corpus=["/somewhere"], clip="/weights.bin"),
    )
    assert one.recorded() == other.recorded() == json.loads(json.dumps(one.recorded()))
    assert one.recorded()["thresholds"]["tau_entail"] == 0.5
    assert str(tmp_path) not in json.dumps(other.recorded())


def test_settings_are_frozen(environment: SetEnvironment) -> None:
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.mode = "debug"


def test_all_places_lie_below_home_and_none_is_shared(environment: SetEnvironment, factdesk_home: Path) -> None:
    places = load_settings().paths.model_dump()
    assert places.pop("home") == factdesk_home
    assert all(place.parent == factdesk_home for place in places.values())
    assert len(set(places.values())) == len(places) == 8


def test_a_home_that_is_written_with_a_tilde_is_absolute(environment: SetEnvironment) -> None:
    assert load_settings(home="~/desk").home == Path.home() / "desk"
    assert load_settings(home="desk").home == Path.cwd() / "desk"


def test_threshold_overrides_change_what_they_name_only(environment: SetEnvironment) -> None:
    base = Thresholds(calibration_sha256="a" * 64)
    assert load_settings().thresholds.apply(base) == base
    changed = load_settings(thresholds={"tau_entail": 0.95, "min_independent": 2}).thresholds.apply(base)
    assert changed == base.model_copy(update={"tau_entail": 0.95, "min_independent": 2})


@given(contradict=st.floats(0, 1), refute=st.floats(0, 1))
def test_a_refutation_never_needs_less_than_a_contradiction(contradict: float, refute: float) -> None:
    overrides = Settings(thresholds={"tau_contradict": contradict, "tau_refute": refute}).thresholds  # type: ignore[arg-type]
    if refute < contradict:
        with pytest.raises(ConfigError, match="tau_refute"):
            overrides.apply(Thresholds())
    else:
        assert overrides.apply(Thresholds()).tau_refute >= overrides.apply(Thresholds()).tau_contradict
