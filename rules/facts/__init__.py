"""Facts: pure functions of the evidence that rules share. No code, no outcome, no effect."""
