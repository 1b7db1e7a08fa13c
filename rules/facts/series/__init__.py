"""Facts about series of raw numbers: samples, trials, warm-up, drift, dependence."""
