"""The document itself."""
