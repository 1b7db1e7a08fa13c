"""Methodology."""
