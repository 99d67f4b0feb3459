"""Programs behind the figures of ``docs/``: each runs by ``python -m evaluation.programs.NAME``."""
