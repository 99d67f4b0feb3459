"""What is loaded only when it was asked for, or where it is installed."""
