"""Clauses taken word for word out of longer sentences."""

import random

import pytest

from verifier.training.literal import LITERAL, WIDER, clauses, literal_pairs

PASSAGE = (
    "The refit of the Orlow theatre cost 6.2 million euros, of which the town paid 4.1 million. "
    "Hanna Brandel, who has led the theatre since 2019, thanked the donors and opened the stage on Monday."
)


@pytest.fixture(scope="module")
def nlp():
    from language.nlp.pipeline import load_nlp

    return load_nlp()


def found(nlp, text):
    return clauses(next(iter(nlp(text).sents)))


def test_two_verbs_of_one_subject_give_two_statements(nlp):
    texts = found(nlp, "The bakery made sales of 61 million euros and employs 830 people.")
    assert "The bakery employs 830 people." in texts
    assert "The bakery made sales of 61 million euros." in texts


def test_a_relative_clause_is_said_of_its_noun(nlp):
    texts = found(nlp, "Hanna Brandel, who has led the theatre since 2019, thanked the donors.")
    assert any("Hanna Brandel" in t and "has led the theatre since 2019" in t and "who" not in t for t in texts)


def test_an_aside_between_commas_can_be_left_out_but_not_what_tells_which_one(nlp):
    aside = found(nlp, "The refit of the theatre cost 6.2 million euros, of which the town paid 4.1 million.")
    assert "The refit of the theatre cost 6.2 million euros." in aside
    which = found(nlp, "The children who went on foot saw the bridge on Monday.")
    assert "The children saw the bridge on Monday." not in which


def test_what_is_reported_is_taken_out(nlp):
    assert "The bridge was closed for two days." in found(
        nlp, "The council said that the bridge was closed for two days."
    )


@pytest.mark.parametrize(
    "text",
    [
        "The council did not open the bridge on Monday.",
        "If the council agrees, the bridge will open on Monday.",
        "The bridge may open on Monday, the council said.",
        "Nobody crossed the bridge on Monday and the ferry ran.",
        "More people crossed the bridge than in 2019.",
    ],
)
def test_sentences_that_deny_doubt_or_compare_give_nothing(nlp, text):
    assert found(nlp, text) == []


def test_pairs_are_labelled_by_how_they_were_made_and_the_same_for_the_same_seed():
    pairs = literal_pairs([PASSAGE] * 8, 100, random.Random(3))
    again = literal_pairs([PASSAGE] * 8, 100, random.Random(3))
    assert pairs == again
    kinds = {p.source for p in pairs}
    assert LITERAL in kinds
    for pair in pairs:
        if pair.source == LITERAL:
            assert pair.label == "entailment"
            words = pair.hypothesis.lower().replace(",", "").strip(".").split()
            assert all(word in pair.premise.lower() for word in words)
        elif pair.source == WIDER:
            assert pair.label == "neutral"
            assert len(pair.premise) < len(pair.hypothesis)
        else:
            assert pair.label != "entailment"
