"""``factdesk annotate``: wiring and rendering of ClaimVer's annotations."""
