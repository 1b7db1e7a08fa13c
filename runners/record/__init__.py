"""The record of a study: samples, numbers of each arm, the manifest."""
