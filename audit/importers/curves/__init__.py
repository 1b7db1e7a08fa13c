"""Training curves and training logs."""
