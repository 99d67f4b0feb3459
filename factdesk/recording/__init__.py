"""What comes from outside a run, written down and given back."""
