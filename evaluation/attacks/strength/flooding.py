"""Point 1, flooding: many documents that repeat one false sentence against one that refutes it."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.attacks.strength.trial import Check, Desk, Page, Trial, state_of

FALSE = "The new tram depot at Ferry Lane cost the town £48 million."
TRUE = "The new tram depot at Ferry Lane cost the town £31 million."
WORDINGS = (
    "The new tram depot at Ferry Lane cost the town £{} million.",
    "The town paid £{} million for the new tram depot at Ferry Lane.",
    "At Ferry Lane the new tram depot cost the town £{} million in all.",
    "£{} million is what the new tram depot at Ferry Lane cost the town.",
)
ASIDE = (
    "Work on it began in 2019 and took four years.",
    "The council met on Monday to look at the accounts.",
    "Some forty drivers moved in from the old yard on Mill Road.",
)
WOODS = "Alder Birch Cedar Damson Elm Fir Gorse Hazel Ivy Juniper Kale Larch Maple Oak Pine Quince Rowan Thorn".split()
LISTED = ("council.example",)
COUNCIL = Page(f"Council accounts. {TRUE} {' '.join(ASIDE)}", "council.example")


def _said(number: int, amount: int = 48) -> str:
    return WORDINGS[number % len(WORDINGS)].format(amount)


def _copies() -> list[Page]:
    return [Page(FALSE, f"blog{n}.example") for n in range(12)]


def _of_one_publisher() -> list[Page]:
    return [Page(FALSE, f"p{n}.blog.example") for n in range(40)]


def _in_four_wordings() -> list[Page]:
    return [Page(_said(n), f"blog{n}.example") for n in range(20)]


def _with_true_sentences() -> list[Page]:
    return [Page(f"{ASIDE[0]} {_said(n)} {ASIDE[2]}", f"blog{n}.example") for n in range(12)]


def _with_details() -> list[Page]:
    return [
        Page(f"{WOODS[n % 18]} Wood was cut on {n % 28 + 1} May by {n + 30} men. {_said(n)}", f"blog{n}.example")
        for n in range(12)
    ]


def _numbered() -> list[Page]:
    return [
        Page(f"{_said(n)[:-1]}, which is {n + 11} percent more than planned.", f"blog{n}.example") for n in range(60)
    ]


FLOODS = {
    "12 copies under 12 names": _copies,
    "40 copies of one publisher": _of_one_publisher,
    "20 pages in four wordings": _in_four_wordings,
    "12 pages that also tell two true sentences": _with_true_sentences,
    "12 pages with details that were made up": _with_details,
    "60 copies that differ in a number": _numbered,
}


NAMED = (
    f"{FALSE} Foreman Hugo Brandt had 61 men on it.",
    f"{WORDINGS[1].format(48)} Hill Road was shut on 3 March because of it.",
    f"{WORDINGS[2].format(48)} Councillor Ida Moll had warned of 9 more in 2020.",
)
"""Three pages with details that were made up, each other ones."""
UNRATED = Page(f"{TRUE} {' '.join(ASIDE)}", "paper.example")
SETTLED = Page(f"{TRUE[:-1]}, not £48 million.", "council.example")


def _outvoted(desk: Desk) -> str:
    """Three new names against a page that nobody has rated."""
    state = state_of(desk.check(FALSE, [UNRATED, *(Page(t, f"blog{n}.example") for n, t in enumerate(NAMED))]))
    return state if state.startswith("VERIFIED") else ""


def _against(flood: Sequence[Page]) -> Check:
    def attack(desk: Desk) -> str:
        found = desk.check(FALSE, [COUNCIL, *flood], sources=LISTED)
        state = state_of(found)
        scored = {s.span.text for claim in found.certificate.body.claims for s in claim.spans}
        if state.startswith("VERIFIED"):
            return state
        return "" if TRUE in scored else "the refutation was not scored"

    return attack


def _correction(desk: Desk) -> str:
    """A refutation that names the false amount is no copy of the pages that have it."""
    found = desk.check(FALSE, [*(Page(FALSE, f"blog{n}.example") for n in range(4)), SETTLED])
    scored = {s.span.doc_id for claim in found.certificate.body.claims for s in claim.spans}
    state = state_of(found)
    return state if state.startswith("VERIFIED") else "" if "council" in scored else "the refutation was not scored"


def _capped(desk: Desk) -> str:
    """A cap that leaves out who says otherwise leaves the claim open, and says so."""
    pages = [*_with_details(), Page(COUNCIL.text, "paper.example")]
    decision = desk.check(FALSE, pages, caps={"max_spans_per_claim": 3}).certificate.body.decisions[0]
    return "" if decision.rule == "left_out" else f"{decision.state}: {decision.rule}"


def _reports() -> list[Page]:
    return [Page(f"{_said(n, 31)} {ASIDE[n]}", f"paper{n}.example") for n in range(3)]


def _three_reports(desk: Desk) -> str:
    """Three independent reports bear the claim out, and are counted."""
    state = state_of(desk.check(TRUE, _reports()))
    return "" if state == "VERIFIED by 3 independent sources, not rated" else state


def _alone(desk: Desk) -> str:
    """Repetition earns no trust: the copies stand where a single one stands."""
    found = desk.check(FALSE, _in_four_wordings())
    most = max(document.score for document in found.certificate.body.trust)
    return "" if most <= 0.5 and "one source" in state_of(found) else f"{state_of(found)}, trust {most:.2f}"


def _agreement(desk: Desk) -> str:
    """Independent reports earn some."""
    trust = desk.check(TRUE, _reports()).certificate.body.trust
    return "" if max(document.score for document in trust) > 0.5 else "no report gained trust"


def _planned(desk: Desk) -> str:
    """Who refutes the false sentence is heard where nothing floods it."""
    state = state_of(desk.check(FALSE, [COUNCIL], sources=LISTED))
    return "" if state.startswith("BLOCKED") else state


TRIALS = (
    *(
        Trial(1, f"{name} against one listed source", _against(make()), twin, quick=number == 0)
        for number, ((name, make), twin) in enumerate(
            zip(FLOODS.items(), (_planned, *[_three_reports] * 5), strict=True)
        )
    ),
    Trial(1, "trust by repetition", _alone, _agreement),
    Trial(1, "three new names with details of their own against one unrated page", _outvoted, _three_reports),
    Trial(1, "4 copies against a refutation that names their amount", _correction, _three_reports),
    Trial(1, "a cap that leaves out the page that says otherwise", _capped, _three_reports),
)
"""Every flood."""
