"""Finding spans for a query: lexical and dense ranking, fused, reranked and capped."""
