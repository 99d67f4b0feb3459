"""Presets of the published systems, and the window that a dated claim gets with the web on."""

from __future__ import annotations

from datetime import date

import pytest

from factdesk.bounds import bounds_of
from factdesk.cli.options import CheckFlags
from factdesk.kernel import ConfigError
from factdesk.settings import load_settings

DAY = date(2024, 5, 1)


def test_a_preset_stands_below_the_other_arguments() -> None:
    ragar = load_settings(preset="ragar")
    assert (ragar.method, ragar.veracity, ragar.web, ragar.window) == ("tree", "cove", True, "2y")
    assert {"politifact.com", "facebook.com"} <= set(bounds_of(ragar, None).block_domains)
    mine = CheckFlags(overrides={"preset": "ragar", "web": False, "method": "chain"}).settings()
    assert (mine.method, mine.veracity, mine.web) == ("chain", "cove", False)
    assert load_settings(preset="claimtrust").ranking == "score"
    assert load_settings(preset="communitykg").retriever == "community"
    with pytest.raises(ConfigError, match="known: claimtrust, communitykg, ragar"):
        load_settings(preset="ragr")


@pytest.mark.parametrize(
    ("arguments", "as_of", "claimed", "start"),
    [
        ({"web": True}, None, DAY, date(2022, 5, 1)),
        ({"web": True, "window": "30d"}, None, DAY, date(2024, 4, 1)),
        ({"web": True}, date(2025, 5, 1), DAY, date(2023, 5, 1)),
        ({"web": True}, None, None, None),
        ({}, None, DAY, None),
        ({"window": "1y"}, date(2025, 5, 1), None, date(2024, 5, 1)),
    ],
)
def test_a_dated_claim_gets_two_years_of_the_web(
    arguments: dict[str, object], as_of: date | None, claimed: date | None, start: date | None
) -> None:
    found = bounds_of(load_settings(**arguments), as_of, claimed)
    assert (found.published_from, found.published_to) == (start, as_of)
