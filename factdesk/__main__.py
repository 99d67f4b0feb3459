"""``python -m factdesk``."""

from factdesk.cli import main

main()
