#!/usr/bin/env bash
# ffmpeg 5.1 (Debian 12): `-stream_loop` on videos without an index.
#
# Expected: `-stream_loop 2` shows any file three times, by reading it again from its start.
# Actual: the program seeks to the start by time. Bare H.264 has no times: it is shown once, with the message "Seek to start
#   failed" and exit code 0. An MPEG transport stream, which has times, lacks pictures in each further round. Matroska is complete
#   each time.
# Effect here: `x.h264?loop` was shown once. The program now starts ffmpeg again at the file's end.
set -euo pipefail

command -v ffmpeg >/dev/null || { apt-get update -q && apt-get install -y -q ffmpeg; } >/dev/null
version=$(ffmpeg -version | head -n 1)
echo "$version"
[[ $version == "ffmpeg version 5.1."* ]] || { echo "not version 5.1" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for name in a.mkv a.h264 a.ts; do
    codec=libx264
    [[ $name != a.ts ]] || codec=mpeg2video
    ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=25:duration=1 -pix_fmt yuv420p -c:v "$codec" "$name"
done

# The number of pictures when the file is repeated that many more times.
pictures() { ffmpeg -nostdin -v warning -stream_loop "$2" -i "$1" -f framecrc - 2>>messages | grep -vc '^#'; }

for name in a.mkv a.h264 a.ts; do
    echo "$name: once $(pictures $name 0), three times $(pictures $name 2)"
done | tee seen
grep -m 1 'Seek to start' messages
grep -qx 'a.mkv: once 25, three times 75' seen
grep -qx 'a.h264: once 25, three times 25' seen
grep -q 'a.ts: once 2[45], three times [45][0-9]$' seen
