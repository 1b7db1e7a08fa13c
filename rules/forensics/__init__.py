"""Forensic consistency: numbers against each other."""
