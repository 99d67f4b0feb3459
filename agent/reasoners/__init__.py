"""Reasoners: who asks the questions, words the answers and proposes."""
