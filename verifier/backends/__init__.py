"""Models that read a pair, alone and combined, their factory by spec, and the score cache."""
