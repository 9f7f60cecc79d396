#!/usr/bin/env bash
# OBS 29.0.2 (Debian 12) with obs-websocket 5.1.0: a source that is switched on in studio mode.
#
# Expected: `SetSceneItemEnabled` on the scene that is on air shows the source to viewers at once, in studio mode too, as
#   it does without; `GetSceneItemEnabled` then says true.
# Actual: it says true, and viewers still see the scene as it was. In studio mode OBS sends out a copy of the scene (*Duplicate
#   Scene*, on by default), which is made when the scene is switched to. `SetCurrentProgramScene` with the scene that is on air
#   already makes a new copy, with the source. It also puts that scene in the preview.
# Effect here: `--obs-on confirmed=show:Table/Score` is answered with success and nobody sees a score. In studio mode it
#   has to be followed by `--obs-on confirmed=scene:Table`.
set -euo pipefail

for program in obs Xvfb ffmpeg; do
    command -v $program >/dev/null || { apt-get update -q && apt-get install -y -q obs-studio xvfb ffmpeg; } >/dev/null
done
version=$(obs --version)
echo "$version"
[[ $version == "OBS Studio - 29.0.2"* ]] || { echo "not version 29.0.2" >&2; exit 1; }

folder=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check obsws-python==1.7.0 websocket-client==1.9.2

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir -p home/.config/obs-studio
cat >home/.config/obs-studio/global.ini <<INI
[General]
FirstRun=true
EnableAutoUpdates=false

[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort=$port
AuthRequired=false
INI
Xvfb -displayfd 3 -screen 0 1024x768x24 3>display 2>/dev/null &
started+=($!)
until [ -s display ]; do sleep 0.2; done
HOME=$folder/home XDG_CONFIG_HOME=$folder/home/.config DISPLAY=:$(cat display) obs --multi >log 2>&1 &
started+=($!)
for _ in $(seq 120); do
    ! grep -qs 'Server started successfully' log || break
    sleep 0.5
done

cat >look.py <<'PYTHON'
import subprocess
import sys
import time

import obsws_python

obs = obsws_python.ReqClient(host="127.0.0.1", port=int(sys.argv[1]), timeout=30)
# Small, as the machine may have no graphics card.
obs.set_video_settings(10, 1, 320, 180, 320, 180)


def source(scene, name, colour, is_on=True):
    settings = {"color": colour, "width": 320, "height": 180}
    obs.create_input(scene, name, "color_source_v3", settings, is_on)


for scene in ["Table", "Other"]:
    obs.create_scene(scene)
source("Table", "Ground", 0xFF0000FF)
source("Table", "Score", 0xFF00FF00, False)
source("Other", "Sky", 0xFFFF0000)
item = obs.get_scene_item_id("Table", "Score").scene_item_id


def viewers_see():
    """The colour of the last frame of a recording."""
    time.sleep(1)
    obs.start_record()
    time.sleep(3)
    path = obs.stop_record().output_path
    time.sleep(2)
    command = ["ffmpeg", "-v", "error", "-i", path, "-vf", "crop=2:2:40:40", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    last = subprocess.run(command, capture_output=True, check=False).stdout[-3:]
    return ["red", "green", "blue"][last.index(max(last))]


def score(is_on):
    obs.set_scene_item_enabled("Table", item, is_on)
    assert obs.get_scene_item_enabled("Table", item).scene_item_enabled == is_on


def expect(when, colour):
    seen = viewers_see()
    print(f"{when}: {seen}")
    assert seen == colour, colour


obs.set_current_program_scene("Table")
expect("the source is off", "red")
score(True)
expect("it is on", "green")
score(False)
obs.set_studio_mode_enabled(True)
obs.set_current_preview_scene("Other")
expect("studio mode, the source is off", "red")
score(True)
expect("studio mode, it is on", "red")
obs.set_current_program_scene("Table")
expect("studio mode, switched to the scene that was on air", "green")
assert obs.get_current_preview_scene().current_preview_scene_name == "Table"
PYTHON
venv/bin/python look.py "$port"
