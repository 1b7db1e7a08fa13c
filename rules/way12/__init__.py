"""Way 12: select carefully how to compare."""
