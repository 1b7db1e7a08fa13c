"""Way 10: run training for just the right time."""
