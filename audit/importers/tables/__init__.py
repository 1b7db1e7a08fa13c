"""Tables of results: how they stand in a text, what their columns hold, and what they claim."""
