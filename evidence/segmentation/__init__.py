"""Sentences with exact offsets: layout, framing, and which need the sentence before them."""
