"""Scenarios of inference through LoadGen: what sends the queries, what answers them, and what is recorded."""
