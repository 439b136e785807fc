#!/usr/bin/env bash
# Runs `verdict gate` with what the action was given, in variables. GATE_COMMAND replaces the program, for tests.
set -uo pipefail

arguments=(gate "--base=$GATE_BASE" --format github "--fail-on=$GATE_FAIL_ON")
arguments+=("--timeout-per-function=$GATE_TIMEOUT_PER_FUNCTION" "--timeout=$GATE_TIMEOUT" "--max-functions=$GATE_MAX_FUNCTIONS")
arguments+=("--write=json=$GATE_REPORT" "--write=markdown=$GATE_SUMMARY")
[ -n "$GATE_SARIF" ] && arguments+=("--write=sarif=$GATE_SARIF")
[ -n "${GATE_ALLOW:-}" ] && arguments+=("--allow=$GATE_ALLOW")

# One pattern a line.
patterns() {
  while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -n "$line" ] && arguments+=("$1=$line")
  done <<<"$2"
}
patterns --expect-same "$GATE_EXPECT_SAME"
patterns --expect-different "$GATE_EXPECT_DIFFERENT"

rm -f "$GATE_REPORT" "$GATE_SUMMARY"
if [ -n "${GATE_COMMAND:-}" ]; then
  "$GATE_COMMAND" "${arguments[@]}"
else
  # The package of this name has one program.
  npx --yes --package "$GATE_PACKAGE" -- verdict "${arguments[@]}"
fi
code=$?

[ -f "$GATE_SUMMARY" ] && cat "$GATE_SUMMARY" >>"$GITHUB_STEP_SUMMARY"
{
  [ "$code" -eq 0 ] && echo "passed=true"
  [ "$code" -eq 1 ] && echo "passed=false"
  echo "report=$GATE_REPORT"
} >>"$GITHUB_OUTPUT"
exit "$code"
