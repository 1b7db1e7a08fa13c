"""Floor 1: what a document is. JSON Schemas, typed models, loading with positions, canonical form, digests."""
