#!/usr/bin/env bash
# ffmpeg 5.1 (Debian 12): a stream of JPEGs over HTTP whose parts have another type than exactly `image/jpeg`.
#
# Expected: the stream is `multipart/x-mixed-replace`, and a part's first bytes show its type. The demuxer's option
#   `strict_mime_boundary` is off by default, so it is lenient: a part of type `image/jpg`, which many cameras send, or of no type,
#   which the format allows, is decoded, as browsers do.
# Actual: the first such part ends the stream without a picture ("Unexpected Content-Type : image/jpg", or "Expected boundary
#   '--' not found" if the line is missing). No option changes that. The bare demuxer (`-f mjpeg`) reads the same stream.
# Effect here: such cameras showed nothing. The program now requests the stream again as bare JPEGs.
set -euo pipefail

command -v ffmpeg >/dev/null || { apt-get update -q && apt-get install -y -q ffmpeg; } >/dev/null
command -v python3 >/dev/null || apt-get install -y -q python3 >/dev/null
version=$(ffmpeg -version | head -n 1)
echo "$version"
[[ $version == "ffmpeg version 5.1."* ]] || { echo "not version 5.1" >&2; exit 1; }

folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=25 -frames:v 1 a.jpg

cat >server.py <<'PYTHON'
import http.server, urllib.parse
JPEG = open("a.jpg", "rb").read()
class Stream(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        type = urllib.parse.unquote(self.path[1:])
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        line = f"Content-Type: {type}\r\n" if type else ""
        for _ in range(20):
            head = f"--frame\r\n{line}Content-Length: {len(JPEG)}\r\n\r\n"
            self.wfile.write(head.encode() + JPEG + b"\r\n")
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stream)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 server.py >port 2>/dev/null &
server=$!
until [[ -s port ]]; do sleep 0.1; done

# The number of pictures from a stream with parts of this type, with these options.
pictures() {
    local type=$1
    shift
    ffmpeg -nostdin -v error "$@" -i "http://127.0.0.1:$(cat port)/$type" -f framecrc - 2>messages |
        grep -vc '^#' || true
}

proper=$(pictures image%2Fjpeg)
jpg=$(pictures image%2Fjpg)
echo "   $(grep -m 1 Unexpected messages)"
none=$(pictures "")
lenient=$(pictures image%2Fjpg -strict_mime_boundary 0)
bare=$(pictures image%2Fjpg -f mjpeg)
echo "image/jpeg: $proper pictures; image/jpg: $jpg; no type: $none; image/jpg and lenient: $lenient"
echo "image/jpg as bare JPEGs: $bare"
((proper >= 20 && jpg == 0 && none == 0 && lenient == 0 && bare >= 20))
