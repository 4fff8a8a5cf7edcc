#!/bin/sh
# Checks everything: format, lint, types, imports, then all tests with the coverage of the pure core.
#   sh deploy/check.sh          all of it
#   sh deploy/check.sh quick    without broker, browser and coverage
# Every step runs even if an earlier one failed; the tests come last, so their summary is the last line.
set -eu
cd "$(dirname "$0")/.."

which=${1:-all}
case $which in
  quick | all) ;;
  *)
    echo "usage: sh deploy/check.sh [quick]" >&2
    exit 2
    ;;
esac

sh deploy/setup.sh
PATH=$PWD/.venv/bin:$PATH
export PATH

failed=""
step() { # step NAME COMMAND...
  name=$1
  shift
  echo "== $name: $*"
  "$@" || failed="$failed $name"
}
step format ruff format --check .
step lint ruff check .
step types mypy
step imports lint-imports --no-logo
[ -z "$failed" ] || echo "== FAILED before the tests:$failed"

tests=0
echo "== tests"
if [ "$which" = quick ]; then
  pytest -q -m "not faults and not kafka and not browser" || tests=$?
else
  pytest -q --cov --cov-report=term || tests=$?
fi
[ -z "$failed" ] && [ "$tests" = 0 ]
