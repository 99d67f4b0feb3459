"""Attacks on a desk, each with its honest twin: the attack must fail, and the twin must work."""
