"""Integrity: signatures and links."""
