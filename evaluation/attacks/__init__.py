"""What an adversary would try: altered claims, planted documents, injected instructions."""
