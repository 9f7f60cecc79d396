#!/usr/bin/env bash
# Scenes of a real OBS follow the table: `tests/soak/obs.sh PROGRAM`. Installs OBS and a display for it where they are missing
# (Debian, as root), and asks OBS itself which scene is on air and what of it is on.
set -euo pipefail
program=$(realpath "${1:-target/release/tilelens}")
picture=$(realpath "$(dirname "$0")/../../datasets/photos/tables/row-sorted.jpg")
for needed in obs Xvfb; do
  command -v $needed >/dev/null || { apt-get update -q && apt-get install -y -q obs-studio xvfb; } >/dev/null
done
obs --version

folder=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check obsws-python==1.7.0 websocket-client==1.9.2
cat >try.py <<'PYTHON'
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import obsws_python

program, picture = sys.argv[1:]
home = pathlib.Path.cwd()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
settings = home / ".config/obs-studio/global.ini"
settings.parent.mkdir(parents=True)
settings.write_text(
    "[General]\nFirstRun=true\nEnableAutoUpdates=false\n\n[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\n"
    f"ServerPort={port}\nAuthRequired=true\nServerPassword=kept by OBS\n"
)


def until(what, holds, seconds=60):
    began = time.monotonic()
    while not holds():
        assert time.monotonic() < began + seconds, f"never: {what}"
        time.sleep(0.05)
    print(f"{what}: {time.monotonic() - began:.2f} s", flush=True)


def start_obs():
    log = open("obs.log", "w")
    child = subprocess.Popen(
        ["obs", "--multi"], env={**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}, stdout=log, stderr=log
    )
    until("OBS listens", lambda: "Server started successfully" in pathlib.Path("obs.log").read_text())
    return child, obsws_python.ReqClient(host="127.0.0.1", port=port, password="kept by OBS", timeout=30)


def tilelens(password):
    cues = ["settled=scene:Close-up", "confirmed=show:Table/Score", "confirmed=scene:Table", "next=hide:Table/Score", "next=scene:Wide shot"]
    words = [program, "serve", "--port", "0", "--obs", f"ws://127.0.0.1:{port}"] + [word for cue in cues for word in ("--obs-on", cue)]
    child = subprocess.Popen(words, env={**os.environ, "TILELENS_OBS_PASSWORD": password}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in child.stdout:
        if "http://" in line and "/control" in line:
            return child, "http://" + line.split("http://")[1].split("/control")[0] + "/"
    raise SystemExit("tilelens did not start")


def asked(address, path, words=None, data=None):
    body = data if data is not None else None if words is None else json.dumps(words).encode()
    kind = "image/jpeg" if data is not None else "application/json"
    request = urllib.request.Request(address + path, body, {"Content-Type": kind})
    return json.load(urllib.request.urlopen(request, timeout=120))


def stop(child, how=signal.SIGTERM):
    child.send_signal(how)
    child.wait()


obs_child, obs = start_obs()
try:
    for scene in ["Table", "Close-up", "Wide shot"]:
        obs.create_scene(scene)
    obs.create_input("Table", "Score", "color_source_v3", {"color": 0xFF00FF00, "width": 400, "height": 200}, False)
    obs.set_current_program_scene("Wide shot")
    item = obs.get_scene_item_id("Table", "Score").scene_item_id
    on_air = lambda: obs.get_current_program_scene().current_program_scene_name
    score = lambda: obs.get_scene_item_enabled("Table", item).scene_item_enabled

    child, address = tilelens("another")
    about = lambda: asked(address, "api/state").get("obs") or {}
    until("a wrong password is said", lambda: "TILELENS_OBS_PASSWORD" in about().get("why", ""))
    stop(child)

    child, address = tilelens("kept by OBS")
    until("connected", lambda: about().get("state") == "connected")
    assert (on_air(), score()) == ("Wide shot", False)
    for turn in [1, 2]:
        photo = asked(address, "api/photo", data=pathlib.Path(picture).read_bytes())["photo"]
        asked(address, f"api/photo/{photo}/show", {})
        until(f"{turn}: settled, Close-up", lambda: on_air() == "Close-up")
        asked(address, "api/context", {"win": "self_draw"})
        asked(address, "api/confirm", {})
        until(f"{turn}: confirmed, Table with its score", lambda: on_air() == "Table" and score())
        asked(address, "api/next", {})
        until(f"{turn}: next, Wide shot and no score", lambda: on_air() == "Wide shot" and not score())
        if turn == 1:
            stop(obs_child, signal.SIGTERM)
            until("OBS is gone, and that is said", lambda: about().get("state") == "lost")
            obs_child, obs = start_obs()
            until("connected again", lambda: about().get("state") == "connected")
            on_air_kept = on_air()
            print(f"OBS came back with {on_air_kept} on air")
    stop(child)
finally:
    stop(obs_child)
PYTHON
Xvfb -displayfd 3 -screen 0 1024x768x24 3>display 2>/dev/null &
started+=($!)
until [ -s display ]; do sleep 0.2; done
DISPLAY=:$(cat display) venv/bin/python try.py "$program" "$picture"
