#!/usr/bin/env bash
# Builds the page that reads by itself: a folder of static files, target/pocket or the one that is named.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${CARGO_TARGET_DIR:-target}
to=${1:-$build/pocket}
target=wasm32-unknown-unknown
most=$((6 << 20))
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
    echo "make web needs the Rust target $target: \`rustup target add $target\` could not fetch it, and Debian's rustc-web, cargo-web, rust-web-src and lld-16 are not there either" >&2
    exit 2
  fi
  RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 RUSTFLAGS="-C linker=wasm-ld-16 -C target-feature=+simd128" \
    $debian build --locked -Zbuild-std=std,panic_abort -p tilelens-web --profile web --target $target
fi

rm -rf "$to"
mkdir -p "$to/assets" "$to/faces"
wasm="$build/$target/web/tilelens_web.wasm"
features=(--enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-reference-types --enable-multivalue)
if command -v wasm-opt >/dev/null; then
  wasm-opt -O3 "${features[@]}" "$wasm" -o "$to/tilelens.wasm"
else
  echo "built without wasm-opt (Debian: binaryen): larger, a little slower" >&2
  cp "$wasm" "$to/tilelens.wasm"
fi

# The phone's page, with what it imports; the way to the server is the way to the worker here.
pages=src/server/pages
asked=(phone.js)
while [ ${#asked[@]} -gt 0 ]; do
  file=${asked[0]}
  asked=("${asked[@]:1}")
  [ -e "$to/assets/$file" ] && continue
  from=$pages/$file
  [ -e "web/page/$file" ] && from=web/page/$file
  cp "$from" "$to/assets/$file"
  mapfile -t more < <(sed -n 's/.* from "\.\/\([a-z]*\.js\)";/\1/p' "$from")
  asked+=("${more[@]}")
  [ "$file" = phone.js ] && asked+=(pocket.js evening.js worker.js)
done
cp $pages/table.css $pages/phone.css $pages/words.*.json web/page/pocket.css "$to/assets/"
cp datasets/artwork/*.svg "$to/faces/"
cp web/page/manifest.webmanifest web/page/icon-*.png "$to/"
awk -v head="$(cat web/page/head.html)" -v evening="$(cat web/page/evening.html)" -v newer="$(cat web/page/newer.html)" '
  /<\/head>/ { print head } /<\/main>/ { print evening } { print } /<body/ { print newer }' $pages/phone.html >"$to/index.html"

# One version for all files: the page changes as a whole.
files=$(cd "$to" && find . -type f ! -name service.js | LC_ALL=C sort)
version=$(cd "$to" && LC_ALL=C sha256sum $files | sha256sum | cut -c 1-16)
hashed() { # [".file","its hash"], as a browser checks it
  local name=$1 hex
  hex=$(sha256sum "$to/$name" | cut -c 1-64)
  [ "$name" = ./index.html ] && name=./
  printf '["%s","%s"]\n' "$name" "$(printf "$(sed 's/../\\x&/g' <<<"$hex")" | base64)"
}
list=$(while read -r file; do hashed "$file"; done <<<"$files" | paste -sd, -)
sed -e "s|@version@|$version|" -e "s|\"@files@\"|$list|" web/page/service.js >"$to/service.js"

size=$(find "$to" -type f -exec sh -c 'gzip -9c "$1" | wc -c' _ {} \; | awk '{ sum += $1 } END { print sum }')
printf '%s: version %s, %d.%02d MB over the wire\n' "$to" "$version" $((size >> 20)) $(((size % (1 << 20)) * 100 >> 20))
if [ "$size" -gt $most ]; then
  echo "more than $((most >> 20)) MB" >&2
  exit 1
fi
