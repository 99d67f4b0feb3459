"""Numbers, amounts, percentages and dates in a sentence, normalised."""
