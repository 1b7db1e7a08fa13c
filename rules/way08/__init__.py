"""Way 8: performance with option set A, accuracy with option set B."""
