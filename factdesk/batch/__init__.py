"""Many claims at once: streamed in, checked by several processes, certified one by one, resumable."""
