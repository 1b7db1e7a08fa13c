"""A procurement: the tender that says what counts, the offers side by side, and the letters to who made them."""
