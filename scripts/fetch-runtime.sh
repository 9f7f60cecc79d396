#!/usr/bin/env bash
# Puts ONNX Runtime's library into vendor/onnxruntime/, out of its pinned Python wheel; with `windows` that of Windows
# into vendor/onnxruntime-windows/.
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.31.1
to=vendor/onnxruntime
library=libonnxruntime.so
case ${1:-$(uname -m)} in
  windows) platform=win_amd64 to=vendor/onnxruntime-windows library=onnxruntime.dll
    hash=c3d91b5de31e2fc82d71bd65b2b22bddee8b49057a3a36338e9a868e0ea90c05 ;;
  x86_64) platform=manylinux_2_28_x86_64
    hash=5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f ;;
  aarch64) platform=manylinux_2_28_aarch64
    hash=da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3 ;;
  *) echo "no ONNX Runtime wheel is pinned for $(uname -m): put libonnxruntime.so $version into vendor/onnxruntime/ yourself"; exit 2 ;;
esac
if [ -f "$to/$library" ] && [ "$(cat "$to/version" 2>/dev/null)" = "$version $hash" ]; then exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "onnxruntime==$version --hash=sha256:$hash" >"$work/requirements.txt"
python3 -m pip download --quiet --no-deps --only-binary=:all: --platform "$platform" \
  --python-version 3.11 --require-hashes --dest "$work" -r "$work/requirements.txt" || {
  echo "ONNX Runtime could not be fetched: check the connection to the Python package index, then run make setup again"
  exit 2
}
python3 -m zipfile -e "$work"/*.whl "$work/wheel"
mkdir -p "$to"
# Its name may end with its version.
cp "$work/wheel/onnxruntime/capi/$library"* "$work/library"
mv "$work/library" "$to/$library"
cp "$work/wheel/onnxruntime/LICENSE" "$work/wheel/onnxruntime/ThirdPartyNotices.txt" "$to/"
echo "$version $hash" >"$to/version"
