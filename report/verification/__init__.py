"""Checking a certificate: integrity, and everything in it worked out again."""
