"""Labelled claims, articles and outcomes, and the formats they are read from."""
