#!/usr/bin/env bash
# Builds the reader and the rules as WebAssembly: `build-wasm.sh FILE`.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${CARGO_TARGET_DIR:-target}
to=$1
target=wasm32-unknown-unknown
debian=/usr/bin/cargo # by its path: the usual toolchain stays first in PATH

# The usual toolchain, where it has the target or can fetch it; else Debian's, which brings the sources of the
# standard library.
has_target() {
  rustup target list --installed 2>/dev/null | grep -qx $target || timeout 120 rustup target add $target >/dev/null 2>&1
}
if has_target; then
  RUSTFLAGS="-C target-feature=+simd128" cargo build --locked -p tilelens-web --profile web --target $target
else
  scripts/install-packages.sh --for-web || true
  if ! [ -x $debian ] || ! [ -d /usr/lib/rustlib/src/rust/library ] || ! command -v wasm-ld-16 >/dev/null; then
    echo "this needs the Rust target $target: \`rustup target add $target\` could not fetch it, and Debian's rustc-web, cargo-web, rust-web-src and lld-16 are not there either" >&2
    exit 2
  fi
  RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 RUSTFLAGS="-C linker=wasm-ld-16 -C target-feature=+simd128" \
    $debian build --locked -Zbuild-std=std,panic_abort -p tilelens-web --profile web --target $target
fi

wasm="$build/$target/web/tilelens_web.wasm"
features=(--enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-reference-types --enable-multivalue)
if command -v wasm-opt >/dev/null; then
  wasm-opt -O3 "${features[@]}" "$wasm" -o "$to"
else
  echo "built without wasm-opt (Debian: binaryen): larger, a little slower" >&2
  cp "$wasm" "$to"
fi
