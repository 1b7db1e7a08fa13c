"""Reference tables: what is known of devices, data sets and benchmark suites, as data with a source for each value."""
