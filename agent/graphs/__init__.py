"""The state machines that investigate a claim."""
