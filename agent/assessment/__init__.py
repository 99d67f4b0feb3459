"""What a re-run needs of the agent: NLI pairs, answer fit, relations of documents."""
