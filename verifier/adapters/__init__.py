"""Verifiers that were asked for by name: other cross-encoders, and several models as one."""
