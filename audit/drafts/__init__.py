"""Drafts: what was read of a document as the shortest submission, with what a person must decide in it."""
