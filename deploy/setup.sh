#!/bin/sh
# Sets up this checkout: Debian packages (as root) and .venv from the locks in deploy/locks.
#   sh deploy/setup.sh        all there is: running, testing, checking
#   sh deploy/setup.sh run    only what `barometer` itself needs
# A second run finds everything in place and needs no network.
set -eu
cd "$(dirname "$0")/.."

scope=${1:-all}
case $scope in
  run | all) ;;
  *)
    echo "usage: sh deploy/setup.sh [run|all]" >&2
    exit 2
    ;;
esac

# --- Debian packages ----------------------------------------------------------------------------------
missing=""
need() { # need PACKAGE WHY
  echo "setup: Debian package $1: $2"
  missing="$missing $1"
}
command -v python3 >/dev/null 2>&1 || need python3 "the language"
python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv "makes .venv, with pip in it"
if [ "$scope" = all ]; then
  command -v chromium >/dev/null 2>&1 || need chromium "the browser that the page tests drive"
  [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] ||
    need fonts-dejavu-core "suit symbols, Greek and Cyrillic in the browser's pictures"
fi
if [ -n "$missing" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -q >/dev/null
    # shellcheck disable=SC2086  # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >/dev/null
  else
    echo "setup: not root, so please install:$missing" >&2
  fi
fi

python3 - <<'PYTHON' || exit 1
import sys
if sys.version_info < (3, 11):
    sys.exit(f"setup: Python 3.11 or newer is needed, python3 is {sys.version.split()[0]}")
PYTHON

# --- .venv -------------------------------------------------------------------------------------------
# A stamp names what .venv was made from: the lock, the project's own description, this place and Python.
made_from() { # made_from SCOPE
  {
    cat "deploy/locks/$1.txt" pyproject.toml deploy/setup.sh
    pwd
    python3 --version
  } | sha256sum | cut -d ' ' -f 1
}
in_place() { # in_place SCOPE
  [ -x .venv/bin/barometer ] && [ "$(cat ".venv/set-up-$1" 2>/dev/null)" = "$(made_from "$1")" ]
}
if in_place all || in_place "$scope"; then # all there is holds what running needs
  echo "setup: .venv is in place"
  exit 0
fi

if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "setup: making .venv"
  python3 -m venv --clear .venv
fi
echo "setup: installing deploy/locks/$scope.txt"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "deploy/locks/$scope.txt"
# What builds the project is in the lock too, hence no isolated build, which would fetch it again.
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
made_from "$scope" >".venv/set-up-$scope"
echo "setup: done, try .venv/bin/barometer --help"
