"""Calibrated probabilities, and figures of a scored set."""
