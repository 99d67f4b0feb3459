"""What decides a badge: rules, sides of the evidence, constants, fingerprints. Nothing else does."""
