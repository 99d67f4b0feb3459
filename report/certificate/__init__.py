"""Certificates: canonical bytes, sealing, signing, keys, integrity."""
