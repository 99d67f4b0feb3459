"""The local service: checks over HTTP, through the same facade as the command line (extra ``serve``)."""
