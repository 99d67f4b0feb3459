"""Word lists that ship with the verifier."""
