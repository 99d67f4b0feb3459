"""Claims, questions, reasoners, tools and the LangGraph state machines."""
