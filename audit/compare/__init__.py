"""Comparing two measurements soundly: like with like, trial by trial, with an answer that may be "cannot tell"."""
