"""The index of a corpus on disk: segments that never change, BM25 and vectors."""
