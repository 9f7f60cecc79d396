#!/usr/bin/env bash
# Builds the Python package: target/wheels/tilelens-*.whl. `--test` tests it too, against the program in
# target/release or the one that TILELENS names.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${CARGO_TARGET_DIR:-target}
venv=$build/python
most=$((25 * 1024 * 1024))

if ! [ -x "$venv/bin/python" ]; then
  python3 -m venv "$venv" || {
    echo "make wheel needs Python 3.11 or newer with venv (Debian: python3-venv)" >&2
    exit 2
  }
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check -r python/requirements.txt
# The licences of what is inside.
mkdir -p python/licences
cp LICENSE-APACHE LICENSE-MIT python/licences/
cp vendor/onnxruntime/LICENSE python/licences/onnxruntime-LICENSE
cp vendor/onnxruntime/ThirdPartyNotices.txt python/licences/onnxruntime-ThirdPartyNotices.txt
rm -rf "$build/wheels"
"$venv/bin/maturin" build --manifest-path python/Cargo.toml --interpreter "$venv/bin/python" --out "$build/wheels"

wheel=$(echo "$build"/wheels/*.whl)
size=$(stat -c %s "$wheel")
if [ "$size" -gt $most ]; then
  echo "$wheel has $size bytes: at most $most are wanted" >&2
  exit 1
fi
# The tag in the name is what the libraries and symbols inside allow.
"$venv/bin/auditwheel" show "$wheel" | tee "$build/wheels/audit.txt"
tag=$(basename "$wheel" .whl | grep -o 'manylinux_[0-9_]*[a-z0-9_]*$')
grep -q "$tag" "$build/wheels/audit.txt" || {
  echo "$wheel: auditwheel does not find it consistent with $tag" >&2
  exit 1
}
echo "$wheel: $size bytes"

if [ "${1:-}" = --test ]; then
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheel"
  "$venv/bin/mypy" --config-file python/pyproject.toml python/tilelens python/examples
  "$venv/bin/pytest" --quiet -p no:cacheprovider python/tests
fi
