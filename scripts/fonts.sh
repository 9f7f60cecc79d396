#!/usr/bin/env bash
# Makes the letters of the overlay: Inter for Latin, and of Noto Sans what the words of the Japanese and the Chinese pages are
# written in. To be run again when those words use another character, which tests/pages/fonts.test.js reports.
# Needs npm, and Python with fonttools and brotli.
set -euo pipefail
cd "$(dirname "$0")/.."
pages=$PWD/src/server/pages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in @fontsource-variable/inter@5.3.0 @fontsource/noto-sans-jp@5.3.0 @fontsource/noto-sans-sc@5.3.0; do
  archive=$(cd "$work" && npm pack --silent "$package")
  tar xzf "$work/$archive" -C "$work" --one-top-level="${archive%-*}" --strip-components=1
done
subset() { # FILE NAME OPTION...
  pyftsubset "$1" --output-file="$pages/letters-$2.woff2" --flavor=woff2 --layout-features='kern,liga,calt,ccmp,locl,mark,mkmk,tnum' --no-hinting --desubroutinize "${@:3}"
}
for part in latin latin-ext; do
  fonttools varLib.instancer "$work/fontsource-variable-inter/files/inter-$part-wght-normal.woff2" wght=400:800 --quiet -o "$work/$part.ttf"
  subset "$work/$part.ttf" "$part" --unicodes='U+20-7E,U+A0-17F,U+218-21B,U+2010-2026,U+202F-203A,U+20AC,U+2122,U+2191,U+2193,U+2212'
done
# Fractions and arrows come with both, and what names in these scripts are separated by.
also='½⅓⅔¼¾⅙⅚◀▲▶▼→×−・、。「」（）：…'
words() { python3 -c 'import json, sys; print("".join(sorted({c for text in json.load(open(sys.argv[1])).values() for c in text if ord(c) > 0x17F} | set(sys.argv[2]))))' crates/scoring/src/words/$1.json "$also"; }
ja=$(words ja)
zh=$(words zh)
subset "$work/fontsource-noto-sans-jp/files/noto-sans-jp-japanese-600-normal.woff2" ja --text="$ja"
subset "$work/fontsource-noto-sans-sc/files/noto-sans-sc-chinese-simplified-600-normal.woff2" zh --text="$zh"
{
  echo "The letters of the overlay (letters-*.woff2) are subsets, made by scripts/fonts.sh, of these, under the SIL Open Font License 1.1:"
  echo
  echo "Inter (latin, latin-ext). Copyright 2016 The Inter Project Authors (https://github.com/rsms/inter)"
  echo "Noto Sans JP (ja), Noto Sans SC (zh). Copyright 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'"
  echo
  echo "Characters of ja: $ja"
  echo "Characters of zh: $zh"
  echo
  tail -n +2 "$work/fontsource-variable-inter/LICENSE"
} > "$pages/letters.txt"
ls -l "$pages"/letters-*
