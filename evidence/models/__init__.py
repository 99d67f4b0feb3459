"""Models that ship with factdesk for evidence; ``verifier/training/export_embedder.py`` made them."""
