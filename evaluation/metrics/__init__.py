"""Figures of runs: accuracy, calibration, retrieval, answers, annotations."""
