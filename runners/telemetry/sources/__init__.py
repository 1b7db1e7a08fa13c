"""What can be read: `interface.py` says what a source is, the modules beside it are one each."""
