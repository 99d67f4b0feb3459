"""The system with parts left out or exchanged, and baselines beside it."""
