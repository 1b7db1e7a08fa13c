"""Precision, peaks and bounds."""
