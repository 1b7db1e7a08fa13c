"""Way 7: highest ops numbers."""
