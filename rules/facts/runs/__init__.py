"""Facts about runs and their logs: events, times, files, copies, overlaps."""
