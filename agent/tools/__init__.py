"""Tools of the agent: looking into images, relating documents."""
