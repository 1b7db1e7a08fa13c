"""Floor 2: what is sound. The rule registry, the rules, facts, statistics and reference tables."""
