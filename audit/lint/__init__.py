"""Lint: from what is named on the command line to reports.

read      read.py: paths to documents; a report of another tool is drafted by its importer (reports.py)
draft     draft.py: a document's submission, which a study implies; invalid.py reports one that is not valid
evidence  evidence.py: cited studies (studies.py), logs of runs (logs.py), tables, waivers beside the submission
case      cases.py: what the rules may read of each claim
judge     judge.py: every rule on the document and on each claim
waive     waive.py: what the gate's owner accepts
report    report.py: verdicts, findings (findings.py) with their locations (locations.py), coverage

lint.py is this sentence for one document, paths.py for everything that was named.
"""
