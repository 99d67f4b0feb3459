"""Certificates of this machine: found, handed out, checked again."""
