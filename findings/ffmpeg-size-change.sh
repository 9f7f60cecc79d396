#!/usr/bin/env bash
# ffmpeg 5.1 (Debian 12): a video that changes its size in the middle, piped as PPM pictures.
#
# Expected: each PPM picture has its own header with its size, so each has the size in which it was sent.
# Actual: every picture has the size of the first one. A scaler is inserted without a message and squeezes the others into it,
#   whatever their shape. Without it (`-noautoscale`), only bare pixels (`-c:v rawvideo`) follow the change; encoders of picture
#   formats keep the first size. Bare pixels do not carry their size.
# Effect here: a stream from a rotated or reconfigured camera showed distorted tiles. Two `pad` filters now draw a frame of two
#   colours around each picture, from which the program reads its size.
set -euo pipefail

command -v ffmpeg >/dev/null || { apt-get update -q && apt-get install -y -q ffmpeg; } >/dev/null
version=$(ffmpeg -version | head -n 1)
echo "$version"
[[ $version == "ffmpeg version 5.1."* ]] || { echo "not version 5.1" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
make() { ffmpeg -v error -f lavfi -i "testsrc=size=$1:rate=25:duration=1" -pix_fmt yuv420p -f h264 "$2"; }
make 320x160 wide.h264
make 160x320 high.h264
cat wide.h264 high.h264 >both.h264

ffmpeg -nostdin -v warning -i both.h264 -fps_mode passthrough -c:v ppm p%02d.ppm 2>messages
sizes=$(for picture in p*.ppm; do head -n 2 "$picture" | tail -n 1; done | sort | uniq -c | awk '{print $1, $2, $3}')
echo "PPM: ${sizes/ / pictures of }"
echo "lines of messages: $(wc -l <messages)"

# Bytes of each picture: 320 x 160 and 160 x 320 have the same number, so a row is added to distinguish them.
bytes=$(ffmpeg -nostdin -v error -i both.h264 -fps_mode passthrough -noautoscale \
    -vf format=rgb24,pad=iw:ih+1 -c:v rawvideo -f framecrc - | grep -v '^#' | cut -d , -f 5 | sort -n | uniq -c)
echo "bare pixels, not scaled, with one more row: bytes of each picture"
echo "$bytes"
[[ $sizes == "50 320 160" && ! -s messages ]]
[[ $(awk '{print $1, $2}' <<<"$bytes" | tr '\n' ';') == "25 $((3 * 160 * 321));25 $((3 * 320 * 161));" ]]
