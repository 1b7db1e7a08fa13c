#!/usr/bin/env bash
# Lints PATHS with the settings of the action, writes every format beside each other, and ends with dlaudit's exit code.
set -uo pipefail
set -f # PATHS is split at spaces and not expanded

out="$RUNNER_TEMP/dlaudit"
mkdir -p "$out"
options=(--profile "$PROFILE" --fail-on "$FAIL_ON")
[ -z "$CONFIG" ] || options+=(--config "$CONFIG")
[ -z "$TRUST" ] || options+=(--trust "$TRUST")
[ -z "$WAIVERS" ] || options+=(--waivers "$WAIVERS")
[ -z "$BASELINE" ] || options+=(--baseline "$BASELINE")

# shellcheck disable=SC2086
dlaudit lint "${options[@]}" --format github --format "sarif:$out/alerts.sarif" --format "markdown:$out/comment.md" \
    --format "junit:$out/junit.xml" --format "json:$out/verdict.json" -- $PATHS
code=$?

echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [ -s "$out/alerts.sarif" ]; then
    {
        echo "sarif=$out/alerts.sarif"
        echo "markdown=$out/comment.md"
        echo "junit=$out/junit.xml"
        echo "json=$out/verdict.json"
    } >>"$GITHUB_OUTPUT"
    cat "$out/comment.md" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
