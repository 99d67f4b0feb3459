"""ClaimVer: which words of a text the graph bears out, which it contradicts, and which it says nothing of."""
