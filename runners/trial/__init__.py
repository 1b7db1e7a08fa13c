"""One trial: the process, what it is told, what it times and trains."""
