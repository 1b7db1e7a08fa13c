"""Suite policy."""
