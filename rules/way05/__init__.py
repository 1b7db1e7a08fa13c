"""Way 5: only kernels or subsets."""
