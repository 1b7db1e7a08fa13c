"""Reproducibility and hand-in."""
