"""factdesk as a server of the Model Context Protocol: what an agent may call, and what it may read."""
