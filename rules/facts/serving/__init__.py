"""Facts about services: load, tokens, latencies."""
