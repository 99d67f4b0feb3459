"""Trust of documents, propagated over supporting and refuting claims (ClaimTrust)."""
