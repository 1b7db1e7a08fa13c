"""Runs as tracking tools keep them: TensorBoard, Weights & Biases, MLflow."""
