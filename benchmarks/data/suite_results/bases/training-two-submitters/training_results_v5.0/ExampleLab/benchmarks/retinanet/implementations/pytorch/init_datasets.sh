#!/bin/bash
set -e
# fetch, verify checksums, convert; see README.md
python3 scripts/prepare_data.py --out "${DATADIR:?}"
