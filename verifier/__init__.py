"""Whether a text bears a claim out: models, calibration and the guard."""
