#!/bin/bash
set -e
docker build --pull -t nemo:latest .
