"""Two readers, one behind the other: which pairs the second decides, and that the first decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from factdesk.kernel import ConfigError
from tests.verifier.tiny import NLI, MakeModel
from verifier import pair_decision
from verifier.backends.factory import SMALL, make_verifier
from verifier.backends.screening import CALIBRATED_SCREEN as SCREEN
from verifier.backends.screening import CascadeVerifier
from verifier.backends.torch_models import CrossEncoderVerifier
from verifier.calibration.probabilities import Calibration, write_calibration
from verifier.types import PairText, Thresholds

PAIRS = [
    PairText(claim="The bridge reopened in May 2024.", premise="The bridge reopened in May 2024."),
    PairText(claim="Rents rose by 4 percent.", premise="Rents fell by 3 percent."),
    PairText(claim="The library has a new roof.", premise="The ferry leaves at nine every morning."),
    PairText(claim="The library closed in June 2023.", premise="Nobody counted the swans this spring."),
]


@pytest.fixture
def second(make_model: MakeModel) -> CrossEncoderVerifier:
    return CrossEncoderVerifier(str(make_model("careful", *NLI, seed=3)))


def test_the_second_decides_what_the_first_finds_worth_a_look(second: CrossEncoderVerifier) -> None:
    first = make_verifier(SMALL)
    cascade = CascadeVerifier(first, second)
    screened, careful = first.assess(PAIRS), second.assess(PAIRS)
    looked = [max(one.calibrated.entailment, one.calibrated.contradiction) >= SCREEN for one in screened]
    assert True in looked, "a literal copy is worth a look"
    assert False in looked, "swans say nothing about a library"
    for found, mine, theirs, at in zip(cascade.assess(PAIRS), screened, careful, looked, strict=True):
        if not at:
            assert found == mine
            continue
        assert found.model_copy(update={"passes": 0}) == theirs.model_copy(update={"passes": 0})
        assert found.passes == mine.passes + theirs.passes, "what both cost counts against the cap"


def test_the_first_alone_reaches_no_threshold(second: CrossEncoderVerifier) -> None:
    cascade = CascadeVerifier(make_verifier(SMALL), second)
    for found, careful in zip(cascade.assess(PAIRS), second.assess(PAIRS), strict=True):
        if found.calibrated == careful.calibrated:
            continue
        assert not pair_decision.supports(found, cascade.thresholds)
        assert not pair_decision.refutes(found, cascade.thresholds)
        assert found.calibrated.contradiction < cascade.thresholds.tau_contradict


def test_scores_do_not_depend_on_the_other_pairs(second: CrossEncoderVerifier) -> None:
    cascade = CascadeVerifier(make_verifier(SMALL), second)
    assert tuple(cascade.assess([pair])[0] for pair in PAIRS) == cascade.assess(PAIRS)
    assert cascade.assess(PAIRS[::-1]) == cascade.assess(PAIRS)[::-1]
    assert cascade.assess([]) == ()


def test_the_spec_names_both_in_their_order(make_model: MakeModel) -> None:
    folder = make_model("careful", *NLI, seed=3)
    one = make_verifier(f"cascade:{SMALL}+crossencoder:{folder}", strict=False)
    other = make_verifier(f"cascade:crossencoder:{folder}+{SMALL}", strict=False)
    assert one.fingerprint.name == "verifier:cascade:minilm-fact+crossencoder:careful"
    assert one.fingerprint.sha256 != other.fingerprint.sha256
    assert one.thresholds.tau_entail == Thresholds().tau_entail, "those of the second reader"
    assert one.thresholds.calibration_sha256 is None, "one of them is not calibrated"


def test_calibrations_of_both_are_named(make_model: MakeModel) -> None:
    folder = make_model("calibrated", *NLI, seed=5)
    write_calibration(Calibration(), Thresholds(tau_entail=0.8), folder)
    cascade = make_verifier(f"cascade:{SMALL}+crossencoder:{folder}", strict=False)
    assert cascade.thresholds.tau_entail == 0.8
    specs = (SMALL, f"crossencoder:{folder}")
    parts = {make_verifier(spec, strict=False).thresholds.calibration_sha256 for spec in specs}
    assert cascade.thresholds.calibration_sha256 not in {None, *parts}


def test_what_cannot_be_a_cascade_is_refused(make_model: MakeModel, tmp_path: Path) -> None:
    checker = make_model("check2", "Not_Supported", "Supported")
    loose = make_model("loose", *NLI, seed=9)
    write_calibration(Calibration(), Thresholds(tau_contradict=SCREEN), loose)
    for spec, says in (
        (f"cascade:{SMALL}", "two readers, not 1"),
        (f"cascade:{SMALL}+{SMALL}", "must be another model"),
        (f"cascade:{SMALL}+crossencoder:{checker}", "no contradiction class"),
        (f"cascade:{SMALL}+crossencoder:{loose}", "needs more than"),
        (f"cascade:{SMALL}+cascade:{SMALL}", "cannot be part of another"),
        (f"ensemble:{SMALL}+cascade:{SMALL}", "cannot be part of another"),
        (f"cascade:{SMALL}+crossencoder:{tmp_path / 'nothing'}", "there is no folder"),
    ):
        with pytest.raises(ConfigError, match=says):
            make_verifier(spec, strict=False)
