"""The commands ``factdesk eval`` and ``factdesk bench``."""
