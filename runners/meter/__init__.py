"""A meter for training loops that exist already: it times their steps and reports them to `dlaudit run`."""
