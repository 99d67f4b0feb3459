"""What is said of a claim, and how it is certified, shown and verified."""
