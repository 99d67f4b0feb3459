"""Backends that need heavy libraries; each is imported only when it was asked for by name."""
