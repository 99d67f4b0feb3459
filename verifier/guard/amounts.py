"""Rules on numbers, amounts and dates of the claim: stated otherwise, or not at all."""

from __future__ import annotations

from collections.abc import Callable

from language.quantities.types import SlotKind
from verifier.guard.quantities import quantity_findings
from verifier.guard.rule import Example, Hit, Rule
from verifier.guard.text import TextPair
from verifier.types import FindingKind

_OTHERWISE = "The claim says {claim!r}; the evidence says {evidence!r}."


def _found(slot: SlotKind, kind: FindingKind, *, rivalled: bool) -> Callable[[TextPair], tuple[Hit, ...]]:
    """Slots of a kind that the premise does not state; ``rivalled``: it has another value of the kind."""

    def detect(pair: TextPair) -> tuple[Hit, ...]:
        found = quantity_findings(pair.claim.raw, pair.premise.raw, pair.context, pair.published)
        return tuple(
            Hit(f.claim_value, f.evidence_value)
            for f, _, _ in found
            if (f.slot, f.kind, bool(f.evidence_value)) == (slot, kind, rivalled)
        )

    return detect


def _other(slot: SlotKind, fires: tuple[Example, ...], silent: tuple[Example, ...]) -> Rule[TextPair]:
    return Rule(
        id=f"{slot}.other",
        slot=slot,
        effect="conflict",
        says=_OTHERWISE,
        detect=_found(slot, "conflict", rivalled=True),
        fires=fires,
        silent=silent,
    )


def _absent(slot: SlotKind, fires: tuple[Example, ...], silent: tuple[Example, ...]) -> Rule[TextPair]:
    return Rule(
        id=f"{slot}.absent",
        slot=slot,
        effect="missing",
        says="The evidence does not state {claim!r}.",
        detect=_found(slot, "missing", rivalled=False),
        fires=fires,
        silent=silent,
    )


RULES: tuple[Rule[TextPair], ...] = (
    _other(
        "number",
        (
            ("Harle has 12 inns.", "Harle has 14 inns."),
            ("More than 80 crews came.", "79 crews came."),
        ),
        (
            ("Harle has 12 inns.", "There are twelve inns in Harle."),
            ("More than 80 crews came.", "Ninety crews came."),
        ),
    ),
    _other(
        "unit",
        (
            ("The pier is 90 metres long.", "The pier is 90 feet long."),
            ("The play lasts two hours.", "The play lasts three hours."),
        ),
        (
            ("The pier is 90 metres long.", "The pier has a length of 0.09 km."),
            ("The play lasts two hours.", "The play lasts 120 minutes."),
        ),
    ),
    _other(
        "money",
        (
            ("The inn cost $4 million.", "The inn cost $5 million."),
            ("The inn cost $4 million.", "The inn cost €4 million."),
        ),
        (
            ("The inn cost $4 million.", "The price of the inn was $4m."),
            ("The inn cost £0.3m.", "The inn cost 300,000 pounds."),
        ),
    ),
    _other(
        "percentage",
        (
            ("Wages rose by 4.5 percent.", "Wages rose by 5.4 percent."),
            ("One in five ferries was late.", "One in ten ferries was late."),
        ),
        (
            ("Half of the ferries were late.", "50 percent of the ferries were late."),
            ("Wages rose by 4.5 percent.", "Wages rose by 4.5 per cent."),
        ),
    ),
    _other(
        "date",
        (
            ("The inn opened in 2016.", "The inn opened in 2017."),
            ("The inn opened on 5 March 2016.", "The inn opened on 6 March 2016."),
        ),
        (
            ("The inn opened in 2016.", "The inn opened on 5 March 2016."),
            ("The inn opened on Monday.", "On Monday the inn opened."),
        ),
    ),
    _absent(
        "number",
        (("Harle has 12 inns.", "Harle has many inns."), ("She came third.", "She ran well.")),
        (("Harle has 12 inns.", "Harle has a dozen inns."), ("Two crews came.", "Both crews came.")),
    ),
    _absent(
        "unit",
        (
            ("The pier is 90 metres long.", "The pier is long."),
            ("The plant has 5 GW.", "The plant yields 5 GWh."),
        ),
        (
            ("The pier is 90 metres long.", "The 90-metre pier is long."),
            ("The plant yields 5 GWh.", "It yields 5 gigawatt hours."),
        ),
    ),
    _absent(
        "money",
        (("The inn cost $4 million.", "The inn was dear."), ("The fine was £300.", "A fine was imposed.")),
        (
            ("The inn cost $4 million.", "The inn cost four million dollars."),
            ("The fine was £300.", "A fine of 300 pounds was imposed."),
        ),
    ),
    _absent(
        "percentage",
        (
            ("Wages rose by 4 percent.", "Wages rose."),
            ("A third of the crew left.", "Some of the crew left."),
        ),
        (
            ("Wages rose by 4 percent.", "Wages rose by 4%."),
            ("A third of the crew left.", "33 percent of the crew left."),
        ),
    ),
    _absent(
        "date",
        (
            ("The inn opened in 2016.", "The inn opened."),
            ("The inn opened in March 2016.", "The inn opened in 2016."),
        ),
        (
            ("The inn opened in 2016.", "The inn opened in the spring of 2016."),
            ("The inn opened in the 1990s.", "The inn opened in 1994."),
        ),
    ),
    Rule(
        id="date.of_state",
        slot="date",
        effect="missing",
        says=_OTHERWISE,
        detect=_found("date", "missing", rivalled=True),
        fires=(
            ("The inn was empty in 2016.", "The inn was empty in 2017."),
            ("In May 2016 the pier was closed to boats.", "In May 2017 the pier was closed to boats."),
        ),
        silent=(
            ("The inn opened in 2016.", "The inn opened in 2017."),
            ("The inn was empty in 2016.", "The inn was empty in 2016 and 2017."),
        ),
    ),
)
"""Rules on numbers, amounts and dates. The date of a state has no rival: it may be so on both days."""
