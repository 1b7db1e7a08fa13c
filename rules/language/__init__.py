"""Language: one reader of the words of a text. Each module is a pure function of the one before it.

Characters become tokens, tokens become names, numbers, quantities and counts, and these become comparisons and stance.
`reading.read` gives them all, parsed once for each text. The words themselves are data: `rules/tables/lexicon/*.json`.
"""
