"""The search for near claims of other documents."""

from __future__ import annotations

import numpy as np
import pytest

from factdesk.kernel import InputError
from trust.neighbours import nearest


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
