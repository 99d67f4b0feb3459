"""Copies count once; a retelling without a detail of its own counts with the one that it retells."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factdesk.kernel import InputError
from language.tokens import shingles
from trust.independence import LONGEST, clusters, corpus_clusters, details, same_words, with_retellings

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


WORDS = [f"w{i}" for i in range(4000)]


def story(seed: int, length: int = 200) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def test_one_wire_story_on_fifty_sites_is_one_witness() -> None:
    wire = story(0)
    texts = {f"site{i:02}": f"{story(100 + i, 15)} {wire} {story(200 + i, 15)}" for i in range(50)}
    texts |= {f"own{i}": story(i + 1) for i in range(20)}
    found = corpus_clusters(texts, sorted(texts))
    assert {d for d, c in found.items() if c == "site00"} == {f"site{i:02}" for i in range(50)}
    assert all(found[f"own{i}"] == f"own{i}" for i in range(20))


def test_a_short_text_inside_a_long_one_is_found() -> None:
    long = story(0, 2000)
    texts = {"long": long, "cut": " ".join(long.split()[700:780]), "other": story(1, 80)}
    assert corpus_clusters(texts, ["long", "cut", "other"]) == {
        "long": "long",
        "cut": "long",
        "other": "other",
    }


def test_the_cluster_is_named_after_its_earliest_member() -> None:
    texts = {"a": story(0), "b": story(0), "empty": "", "void": " "}
    assert corpus_clusters(texts, ["b", "a", "empty", "void"]) == {
        "a": "b",
        "b": "b",
        "empty": "empty",
        "void": "void",
    }
    with pytest.raises(InputError, match="'c'"):
        corpus_clusters(texts, ["c"])


def test_it_finds_what_comparing_all_with_all_finds() -> None:
    texts = {f"d{i}": f"{story(i % 7, 120)} {story(50 + i, 20 * i)}" for i in range(20)}
    order = sorted(texts)
    assert corpus_clusters(texts, order) == clusters(texts, order)


def test_claims_nearly_word_for_word_make_a_copy_of_a_paraphrase() -> None:
    texts = {"a": story(0), "b": story(1), "c": story(2)}
    shared = [("a", "b")] * 4 + [("a", "c")] * 2
    counts = {"a": 6, "b": 5, "c": 2}
    assert corpus_clusters(texts, list("abc"), shared=shared, claim_counts=counts) == {
        "a": "a",
        "b": "a",
        "c": "c",
    }


def test_sentences_of_one_template_are_known_whatever_their_numbers() -> None:
    assert same_words("This held in 95.3 percent of the cases.", "This held in 91 percent of the cases.")
    assert not same_words("The bridge reopened on 4 May.", "On 4 May traffic crossed the river again.")


SAID = "The depot at Ferry Lane cost £48 million."
TEXTS = {
    "bare": SAID,
    "reworded": "£48 million is what they paid at Ferry Lane for the depot.",
    "harbour": f"{SAID} Work began on 3 May 2019.",
    "courier": f"{SAID} Forty drivers moved in from Mill Road.",
    "other": "The depot at Ferry Lane cost £31 million.",
}
ORDER = list(TEXTS)


def counted(*group: str, texts: dict[str, str] = TEXTS) -> dict[str, str]:
    return with_retellings({d: d for d in texts}, [group], texts, list(texts))


def test_numbers_days_and_names_are_details() -> None:
    assert details(TEXTS["bare"]) == details(TEXTS["reworded"])
    assert details(TEXTS["bare"]) < details(TEXTS["harbour"])
    assert details(TEXTS["bare"]) != details(TEXTS["other"])


def test_retellings_count_with_what_they_retell() -> None:
    assert len(set(counted("bare", "reworded").values())) == len(TEXTS) - 1
    assert counted("bare", "harbour")["bare"] == "harbour"


def test_reports_with_details_of_their_own_stay_apart_even_beside_a_retelling() -> None:
    found = counted("bare", "reworded", "harbour", "courier")
    assert found["harbour"] != found["courier"]
    assert found["bare"] == found["reworded"] == "harbour"


def test_the_other_side_and_long_documents_are_no_retellings() -> None:
    assert counted("bare", "reworded")["other"] == "other"
    texts = {**TEXTS, "bare": f"{SAID} {'It was a long day. ' * LONGEST}"}
    assert counted("bare", "harbour", texts=texts)["bare"] == "bare"
