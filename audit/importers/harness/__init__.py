"""Results of benchmark harnesses and load generators."""
