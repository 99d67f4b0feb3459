"""The spaCy pipeline, once, and what is read from its parses."""
