#!/bin/sh
# Writes deploy/locks/ anew from pyproject.toml: newest versions, with hashes, without addresses.
# Needs the network; its own tool lives in a throw-away virtualenv, so it is in no lock.
set -eu
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet uv

lock() { # lock FILE WHAT...
  target=deploy/locks/$1
  shift
  # Universal: one file for every Python from 3.11 on and every platform. --upgrade: not what the old file says.
  "$tools/bin/uv" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --no-annotate --no-header \
    "$@" --output-file "$target" pyproject.toml
  printf '%s: %s packages\n' "$target" "$(grep -c '^[a-z].*==' "$target")"
}

lock run.txt --group build
lock all.txt --group build --all-extras --group test --group check --constraints deploy/locks/run.txt
