"""Plots of the claim graph, for notebooks (extra ``plot``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from factdesk.kernel import BackendUnavailable, install_line
from trust.types import ClaimLink, ClaimNode

STEPS = 150
GRAVITY = 0.02
"""Pull between any two documents, so that unconnected groups stay close."""


def relations(
    links: Iterable[ClaimLink], claims: Mapping[str, ClaimNode], limit: int
) -> tuple[list[str], list[tuple[str, str, int]]]:
    """The ``limit`` best connected documents, and their pairs with supports less refutations, without ties."""
    net: Counter[tuple[str, str]] = Counter()
    for link in links:
        a, b = claims[link.source].doc_id, claims[link.target].doc_id
        if a != b and link.weight:
            net[min(a, b), max(a, b)] += 1 if link.weight > 0 else -1
    degree = Counter(doc_id for pair in net for doc_id in pair)
    shown = [doc_id for doc_id, _ in sorted(degree.items(), key=lambda i: (-i[1], i[0]))[:limit]]
    return shown, [(a, b, n) for (a, b), n in sorted(net.items()) if a in shown and b in shown and n]


def draw(
    links: Iterable[ClaimLink],
    claims: Mapping[str, ClaimNode],
    scores: Mapping[str, float],
    seeds: Set[str],
    *,
    limit: int,
    seed: int,
) -> Any:
    """A matplotlib figure of the ``limit`` best connected documents, with their scores. Green edges support, dashed red
    ones refute; red nodes have little trust, blue ones much; seeds have a thick rim. Raises ``BackendUnavailable``
    without matplotlib.
    """
    try:
        pyplot: Any = import_module("matplotlib.pyplot")
    except ImportError as error:
        raise BackendUnavailable(f"drawing needs matplotlib; {install_line('plot')}") from error
    shown, edges = relations(links, claims, limit)
    places = dict(zip(shown, _layout(shown, edges, seed), strict=True))
    figure, axes = pyplot.subplots(figsize=(9, 7))
    for a, b, number in edges:
        (x0, y0), (x1, y1) = places[a], places[b]
        colour, style = ("tab:green", "-") if number > 0 else ("tab:red", "--")
        axes.plot([x0, x1], [y0, y1], color=colour, linestyle=style, linewidth=0.8, alpha=0.6, zorder=1)
    if shown:
        dots = axes.scatter(
            [places[d][0] for d in shown],
            [places[d][1] for d in shown],
            c=[scores[d] for d in shown],
            cmap="RdYlBu",
            vmin=0,
            vmax=1,
            s=60,
            zorder=2,
            edgecolors="black",
            linewidths=[2.5 if d in seeds else 0.5 for d in shown],
        )
        figure.colorbar(dots, ax=axes, label="trust", shrink=0.6)
        if len(shown) <= 40:
            for doc_id in shown:
                below = {"xytext": (0, -12), "textcoords": "offset points", "ha": "center"}
                axes.annotate(doc_id, places[doc_id], fontsize=7, **below)
    axes.margins(0.15)
    axes.set_axis_off()
    axes.set_title(f"{len(shown)} of {len(scores)} documents; solid: supports, dashed: refutes")
    return figure


def _layout(shown: list[str], edges: list[tuple[str, str, int]], seed: int) -> NDArray[np.float64]:
    """Fruchterman-Reingold layout, deterministic by seed. *Shape:* ``(n_shown, 2)``."""
    if not shown:
        return np.empty((0, 2))
    from sknetwork.embedding import Spring

    near = np.full((len(shown), len(shown)), GRAVITY)
    index = {doc_id: i for i, doc_id in enumerate(shown)}
    for a, b, _ in edges:
        near[index[a], index[b]] = near[index[b], index[a]] = 1.0
    begin = np.random.default_rng(seed).standard_normal((len(shown), 2))
    places: NDArray[np.float64] = Spring(n_iter=STEPS).fit_transform(near, position_init=begin)
    return places
