"""Adapters to language models that need heavy or optional libraries, imported on request."""
