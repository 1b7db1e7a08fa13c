"""Way 4: outdated against special-purpose hardware."""
