"""The routes of the service: those for programs, and those of the pages."""
