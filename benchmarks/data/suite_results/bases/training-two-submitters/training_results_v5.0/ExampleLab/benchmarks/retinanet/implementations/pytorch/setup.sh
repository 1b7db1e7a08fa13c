#!/bin/bash
set -e
docker build --pull -t pytorch:latest .
