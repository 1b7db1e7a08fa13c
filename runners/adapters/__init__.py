"""The meter as callbacks of training libraries. Each file imports its library, and nothing else here does."""
