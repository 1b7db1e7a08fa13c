"""Statistics: one definition of a median, an interval or a crossing, for the runner and for the rules."""
