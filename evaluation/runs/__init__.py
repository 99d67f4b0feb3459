"""Whole checks over labelled claims: runner, run files, outcomes and errors."""
