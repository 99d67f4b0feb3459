"""ClaimVer: which spans of a text the graph supports, contradicts, or leaves open."""
