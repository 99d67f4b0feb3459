"""The recorder on its own, damaged recordings, and ``factdesk diff``."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import BackendUnavailable, ConfigError, InputError, TransientError
from factdesk.recording.recorder import LIVE, Replayer, writing
from tests.factdesk.conftest import CLAIM, Run

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def never() -> Any:
    raise AssertionError("a replay called the outside")


@given(calls=st.lists(st.tuples(st.sampled_from(["search", "model"]), st.text(max_size=5), VALUES), max_size=12))
def test_a_replay_gives_what_the_run_got_in_order(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, str, Any]]
) -> None:
    file = tmp_path_factory.mktemp("recording") / "r.zst"
    with writing(file, {"text": "x"}) as recorder:
        got = [recorder.call(kind, key, lambda v=value: v) for kind, key, value in calls]  # type: ignore[misc]
    replayer = Replayer(file)
    assert got == [value for _, _, value in calls]
    assert [repr(replayer.call(kind, key, never)) for kind, key, _ in calls] == [repr(v) for v in got]
    assert replayer.left() == 0
    assert replayer.inputs == {"text": "x"}


@pytest.mark.parametrize("error", [BackendUnavailable("the model is down"), TransientError("busy")])
def test_errors_are_recorded_and_raised_again(tmp_path: Path, error: Exception) -> None:
    def fail() -> Any:
        raise error

    with writing(tmp_path / "r", {}) as recorder, pytest.raises(type(error), match=str(error)):
        recorder.call("model", "key", fail)
    with pytest.raises(type(error), match=str(error)):
        Replayer(tmp_path / "r").call("model", "key", never)


def test_other_errors_pass_and_are_no_answer(tmp_path: Path) -> None:
    def fail() -> Any:
        raise ZeroDivisionError

    with writing(tmp_path / "r", {}) as recorder, pytest.raises(ZeroDivisionError):
        recorder.call("model", "key", fail)
    with pytest.raises(InputError, match="no \\(further\\) answer to model 'key'"):
        Replayer(tmp_path / "r").call("model", "key", never)


def test_threads_may_record_and_replay_at_once(tmp_path: Path) -> None:
    def many(call: Callable[..., Any], found: list[Any]) -> None:
        def work(n: int) -> None:
            found.extend(call("fetch", f"{n}.{i}", lambda i=i: [n, i]) for i in range(50))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    first: list[Any] = []
    second: list[Any] = []
    with writing(tmp_path / "r", {}) as recorder:
        many(recorder.call, first)
    many(Replayer(tmp_path / "r").call, second)
    assert sorted(first) == sorted(second) == [[n, i] for n in range(8) for i in range(50)]


def test_without_a_recording_everything_is_asked() -> None:
    answers = iter([1, 2])
    assert [LIVE.call("clock", "x", lambda: next(answers)) for _ in range(2)] == [1, 2]


def test_a_recording_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="exists"), writing(tmp_path / "r", {}):
        pass
    assert (tmp_path / "r").read_text(encoding="utf-8") == "mine"
    with pytest.raises(ConfigError, match="cannot be made"), writing(tmp_path / "no" / "r", {}):
        pass


def lines_of(file: Path) -> list[Any]:
    with file.open("rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as unpacked:
        return [json.loads(line) for line in unpacked.read().splitlines()]


def put_lines(file: Path, lines: list[Any]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    file.write_bytes(zstandard.ZstdCompressor().compress(text.encode()))


@pytest.fixture
def recording(run: Run, home: Path, tmp_path: Path) -> Path:
    file = tmp_path / "run.jsonl.zst"
    assert run("check", CLAIM, "--record", file, "--json").code == 0
    return file


def test_a_recording_of_the_corpus_alone_is_replayed(run: Run, recording: Path, home: Path) -> None:
    [entry] = run("history", "list", "--json").json()
    (home / "factdesk.sqlite").unlink()
    assert run("replay", recording, "--json").json()["body_sha256"] == entry["body_sha256"]
    told = run("replay", recording)
    assert told.code == 0
    assert "Tollgate" in told.out


@pytest.mark.parametrize("kind", ["retrieve", "clock", "fingerprint", "document"])
def test_an_answer_that_is_missing_is_bad_input(run: Run, recording: Path, kind: str) -> None:
    lines = lines_of(recording)
    assert any(line.get("kind") == kind for line in lines)
    put_lines(recording, [line for line in lines if line.get("kind") != kind])
    outcome = run("replay", recording, "--json")
    assert outcome.code == 3
    assert f"answer to {kind}" in outcome.err
    assert outcome.out == ""


def test_an_answer_that_was_changed_does_not_pass_for_the_recorded_run(run: Run, recording: Path) -> None:
    head, *middle, last = lines_of(recording)
    changed = json.loads(json.dumps(middle).replace("2025-03-15", "2025-03-16"))
    assert changed != middle
    put_lines(recording, [head, *changed, last])
    outcome = run("replay", recording, "--json")
    assert outcome.code == 5
    assert "NOT the recorded one" in outcome.err
    assert "was 2025-03-15 and is 2025-03-16" in outcome.err


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda data, lines: data[: len(data) // 2], "recording"),
        (lambda data, lines: b"not zstandard at all", "no recording"),
        (lambda data, lines: b"", "no recording"),
        (lambda data, lines: lines[:-1], "did not come to its end"),
        (lambda data, lines: lines[1:], "no recording of the form"),
        (lambda data, lines: [*lines, 3], "no object"),
        (lambda data, lines: [*lines, {"kind": 3}], "without kind and key"),
        (lambda data, lines: [{**lines[0], "inputs": {}}, *lines[1:]], "inputs"),
        (
            lambda data, lines: [
                {**lines[0], "inputs": {"order": {**lines[0]["inputs"]["order"], "settings": {"mode": "loud"}}}},
                *lines[1:],
            ],
            "do not fit",
        ),
        (
            lambda data, lines: [
                {**lines[0], "inputs": {"order": {**lines[0]["inputs"]["order"], "settings": {}}}},
                *lines[1:],
            ],
            "override",
        ),
        (
            lambda data, lines: [
                {**lines[0], "inputs": {"order": {**lines[0]["inputs"]["order"], "as_of": 3}}},
                *lines[1:],
            ],
            "inputs",
        ),
    ],
)
def test_a_damaged_recording_is_bad_input(
    run: Run, recording: Path, spoil: Callable[[bytes, list[Any]], Any], words: str
) -> None:
    spoilt = spoil(recording.read_bytes(), lines_of(recording))
    if isinstance(spoilt, bytes):
        recording.write_bytes(spoilt)
    else:
        put_lines(recording, spoilt)
    outcome = run("replay", recording)
    assert (outcome.code, outcome.out) == (3, "")
    assert words in outcome.err
    assert "Traceback" not in outcome.err


def test_secrets_and_places_are_not_recorded(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACTDESK_LLM__API_KEY", "sk-very-secret")
    file = tmp_path / "run.jsonl.zst"
    run("check", CLAIM, "--record", file, "--json").json()
    text = json.dumps(lines_of(file))
    assert "sk-very-secret" not in text
    assert str(home) not in text


def test_a_check_that_cannot_begin_leaves_no_recording(run: Run, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl.zst"
    assert run("check", CLAIM, "--corpus", "nowhere", "--record", file).code == 3
    assert not file.exists()


def test_diff_says_in_words_what_changed(run: Run, recording: Path, tmp_path: Path) -> None:
    [first] = run("history", "list", "--json").json()
    same = run("diff", first["certificate_id"], recording)
    assert (same.code, "byte for byte" in same.out) == (0, True)
    other = "The refurbishment of the Tollgate Library cost £9.2 million."
    second = run("check", other, "--trust", "off", "--as-of", "2025-06-01", "--json").json()
    file = tmp_path / "certificate.json"
    file.write_text(run("history", "show", second["certificate_id"], "--certificate").out, encoding="utf-8")
    told = run("diff", first["certificate_id"], file)
    for words in (
        "The claim was 'The refurbishment of the Tollgate Library cost £6.2 million.'",
        f"The verdict was supported and is {second['verdict']}.",
        "Trust was on and is off.",
        "The last day of evidence was open and is 2025-06-01.",
    ):
        assert words in told.out
    data = run("diff", first["certificate_id"], file, "--json").json()
    assert data["identical"] is False
    assert {"claim", "verdict", "statements", "trust", "settings"} <= {d["part"] for d in data["differences"]}


def test_diff_tells_evidence_models_and_thresholds(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("check", CLAIM, "--json").json()
    monkeypatch.setenv("FACTDESK_THRESHOLDS__TAU_ENTAIL", "0.995")
    second = run("check", CLAIM, "--retriever", "bm25", "--max-pairs", "60", "--json").json()
    data = run("diff", first["certificate_id"], second["certificate_id"], "--json").json()
    parts = {d["part"]: d["text"] for d in data["differences"]}
    assert {"models", "thresholds", "caps", "settings"} <= set(parts)
    assert "tau_entail was 0.9" in parts["thresholds"]
    models = " ".join(d["text"] for d in data["differences"] if d["part"] == "models")
    assert "retriever:bm25" in models
    assert "retriever:hybrid no longer takes part" in models


def test_diff_of_what_is_no_certificate(run: Run, recording: Path, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    (tmp_path / "y.json").write_bytes(b"\xff\xfe\x00")
    assert run("diff", recording, tmp_path / "x.json").code == 5
    assert run("diff", recording, tmp_path / "y.json").code == 3
    assert run("diff", recording, "nosuchid").code == 3
