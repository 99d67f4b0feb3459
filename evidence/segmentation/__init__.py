"""Sentences with exact offsets: layout, framing, and dependence on the sentence before."""
