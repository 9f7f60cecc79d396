#!/usr/bin/env bash
# Tries the program for Windows under Wine, beside the program of this machine: `test-windows.sh FOLDER PROGRAM`.
set -euo pipefail
cd "$(dirname "$0")/.."
made=$(realpath "$1")
linux=$(realpath "$2")
root=$PWD
work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all
served=
ended() {
  [ -z "$served" ] || kill "$served" 2>/dev/null || true
  /usr/lib/wine/wineserver64 -k 2>/dev/null || true
  rm -rf "$work"
}
trap ended EXIT
failed() {
  echo "FAILED: $1" >&2
  exit 1
}
passed() { echo "ok: $1"; }

# Rust's standard library imports a function that Windows 10 has and this Wine lacks: for Wine alone.
cat >"$work/primitives.c" <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(unsigned char *bytes, SIZE_T count) { return RtlGenRandom(bytes, count); }
C
# Windows lets every program use a processor's matrix instructions; Linux wants to be asked, which Wine does not.
cat >"$work/matrix.c" <<'C'
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((constructor)) static void ask(void) { syscall(SYS_arch_prctl, 0x1023 /* ARCH_REQ_XCOMP_PERM */, 18); }
C
gcc -shared -fPIC -o "$work/matrix.so" "$work/matrix.c"
wine() { LD_PRELOAD=$work/matrix.so /usr/lib/wine/wine64 "$@"; }
wine wineboot -i >/dev/null 2>&1
x86_64-w64-mingw32-gcc-posix -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/primitives.c" -ladvapi32

# A folder as people have them.
home="$work/Bob's café 麻将"
mkdir -p "$home"
cp -r "$made/." "$home/"
cp datasets/photos/tables/pung-from-left.jpg "$home/hand.jpg"
cp datasets/photos/tables/two-rows.jpg "$home/other.jpg"
cd "$home"
tilelens() { wine "$home/tilelens.exe" "$@" | tr -d '\r'; }

hand=(score "123m456m789p23s55s +4s" --seat E --round E --self-draw)
tilelens "${hand[@]}" >"$work/windows.txt"
"$linux" "${hand[@]}" >"$work/linux.txt"
cmp "$work/windows.txt" "$work/linux.txt" || failed "a score differs"
passed "a score is that of this machine"

photo=(photo hand.jpg --seat E --round E --self-draw --json)
tilelens "${photo[@]}" >"$work/windows.json" || true
"$linux" "${photo[@]}" >"$work/linux.json" || true
python3 - "$work/windows.json" "$work/linux.json" <<'P' || failed "a photo is read otherwise"
import json, sys
windows, linux = (json.load(open(name)) for name in sys.argv[1:])
codes = [[tile["code"] for tile in reading["tiles"]] for reading in (windows, linux)]
assert codes[0] == codes[1] and codes[0], codes
assert windows["hand"] and windows["hand"]["text"] == linux["hand"]["text"], (windows["hand"], linux["hand"])
P
passed "a photo is read as on this machine"
# A shell of Windows leaves patterns to the program.
[ "$(tilelens tiles '*.jpg' --json | wc -l)" = 2 ] || failed "*.jpg is not every photo"
passed "*.jpg is every photo"

tilelens table new evening.tlg --rules mmm-dk --players Ann,Bo,Cy,Di >/dev/null
tilelens table deal evening.tlg --winner Bo --from Di --worth 7 >/dev/null
tilelens table show evening.tlg >"$work/table.txt"
"$linux" table verify evening.tlg >/dev/null || failed "a ledger is not intact"
"$linux" table show evening.tlg >"$work/linux.txt"
cmp "$work/table.txt" "$work/linux.txt" || failed "a table is shown otherwise"
passed "a ledger is the same on both"

wine "$home/tilelens.exe" serve --ledger evening.tlg --port 0 >"$work/served.txt" 2>"$work/served.err" &
served=$!
for _ in $(seq 100); do
  address=$(tr -d '\r' <"$work/served.txt" | grep -o 'http://127.0.0.1:[0-9]*/' | head -n 1) && [ -n "$address" ] && break
  sleep 0.2
done
[ -n "${address:-}" ] || failed "no address: $(cat "$work/served.txt" "$work/served.err")"
for page in control overlay phone api/state; do
  curl --fail --silent --output /dev/null "$address$page" || failed "no $page"
done
tilelens table deal evening.tlg --winner Cy --self-draw --worth 5 >/dev/null || failed "no deal beside a server"
passed "pages come, and a deal is written beside them"
kill -9 "$served"
/usr/lib/wine/wineserver64 -k || true
served=
tilelens table verify evening.tlg >/dev/null || failed "a ledger is damaged by a killed server"
tilelens table draw evening.tlg >/dev/null
[ "$("$linux" table show evening.tlg --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["history"]))')" = 3 ] || failed "a deal is lost"
passed "nothing is lost with a killed server"

tilelens cameras >"$work/cameras.txt" 2>&1 || true
grep -q "winget install ffmpeg" "$work/cameras.txt" || failed "cameras: $(cat "$work/cameras.txt")"
passed "cameras without ffmpeg say what is missing"
# Read no further than the first line.
{ wine "$home/tilelens.exe" rules list 2>"$work/pipe.txt" || true; } | head -n 1 >/dev/null
[ ! -s "$work/pipe.txt" ] || failed "a closed pipe: $(cat "$work/pipe.txt")"
passed "a closed pipe is no error"
mv onnxruntime.dll away.dll
tilelens photo hand.jpg >"$work/missing.txt" 2>&1 || true
grep -q "onnxruntime.dll beside the program" "$work/missing.txt" || failed "without its library: $(cat "$work/missing.txt")"
passed "without ONNX Runtime it says where to put it"
cd "$root"
