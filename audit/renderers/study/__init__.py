"""The picture of a study: what an engineer looks for first, drawn from the manifest and the raw files behind it."""
