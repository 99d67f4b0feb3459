"""English, once for all rooms: the spaCy pipeline and what is read from its parses."""
