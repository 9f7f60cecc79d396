#!/usr/bin/env bash
# Makes a Debian package of a release build: target/debian/tilelens_VERSION_ARCHITECTURE.deb
set -euo pipefail
cd "$(dirname "$0")/.."
program=target/release/tilelens
cargo_deb=3.8.0
if ! target/tools/bin/cargo-deb --version 2>/dev/null | grep -q "$cargo_deb$"; then
  cargo install cargo-deb --version "$cargo_deb" --locked --root target/tools
fi
made=target/package
rm -rf "$made"
mkdir -p "$made/man"
"$program" man "$made/man"
gzip -9n "$made"/man/*
"$program" completions bash >"$made/tilelens"
"$program" completions zsh >"$made/_tilelens"
"$program" completions fish >"$made/tilelens.fish"
target/tools/bin/cargo-deb --no-build
