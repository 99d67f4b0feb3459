"""ClaimVer's Table 2 from its own triplets, through the annotator: spans, labels, EPR, TMS and KAS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.attribution.objective import ClaimPrediction, ClaimPredictions
from agent.attribution.types import Annotation, NamedTriplet
from agent.types import Usage
from evidence.types import Embedder
from factdesk import FactChecker
from factdesk.annotation.labelling import Parts, annotate
from factdesk.corpora.graphs import Graphs
from factdesk.kernel import Fingerprint
from factdesk.settings import load_settings

Label = str
T = tuple[str, str, str]
GREYS, ABC = "Grey's Anatomy", "American Broadcasting Company"
RUTILIO, SOUTHWEST = "Rutilio del Riego Jáñez", "Southwest Airlines"
PARK = "Crater Lake National Park"
A, E, C = "attributable", "extrapolatory", "contradictory"


@dataclass(frozen=True)
class Claim:
    """One numbered claim: words, label and TMS of the paper, its triplets, and our label."""

    words: str
    label: Label
    tms: float
    triplets: tuple[T, ...] = ()
    ours: Label = ""
    """Ours, where it is another: the triplets do not say all that the claim does."""


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    kas: float
    claims: tuple[Claim, ...]
    text: str
    close: float = 0.01


ROWS = (
    Row(
        0.818,
        (
            Claim(
                "George O'Malley is a fictional character from the medical drama television series Grey's Anatomy",
                A,
                0.852,
                ((GREYS, "characters", "George O'Malley"),),
                ours=E,
            ),
            Claim(
                "airs on the American Broadcasting Company (ABC) in the United States",
                A,
                0.637,
                ((GREYS, "original broadcaster", ABC), (ABC, "country", "United States of America")),
            ),
        ),
        "{0}, which {1}.",
    ),
    Row(
        0.752,
        (
            Claim(
                "Bane was portrayed as a tertiary villain by Robert Swenson in Batman & Robin",
                A,
                0.788,
                (("Batman & Robin", "cast member", "Robert Swenson"),),
                ours=E,
            ),
            Claim("directed by Joel Schumacher", A, 0.882, (("Batman & Robin", "director", "Joel Schumacher"),)),
            Claim("Batman's Back", E, 0.0),
        ),
        "{0}, {1}, and {2}",
    ),
    Row(
        0.719,
        (
            Claim(
                f"Crater Lake is the main feature of {PARK}",
                A,
                0.942,
                (("Crater Lake", "located in protected area", PARK),),
                ours=E,
            ),
            Claim("famous for its deep blue color and water clarity.", E, 0.0),
        ),
        "{0} and {1}",
    ),
    Row(
        0.583,
        (
            Claim(
                "Based in Blagnac, France, a suburb of Toulouse",
                A,
                0.505,
                (
                    ("Airbus Operations S.A.S", "country", "France"),
                    ("Airbus Corporate Jets", "headquarters location", "Toulouse"),
                    ("Blagnac", "country", "France"),
                ),
                ours=E,
            ),
            Claim("with significant activity across Europe", E, 0.0),
            Claim("airbus produces approximately half of the world's jet airliners.", E, 0.0),
        ),
        "{0}, and {1}, {2}",
    ),
    Row(
        0.248,
        (
            Claim(
                "Pope Benedict XVI never appointed anyone significant within the Catholic Church",
                C,
                0.781,
                (
                    (RUTILIO, "appointed by", "Benedict XVI"),
                    (RUTILIO, "religion or worldview", "Catholic Church"),
                ),
            ),
            Claim("nor did he ever teach the importance of understanding God's redemptive love.", E, 0.0),
        ),
        "{0}, {1}",
        # The paper counts a triplet here (TMS .065) whose entity "God" the claim names: its EPR is 1, not 0.
        close=0.02,
    ),
    Row(
        0.057,
        (
            Claim(
                "Southwest Airlines has never operated any Boeing 737 models.",
                C,
                0.933,
                (
                    ("Boeing 737 MAX", "operator", SOUTHWEST),
                    ("Boeing 737 #1491", "operator", SOUTHWEST),
                ),
            ),
        ),
        "{0}",
    ),
)
GOD: T = ("God", "said to be the same as", "love")


class Implied:
    """An embedder whose cosine of a claim with its triplets is the one that the paper's TMS implies.

    The paper does not name its embeddings, so the similarity is taken from its figures; all else is ours.
    """

    def __init__(self, inner: Embedder, cosines: dict[str, float]) -> None:
        self._inner, self._cosines = inner, cosines

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        return int(self._inner.embed(["a"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = self._inner.embed(texts)
        if len(texts) == 2 and texts[0] in self._cosines:
            cosine = self._cosines[texts[0]]
            found = np.zeros_like(found)
            found[0, 0], found[1, 0], found[1, 1] = 1.0, cosine, np.sqrt(1 - cosine**2)
        return found


class PaperModel:
    """Answers as the table does: the paper's spans, labels and triplets, and one triplet that nobody gave."""

    fingerprint = Fingerprint(name="chat:paper", version="1")
    usage = Usage()

    def __init__(self, row: Row) -> None:
        self._row = row

    def complete(self, system: str, user: str, schema: type[Any], images: Sequence[str] = ()) -> Any:
        del system, user, images
        assert schema is ClaimPredictions
        made_up = NamedTriplet(subject="Nobody", relation="said", object="this")
        return ClaimPredictions(
            claims=tuple(
                ClaimPrediction(
                    text_span=claim.words,
                    prediction=claim.label,  # type: ignore[arg-type]
                    triplets=(
                        *(NamedTriplet(subject=s, relation=r, object=o) for s, r, o in claim.triplets),
                        made_up,
                    ),
                    rationale="as the table has it",
                )
                for claim in self._row.claims
            )
        )


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    folder = tmp_path_factory.mktemp("table")
    file = folder / "wikidata.tsv"
    rows = [t for row in ROWS for claim in row.claims for t in claim.triplets] + [GOD]
    file.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    checker = FactChecker(load_settings(home=folder / "home", corpus=("table",)))
    Graphs(checker.settings, checker.corpora).import_file("table", Path(file))
    return checker.annotation_desk().parts


def labelled(text: str, parts: Parts) -> Annotation:
    return annotate(text, parts)[0]


def annotated(row: Row, parts: Parts) -> tuple[str, Annotation]:
    text = row.text.format(*(c.words for c in row.claims))
    return text, labelled(text, parts)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.claims[0].words[:12])
def test_spans_and_labels(row: Row, parts: Parts) -> None:
    text, found = annotated(row, parts)
    assert [text[s.start : s.end].rstrip(".") for s in found.spans] == [c.words.rstrip(".") for c in row.claims]
    assert [s.label for s in found.spans] == [c.ours or c.label for c in row.claims]
    for span, claim in zip(found.spans, row.claims, strict=True):
        if span.label != E:
            deciding = {(t.subject, t.relation, t.object) for t in span.triplets if t.deciding}
            assert deciding <= set(claim.triplets)
            assert all(t.subject in span.rationale and t.object in span.rationale for t in span.triplets)
        if claim.ours:
            assert "No triplet shown says" in span.rationale


def test_two_triplets_decide_where_one_does_not_say_all(parts: Parts) -> None:
    (usa,) = labelled("Grey's Anatomy airs on a network based in the United States.", parts).spans
    assert (usa.label, sum(t.deciding for t in usa.triplets)) == (A, 2)
    (france,) = labelled("Grey's Anatomy airs on a network based in France.", parts).spans
    assert france.label != A
    (other,) = labelled("Robert Swenson directed Batman & Robin.", parts).spans
    assert other.label != A
    (instance,) = labelled("Southwest Airlines has never operated any Airbus A320.", parts).spans
    assert instance.label == E


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.claims[0].words[:12])
def test_a_models_predictions_give_the_papers_scores(row: Row, parts: Parts) -> None:
    text, plain = annotated(row, replace(parts, chat=PaperModel(row)))
    implied = {}
    for span, claim in zip(plain.spans, row.claims, strict=True):
        assert span.proposed is not None
        assert span.proposed.label == claim.label
        assert {(t.subject, t.relation, t.object) for t in span.proposed.triplets} == set(claim.triplets)
        assert [t.subject for t in span.proposed.unknown] == ["Nobody"]
        if claim.triplets:
            presence = 2 * (span.proposed.tms - 0.5 * similarity(parts, span.claim, claim))
            implied[span.claim] = min(1.0, max(0.0, 2 * claim.tms - presence))
    made = labelled(text, replace(parts, chat=PaperModel(row), embedder=Implied(parts.embedder, implied)))
    assert [s.label for s in made.spans] == [c.ours or c.label for c in row.claims]
    assert [s.proposed.tms for s in made.spans if s.proposed] == pytest.approx([c.tms for c in row.claims], abs=0.02)
    assert made.proposed_kas == pytest.approx(row.kas, abs=row.close)


def similarity(parts: Parts, claim: str, row: Claim) -> float:
    from evidence.graph.entity_graph import sentence_of

    words = " ".join(sentence_of(*t) for t in row.triplets)
    first, second = parts.embedder.embed([claim, words]).astype(float)
    return float(np.clip(first @ second, 0, 1))


def test_alpha_and_beta_are_adjustable(parts: Parts) -> None:
    row = ROWS[-1]
    weights = parts.weights.model_copy(update={"alpha": 0.9, "beta": 0.1})
    (span,) = annotated(row, replace(parts, weights=weights))[1].spans
    assert span.epr == 1.0
    assert span.tms == pytest.approx(0.9 * span.ss + 0.1 * span.epr, abs=1e-3)
