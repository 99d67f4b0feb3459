"""Dates: found in a text, and resolved against a day of publication."""
