"""The knowledge graph of a corpus: triples with their sentences, entities, communities, paths."""
