"""Point 3, planted pages where little else speaks; badges that tell what they stand on."""

from __future__ import annotations

from evaluation.attacks.strength.flooding import ASIDE, COUNCIL, FALSE, LISTED, TRUE, WORDINGS
from evaluation.attacks.strength.trial import Desk, Page, Trial, state_of

RATED = ("council.example", "gazette.example")
ASKING = {"min_unrated": 2}
GAZETTE = Page(f"{WORDINGS[1].format(31)} {ASIDE[2]} The doors open on 3 June.", "gazette.example")
PLANTED = Page(FALSE, "blog.example")


def _one_page(desk: Desk) -> str:
    state = state_of(desk.check(FALSE, [PLANTED]))
    return "" if state in ("UNVERIFIED", "VERIFIED by one source, not rated") else state


def _one_listed(desk: Desk) -> str:
    state = state_of(desk.check(TRUE, [COUNCIL], sources=LISTED))
    return "" if state == "VERIFIED by one source, rated" else state


def _asked_for_more(desk: Desk) -> str:
    pages = [Page(text.format(48), f"blog{n}.example") for n, text in enumerate(WORDINGS[:3])]
    state = state_of(desk.check(FALSE, pages, thresholds=ASKING))
    return state if state.startswith("VERIFIED") else ""


def _two_independent(desk: Desk) -> str:
    state = state_of(desk.check(TRUE, [COUNCIL, GAZETTE], thresholds=ASKING))
    return "" if state.startswith("VERIFIED by 2") else state


def _three_names(desk: Desk) -> str:
    pages = [Page(text.format(48), f"blog{n}.example") for n, text in enumerate(WORDINGS[:3])]
    state = state_of(desk.check(FALSE, pages))
    return "" if "one source" in state or state == "UNVERIFIED" else state


def _contradiction(desk: Desk) -> str:
    state = state_of(desk.check(TRUE, [COUNCIL, GAZETTE, PLANTED], sources=RATED))
    return "" if state.startswith("VERIFIED") else state


def _rated_contradiction(desk: Desk) -> str:
    third = Page(f"{FALSE} It was opened by the mayor on 9 May.", "herald.example")
    state = state_of(desk.check(TRUE, [COUNCIL, GAZETTE, third], sources=(*RATED, "herald.example")))
    return "" if state == "UNVERIFIED" else state


TRIALS = (
    Trial(3, "one planted page where nothing else speaks: its badge", _one_page, _one_listed, quick=True),
    Trial(3, "planted pages where a listed source or two are asked for", _asked_for_more, _two_independent),
    Trial(3, "three wordings under three new names: no three sources", _three_names, _two_independent),
    Trial(3, "one planted contradiction of two rated sources", _contradiction, _rated_contradiction),
)
"""Every planted page."""
