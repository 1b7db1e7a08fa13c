"""Facts about comparisons: their sides, bases, options and what else differs."""
