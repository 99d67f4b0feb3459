"""Reasoners: who asks the questions and words the answers."""
