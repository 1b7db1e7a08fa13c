"""A study: its plan, its folder, its trials in order, its progress."""
