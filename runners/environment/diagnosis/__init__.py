"""What this machine can control and verify, and what is wrong with it right now: looked at, never changed."""
