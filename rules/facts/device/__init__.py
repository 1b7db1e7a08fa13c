"""Facts about devices: what they can do, under which conditions they ran, in which formats they computed."""
