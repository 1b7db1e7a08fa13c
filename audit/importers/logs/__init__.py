"""Logs of trainings, by the shape of their lines."""
