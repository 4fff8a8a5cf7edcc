#!/bin/sh
# Sets up what is needed and plays a congress: sh deploy/demo.sh [what `barometer demo --help` lists]
set -eu
cd "$(dirname "$0")/.."
sh deploy/setup.sh run
exec .venv/bin/barometer demo "$@"
