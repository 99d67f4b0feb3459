"""Models that ship with factdesk for evidence, and the script that makes them."""
