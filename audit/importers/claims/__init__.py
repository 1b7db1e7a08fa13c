"""Claims in prose: from the sentences of a written document to claims of a submission with their fields."""
