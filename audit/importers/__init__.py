"""Importers: reports of other tools as submissions, each value with its place there. One importer, one module."""
