"""Assistants: programs that draft, judge and ask over a protocol, and hand in only what is grounded."""
