"""Documents, spans with exact offsets, images, ingestion and retrieval."""
