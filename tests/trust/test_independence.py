"""Copies count once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import InputError
from language.tokens import shingles
from trust.independence import clusters

STORY = (
    "The new bridge over the Elbe opened on 5 March 2016 after nine years of work. It cost 1.2 million "
    "euros, which "
    "is twice what had been planned. The mayor of Hamburg cut the ribbon while a brass band played in the "
    "rain. "
    "Cyclists complain that there is no lane for them, and shopkeepers on the old road fear for their trade."
)
OTHER = (
    "Farmers in the south expect the best potato harvest in ten years. Rain came at the right time, and the "
    "beetles "
    "that ate half of the crop last summer stayed away. Prices are likely to fall before winter."
)
EDITED = STORY.replace("opened", "was opened").replace("brass band", "choir").replace("complain", "object")
RETOLD = (
    "Hamburg has one more way across its river. Nearly a decade of building ended in spring 2016, for double "
    "the "
    "money. Bicycles were forgotten, and traders nearby are worried."
)


def test_copies_of_all_kinds_form_one_cluster() -> None:
    texts = {
        "first": STORY,
        "copy": STORY,
        "shouted": STORY.upper(),
        "cut": STORY[:160],
        "edited": EDITED,
        "longer": f"{STORY} A bridge further up is to follow.",
        "other": OTHER,
        "retold": RETOLD,
    }
    found = clusters(texts, list(texts))
    assert {d for d, c in found.items() if c == "first"} == {
        "first",
        "copy",
        "shouted",
        "cut",
        "edited",
        "longer",
    }
    assert found["other"] == "other"
    assert found["retold"] == "retold"


def test_a_cluster_is_named_after_its_earliest_member() -> None:
    texts = {"a": STORY, "b": STORY, "c": STORY}
    assert set(clusters(texts, ["c", "a", "b"]).values()) == {"c"}
    assert set(clusters(texts, ["b", "c", "a"]).values()) == {"b"}


def test_copies_of_copies_are_one() -> None:
    words = [f"w{i}" for i in range(90)]
    texts = {"a": " ".join(words[:50]), "b": " ".join(words[20:70]), "c": " ".join(words[40:90])}
    assert set(clusters(texts, ["a", "b", "c"]).values()) == {"a"}
    assert set(clusters(texts, ["a", "c", "b"]).values()) == {"a"}
    assert clusters({"a": texts["a"], "c": texts["c"]}, ["a", "c"]) == {"a": "a", "c": "c"}


def test_shingles() -> None:
    assert shingles("One two, THREE four five!") == {
        ("one", "two", "three", "four"),
        ("two", "three", "four", "five"),
    }
    assert shingles("one two") == {("one", "two")}


def test_nothing_and_what_is_missing() -> None:
    assert clusters({}, []) == {}
    with pytest.raises(InputError, match="'b'"):
        clusters({"a": STORY}, ["a", "b"])


@given(
    st.lists(st.sampled_from([STORY, OTHER, EDITED, RETOLD, ""]), max_size=6),
    st.randoms(use_true_random=False),
)
def test_who_belongs_together_does_not_depend_on_the_order(texts: list[str], rng: object) -> None:
    named = {f"d{i}": text for i, text in enumerate(texts)}
    order = sorted(named)
    rng.shuffle(order)  # type: ignore[attr-defined]
    here, there = clusters(named, sorted(named)), clusters(named, order)
    groups = [{frozenset(d for d in found if found[d] == c) for c in found.values()} for found in (here, there)]
    assert groups[0] == groups[1]
    assert all(here[c] == c for c in here.values())
