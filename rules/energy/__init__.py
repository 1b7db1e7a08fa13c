"""Energy and cost."""
