"""Way 6: do not consider I/O."""
