"""Where documents, runs, jobs and the history are kept."""
