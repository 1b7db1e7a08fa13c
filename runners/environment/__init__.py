"""What the machine is, as read-only facts: each a value, or the reason why there is none."""
