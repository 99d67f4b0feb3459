"""A certificate for readers: text, Markdown, HTML, JSON. Nothing here decides."""
