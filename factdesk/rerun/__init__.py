"""A stopped run taken up again, and a recorded check run again."""
