"""Keys with values: JSON objects, lines of JSON, and what a console prints by name."""
