#!/usr/bin/env bash
# Chromium and a picture of type multipart/x-mixed-replace, as cameras and servers of motion JPEG send it.
#
# Expected: a part that says its length (Content-Length) is shown as soon as its last byte is there, or at the latest once the
#   boundary after it has arrived.
# Actual: neither the length nor the boundary ends a part. It is shown once the head of the NEXT part has arrived, up to the
#   empty line. A server that writes boundary, head and picture together shows each picture only when the next one comes,
#   and a stream of one picture shows nothing.
# Effect here: the preview of a photo or of a folder, which sends one picture and then waits, stayed black. The boundary and
#   the next head are sent right after each picture (src/server/preview.rs).
#
# Exits non-zero once less, or more, than the next head is needed.
set -euo pipefail
command -v chromium >/dev/null || { apt-get update -q && apt-get install -y -q chromium; } >/dev/null
chromium --version
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder" <<'PYTHON'
import base64, http.server, subprocess, sys, threading, time

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
HEAD = b"Content-Type: image/png\r\nContent-Length: %d\r\n\r\n" % len(PICTURE)
AFTER = {"/part": b"", "/boundary": b"--next\r\n", "/head": b"--next\r\n" + HEAD}
PAGE = b"""<img id=part src=/part><img id=boundary src=/boundary><img id=head src=/head><script>
setTimeout(() => {
  const shown = [...document.images].filter((picture) => picture.naturalWidth > 0);
  fetch('/shown?' + shown.map((picture) => picture.id));
}, 3000);
</script>"""
answer, end = [], threading.Event()

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        if self.path in AFTER:
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
            self.end_headers()
            self.wfile.write(b"--next\r\n" + HEAD + PICTURE + b"\r\n" + AFTER[self.path])
            self.wfile.flush()
            end.wait(20)
            return
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.path.startswith("/shown"):
            answer.append(self.path.partition("?")[2])
            end.set()
        else:
            self.wfile.write(PAGE)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
browser = subprocess.Popen(
    ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={sys.argv[1]}",
     "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/"],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
end.wait(40)
browser.terminate()
browser.wait()
shown = answer[0].split(",") if answer else None
print("shown after three seconds:", shown, "of part, boundary, head")
sys.exit(shown != ["head"])
PYTHON
