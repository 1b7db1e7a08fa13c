"""Facts about the document itself: what it cites, states in words, leaves blank."""
