"""Completion: a claim's fields and its words meet once, before any rule runs.

A field that the author gave is stated; one that only the words give is read, with its place and quote; one that neither
gives is absent. Where words contradict a field, both are kept: the claim is judged by both.
"""
