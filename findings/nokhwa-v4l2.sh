#!/usr/bin/env bash
# nokhwa 0.10.11 (with nokhwa-bindings-linux 0.1.4), the camera library: cameras of Linux that offer MJPEG.
#
# Expected: opening a camera with a format, MJPEG, sets that format, whatever was set before; a rate of 30000/1001 frames a second
#   is listed; a camera that takes sizes in steps has some sizes of the range listed.
# Actual:
#   - V4L2 keeps the last program's format after it has closed the camera. If nokhwa does not know that format (H.264, UYVY,
#     JPEG), `Camera::new` fails: it reads the present format before it sets its own.
#   - The same happens if the present rate is no whole number, even if that is the only rate; such rates are not listed.
#   - For a camera that takes any size and rate within a range it lists no mode at all.
# Effect here: ordinary webcams and capture cards were refused, some only after another program had used them. On Linux the program
#   uses V4L2 directly, through the crate on which nokhwa is built.
#
# Most machines that run this script have no camera: the library that our tests preload replaces the driver.
set -euo pipefail

command -v cc >/dev/null || { apt-get update -q && apt-get install -y -q build-essential; } >/dev/null
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cc -O1 -shared -fPIC -o camera.so "$here/tests/camera/fake_camera.c" -ldl -lpthread
mkdir -p try/src
cat >try/Cargo.toml <<'TOML'
[package]
name = "try"
version = "0.1.0"
edition = "2021"

[dependencies]
nokhwa = { version = "=0.10.11", default-features = false, features = ["input-native"] }
nokhwa-bindings-linux = "=0.1.4"
nokhwa-core = "=0.1.9"
v4l = "=0.14.0"
TOML
cat >try/src/main.rs <<'RUST'
use nokhwa::{utils::{CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType}, Camera};

fn main() {
    let wanted = [FrameFormat::MJPEG, FrameFormat::YUYV];
    let request = RequestedFormat::with_formats(RequestedFormatType::None, &wanted);
    match Camera::new(CameraIndex::Index(0), request) {
        Ok(mut camera) => {
            let mut sizes: Vec<_> = camera.compatible_camera_formats().unwrap().iter()
                .map(|format| format.resolution().to_string()).collect();
            sizes.dedup();
            println!("opened: {}", sizes.join(" "));
        }
        Err(error) => println!("refused: {error}"),
    }
}
RUST
cargo build -q --manifest-path try/Cargo.toml

seen() {
    printf '%s\nstate run\n' "$1" >settings
    LD_PRELOAD=$folder/camera.so FAKE_CAMERA=$folder/settings try/target/debug/try
}

plain=$(seen $'mode MJPG 640x480@30')
left=$(seen $'mode MJPG 640x480@30\nmode H264 640x480@30\nnow H264 640x480@30')
television=$(seen $'mode MJPG 640x480@30000/1001')
steps=$(seen $'range YUYV 160x120-1920x1080+8\nnow YUYV 160x120@30')
printf '%s\n' "MJPEG at 30: $plain" "left in H.264: $left" "MJPEG at 30000/1001: $television" "in steps of 8: $steps"
[[ $plain == "opened: 640x480" ]]
[[ $left == refused:*FrameFormat*unsupported* ]]
[[ $television == refused:* ]]
[[ $steps == "opened: " ]]
