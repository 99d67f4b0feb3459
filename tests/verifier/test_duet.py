"""Two models read as one: who is asked, how scores are put together, and what the certificate says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import BackendUnavailable, ConfigError
from tests.verifier.tiny import NLI, MakeModel
from verifier import pair_decision
from verifier.backends.calibrated import CalibratedVerifier
from verifier.backends.factory import DEFAULT, DUET, MODELS, SMALL, make_verifier, shipped_for
from verifier.backends.onnx import OnnxVerifier
from verifier.backends.screening import SCREEN, SHARE, DuetVerifier, together
from verifier.backends.torch_models import CrossEncoderVerifier
from verifier.types import NLIScores, PairText

TEXTS = [
    ("The bridge reopened in May 2024.", "The bridge reopened in May 2024."),
    ("Rents fell by 3 percent.", "Rents rose by 4 percent."),
    ("The ferry leaves at nine every morning.", "The library has a new roof."),
    ("Nobody counted the swans this spring.", "The library closed in June 2023."),
]
PAIRS = [PairText(claim=claim, premise=premise) for premise, claim in TEXTS]


@st.composite
def distributions(draw: st.DrawFn) -> NLIScores:
    parts = draw(st.tuples(*[st.integers(0, 1_000_000)] * 3).filter(any))
    entailment, neutral, contradiction = (round(p / sum(parts), 6) for p in parts)
    return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


@pytest.fixture(scope="module")
def small() -> OnnxVerifier:
    return OnnxVerifier(MODELS / SMALL.partition(":")[2])


@pytest.fixture
def other(make_model: MakeModel) -> CrossEncoderVerifier:
    return CrossEncoderVerifier(str(make_model("careful", *NLI, seed=3)))


@given(distributions(), distributions())
def test_a_mean_of_two_is_a_distribution_and_takes_neither_side(a: NLIScores, b: NLIScores) -> None:
    found = together(a, b)
    turned = together(b, a, 1 - SHARE)
    assert found.model_dump() == pytest.approx(turned.model_dump(), abs=2e-6)
    assert found.entailment + found.neutral + found.contradiction == pytest.approx(1, abs=2e-6)
    names = ("entailment", "neutral", "contradiction")
    for one in names:
        for two in names:
            if all(getattr(x, one) >= getattr(x, two) for x in (a, b)):
                assert getattr(found, one) >= getattr(found, two), "where both agree, so do they together"


def test_what_one_finds_impossible_does_not_stay_likely() -> None:
    sure = NLIScores(entailment=0.98, neutral=0.01, contradiction=0.01)
    against = NLIScores(entailment=0.0, neutral=0.5, contradiction=0.5)
    assert together(sure, against, 0.5).entailment < 0.02
    assert together(sure, against).entailment < 0.2
    assert together(sure, against, 0).entailment == sure.entailment


def test_both_judge_what_the_first_finds_worth_a_look(
    small: OnnxVerifier, other: CrossEncoderVerifier, tmp_path: Path
) -> None:
    first, second = small.raw(TEXTS), other.raw(TEXTS)
    looked = [max(one.entailment, one.contradiction) >= SCREEN for one in first]
    assert True in looked, "a literal copy is worth a look"
    assert False in looked, "swans say nothing about a library"
    found = DuetVerifier(small, other, tmp_path).raw(TEXTS)
    assert found == [together(a, b) if at else a for a, b, at in zip(first, second, looked, strict=True)]


def test_scores_do_not_depend_on_the_other_pairs(
    small: OnnxVerifier, other: CrossEncoderVerifier, tmp_path: Path
) -> None:
    duet = DuetVerifier(small, other, tmp_path)
    assert tuple(duet.assess([pair])[0] for pair in PAIRS) == duet.assess(PAIRS)
    assert duet.assess(PAIRS[::-1]) == duet.assess(PAIRS)[::-1]
    assert duet.assess([]) == ()


def test_the_print_is_that_of_both(small: OnnxVerifier, make_model: MakeModel, tmp_path: Path) -> None:
    def duet(*readers: CalibratedVerifier) -> str:
        return DuetVerifier(readers[0], readers[1], tmp_path).fingerprint.sha256

    one = CrossEncoderVerifier(str(make_model("one", *NLI, seed=3)))
    two = CrossEncoderVerifier(str(make_model("two", *NLI, seed=4)))
    assert len({duet(small, one), duet(small, two), duet(one, small), duet(one, two)}) == 4
    with pytest.raises(ConfigError, match="must be another"):
        duet(one, one)


def test_the_shipped_duet_is_calibrated_as_one() -> None:
    duet = make_verifier(DUET)
    assert duet.fingerprint.name == "verifier:duet:minilm-fact+mpnet-fact"
    assert duet.can_contradict
    alone = {
        make_verifier(f"onnx:{n}", strict=False).thresholds.calibration_sha256 for n in ("minilm-fact", "mpnet-fact")
    }
    assert duet.thresholds.calibration_sha256 not in {None, *alone}
    same = duet.assess([PairText(claim=TEXTS[0][1], premise=TEXTS[0][0])])[0]
    assert pair_decision.supports(same, duet.thresholds)


def test_certificates_name_the_verifier_that_a_re_run_takes() -> None:
    assert shipped_for(["verifier.guard", make_verifier(SMALL).fingerprint.name]) == SMALL
    assert shipped_for(["verifier.guard", make_verifier(DUET).fingerprint.name]) == DUET
    assert shipped_for(["verifier:somebody-elses"]) == DEFAULT


@pytest.mark.parametrize("spec", ["duet:", "duet:minilm-fact", "duet:mpnet-fact+minilm-fact", f"ensemble:{DUET}"])
def test_no_other_pair_is_a_duet(spec: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown verifier|cannot be part of another"):
        make_verifier(spec)


def test_without_its_calibration_it_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("minilm-fact", "mpnet-fact"):
        (tmp_path / name).symlink_to(MODELS / name)
    (tmp_path / "duet").mkdir()
    monkeypatch.setattr("verifier.backends.factory.MODELS", tmp_path)
    with pytest.raises(BackendUnavailable, match=r"lacks its calibration\.json"):
        make_verifier(DUET)


def test_a_broken_calibration_is_no_calibration(
    small: OnnxVerifier, other: CrossEncoderVerifier, tmp_path: Path
) -> None:
    (tmp_path / "calibration.json").write_text(json.dumps({"temperature": "hot"}))
    with pytest.raises(BackendUnavailable, match=r"calibration\.json"):
        DuetVerifier(small, other, tmp_path)
