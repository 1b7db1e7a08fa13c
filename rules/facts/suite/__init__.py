"""Facts about results of a benchmark suite."""
