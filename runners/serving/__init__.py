"""Serving: a load generator for OpenAI-compatible endpoints, a small server, and a server that follows a script."""
