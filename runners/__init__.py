"""Floor 3: how to measure. Workloads, trials, environment, studies."""
