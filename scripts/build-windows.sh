#!/usr/bin/env bash
# Builds the program for Windows on Debian: target/windows/tilelens-windows.zip. `--test` tries it under Wine too, beside
# the program in target/release.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${CARGO_TARGET_DIR:-target}
target=x86_64-pc-windows-gnu
debian=/usr/bin/cargo # by its path: the usual toolchain stays first in PATH

scripts/install-packages.sh --for-windows
scripts/fetch-runtime.sh windows
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc-posix
export CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc-posix CXX_x86_64_pc_windows_gnu=x86_64-w64-mingw32-g++-posix
export AR_x86_64_pc_windows_gnu=x86_64-w64-mingw32-ar
# Without OpenCV, which Debian has for Linux alone: Rust code does its work.
features=vision,mozjpeg,onnxruntime,camera,server,ledger
# Linking as one program was not tried with the standard library built too.
RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 RUSTFLAGS= CARGO_PROFILE_RELEASE_LTO=off \
  $debian build -Zbuild-std=std,panic_unwind --target $target --release --locked \
  --bin tilelens --no-default-features --features $features

made=$build/windows/tilelens
rm -rf "$build/windows"
mkdir -p "$made/licences"
cp "$build/$target/release/tilelens.exe" vendor/onnxruntime-windows/onnxruntime.dll "$made/"
x86_64-w64-mingw32-strip "$made/tilelens.exe"
cp LICENSE-APACHE LICENSE-MIT "$made/licences/"
cp vendor/onnxruntime-windows/LICENSE "$made/licences/onnxruntime-LICENSE"
cp vendor/onnxruntime-windows/ThirdPartyNotices.txt "$made/licences/onnxruntime-ThirdPartyNotices.txt"
cp packaging/windows-readme.md "$made/README.md"
(cd "$build/windows" && python3 -m zipfile -c tilelens-windows.zip tilelens)
ls -l "$build/windows/tilelens-windows.zip" "$made"/tilelens.exe

if [ "${1:-}" = --test ]; then
  scripts/test-windows.sh "$made" "$build/release/tilelens"
fi
