"""Lint: from a document's bytes to its report."""
