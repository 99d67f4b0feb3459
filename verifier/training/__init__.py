"""Recipe of the shipped NLI verifier: mixture, training, export, evaluation, model card.

Run it with ``python -m verifier.training --help``. Nothing in this package is
imported by a check; torch is needed here and only here.
"""
