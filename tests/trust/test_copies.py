"""Copies in a whole corpus, and the search for pairs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from factdesk.kernel import InputError
from trust.independence import clusters, corpus_clusters, same_words
from trust.neighbours import nearest

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


def unit(rng: np.random.Generator, count: int) -> np.ndarray:
    centres = rng.standard_normal((20, 32))
    vectors = centres[rng.integers(0, 20, count)] + 0.4 * rng.standard_normal((count, 32))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_the_nearest_claims_of_other_documents_are_found() -> None:
    rng = np.random.default_rng(0)
    vectors, owners = unit(rng, 600), np.repeat(np.arange(150), 4)
    found = nearest(vectors, owners, k=3, least=0.5)
    cosines = vectors @ vectors.T
    cosines[owners[:, None] == owners[None, :]] = -2
    exact = {
        (min(i, int(j)), max(i, int(j)))
        for i in range(600)
        for j in np.argsort(-cosines[i])[:3]
        if cosines[i, j] >= 0.5
    }
    pairs = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert pairs == exact
    assert len(pairs) == len(found)
    assert (found.first < found.second).all()
    assert (owners[found.first] != owners[found.second]).all()
    assert (np.diff(found.similarity) <= 1e-6).all()
    again = nearest(vectors, owners, k=3, least=0.5)
    assert np.array_equal(found.first, again.first)
    assert np.array_equal(found.second, again.second)


def test_equal_claims_go_by_number_and_what_is_found_does_not_depend_on_who_else_asks() -> None:
    vectors = unit(np.random.default_rng(2), 300)
    vectors[100:140] = vectors[0]
    owners = np.arange(300)
    found = nearest(vectors, owners, k=3, asking=np.array([139]))
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == [
        (0, 139),
        (100, 139),
        (101, 139),
    ]
    whole = nearest(vectors, owners, k=3)
    alone = [nearest(vectors, owners, k=3, asking=np.array([n])) for n in range(300)]
    pairs = {
        (a, b, s)
        for part in alone
        for a, b, s in zip(part.first.tolist(), part.second.tolist(), part.similarity.tolist(), strict=True)
    }
    assert pairs == set(zip(whole.first.tolist(), whole.second.tolist(), whole.similarity.tolist(), strict=True))


def test_new_claims_alone_can_ask() -> None:
    vectors, owners = unit(np.random.default_rng(1), 200), np.arange(200)
    whole = nearest(vectors, owners, k=2, least=-1)
    some = nearest(vectors, owners, k=2, least=-1, asking=np.array([5, 150]))
    ends = set(zip(some.first.tolist(), some.second.tolist(), strict=True))
    assert ends
    assert all({5, 150} & set(pair) for pair in ends)
    assert ends <= set(zip(whole.first.tolist(), whole.second.tolist(), strict=True))


def test_nothing_to_pair_and_what_does_not_fit() -> None:
    none = np.empty((0, 8), dtype=np.float32)
    assert len(nearest(none, np.empty(0, dtype=np.int64))) == 0
    with pytest.raises(InputError, match="do not fit"):
        nearest(none, np.arange(3))
    with pytest.raises(InputError, match="k is 0"):
        nearest(none, np.empty(0, dtype=np.int64), k=0)


def test_sentences_of_one_template_are_known_whatever_their_numbers() -> None:
    assert same_words("This held in 95.3 percent of the cases.", "This held in 91 percent of the cases.")
    assert not same_words("The bridge reopened on 4 May.", "On 4 May traffic crossed the river again.")
