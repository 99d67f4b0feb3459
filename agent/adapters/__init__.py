"""Ways to a language model that need heavy or optional libraries; each is imported when it is asked for."""
