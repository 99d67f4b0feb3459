"""What a re-run needs of the agent: NLI pairs, answers against questions, relations of documents."""
