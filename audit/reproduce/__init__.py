"""Measuring a study again, and what that says of its claims."""
