"""Corpora of this machine: stored documents, folders read on the fly, and their graphs."""
