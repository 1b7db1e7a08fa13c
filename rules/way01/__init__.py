"""Way 1: ignore accuracy when scaling up."""
