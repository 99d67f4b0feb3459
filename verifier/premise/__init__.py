"""What the model reads of a piece of evidence."""
