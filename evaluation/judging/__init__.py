"""Judgement by people and by a language model."""
