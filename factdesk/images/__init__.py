"""Pictures of a check: submitted, known from before, found on the web."""
