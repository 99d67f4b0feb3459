"""Work on several cores or machines: stages of a pipeline, and the connection to Ray."""
