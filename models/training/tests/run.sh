#!/usr/bin/env bash
# Checks the Python of training: names, types, and tests that need neither torch nor the shared data. In an environment of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=../../target/training-tests
if ! cmp -s tests/requirements.lock "$environment/installed.lock"; then
  rm -rf "$environment"
  python3 -m venv "$environment" && "$environment/bin/python" -m pip install --quiet -r tests/requirements.lock || {
    echo "SKIPPED: the Python tests of models/training, whose packages (tests/requirements.lock) cannot be installed here"
    exit 0
  }
  cp tests/requirements.lock "$environment/installed.lock"
fi
"$environment/bin/python" -m ruff check --quiet --no-cache .
"$environment/bin/python" -m mypy --no-error-summary
OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m pytest --quiet -rs
