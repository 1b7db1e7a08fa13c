"""Facts about trainings: targets, convergence, data sets, inputs, final quality."""
