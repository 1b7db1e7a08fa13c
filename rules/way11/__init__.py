"""Way 11: weak against strong scaling."""
