#!/usr/bin/env bash
# Installs what the build needs and this Debian machine lacks; does nothing where all is there.
set -euo pipefail
command -v cargo >/dev/null || {
  echo "cargo is missing: install Rust from https://rustup.rs, then run make again"
  exit 2
}
missing=()
command -v g++ >/dev/null || missing+=(g++)
command -v pkg-config >/dev/null || missing+=(pkg-config)
command -v clang >/dev/null || missing+=(clang)
compgen -G "/usr/lib/*/libclang-[0-9]*.so*" >/dev/null || compgen -G "/usr/lib/llvm-*/lib/libclang-[0-9]*.so*" >/dev/null || missing+=(libclang1)
# Without it photos are decoded at half the speed.
command -v nasm >/dev/null || missing+=(nasm)
[ -f /usr/include/opencv4/opencv2/imgproc.hpp ] || missing+=(libopencv-imgproc-dev)
# Video files, streams and screens come through it; the tests of those need it.
command -v ffmpeg >/dev/null || missing+=(ffmpeg)
# The pages are tested in a real browser.
if [ "${1:-}" = --for-tests ]; then
  command -v chromedriver >/dev/null || missing+=(chromium chromium-driver)
  # Japanese and Chinese take the room there that they take elsewhere.
  fc-list :lang=ja 2>/dev/null | grep -q . || missing+=(fontconfig fonts-noto-cjk)
  # What it prints is measured.
  command -v pdftotext >/dev/null || missing+=(poppler-utils)
  # A venue's database is tried in one of the tests' own.
  compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || missing+=(postgresql)
  # So are the programs that organisers put before the database and before the pages.
  [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
  [ -x /usr/sbin/nginx ] || missing+=(nginx)
  # An older processor is played.
  command -v qemu-x86_64 >/dev/null || missing+=(qemu-user)
fi
python3 -m pip --version >/dev/null 2>&1 || missing+=(python3 python3-pip)
# The page that reads by itself, where rustup cannot fetch the target.
if [ "${1:-}" = --for-web ]; then
  [ -d /usr/lib/rustlib/src/rust/library ] || missing+=(rustc-web cargo-web rust-web-src)
  command -v wasm-ld-16 >/dev/null || missing+=(lld-16)
  command -v wasm-opt >/dev/null || missing+=(binaryen)
fi
# The program for Windows, and Wine to try it in.
if [ "${1:-}" = --for-windows ]; then
  [ -d /usr/lib/rustlib/src/rust/library ] || missing+=(rustc-web cargo-web rust-web-src)
  command -v x86_64-w64-mingw32-g++-posix >/dev/null || missing+=(gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix)
  [ -x /usr/lib/wine/wine64 ] || missing+=(wine64)
fi
# The pages' scripts are checked, and the pocket page is bundled.
case "${1:-}" in
  --for-tests | --for-web | --for-pages)
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
    ;;
esac
# Training and its tests have environments of their own.
if [ "${1:-}" = --for-training ] || [ "${1:-}" = --for-tests ]; then
  python3 -c "import venv, ensurepip" 2>/dev/null || missing+=(python3-venv)
fi
# It fetches fonts and photographs by the lists of packages.
if [ "${1:-}" = --for-training ]; then
  apt-cache show fonts-klee >/dev/null 2>&1 || missing+=(apt)
fi
[ ${#missing[@]} = 0 ] && exit 0
command -v apt-get >/dev/null || {
  echo "missing: ${missing[*]}. On a machine without apt-get, install them by hand, then run make again"
  exit 2
}
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
$sudo apt-get update -q
# Debian names libclang by its version: the one that its clang has.
version=$(apt-cache depends clang | sed -n 's/.*Depends: clang-\([0-9][0-9]*\).*/\1/p' | head -n 1)
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends \
  "${missing[@]/#libclang1/libclang1-$version}"
