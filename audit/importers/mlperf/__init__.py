"""Results of the MLPerf suites: logs, descriptions, power."""
