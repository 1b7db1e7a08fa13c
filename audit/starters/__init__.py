"""Starters that `dlaudit init` writes."""
