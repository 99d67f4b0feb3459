"""Batches of claims: streamed, checked by several processes, certified one by one, resumable."""
