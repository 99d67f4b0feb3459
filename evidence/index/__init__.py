"""The index of a corpus on disk: one SQLite database with a full-text table and a column of vectors."""
