"""Measuring factdesk: labelled claims through the whole check, labelled pairs through the verifier."""
