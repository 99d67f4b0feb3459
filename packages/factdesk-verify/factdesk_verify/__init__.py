"""Verifies factdesk certificates. The command is ``factdesk-verify``; there is nothing to import here."""
