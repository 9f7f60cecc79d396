//! What `ffmpeg` says about the cameras of DirectShow (libavdevice/dshow.c).

use crate::capture::camera::{Encoding, Mode, Rate};

/// A camera by its names.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::capture) struct DirectShowCamera {
    pub name: String,
    /// A name that no other camera has; two of one make share the other.
    own: Option<String>,
}

impl DirectShowCamera {
    /// Its name as an input.
    pub fn input(&self) -> String {
        format!("video={}", self.own.as_ref().unwrap_or(&self.name))
    }
}

/// The cameras in the answer to `-list_devices true`: names in quotes with what they give. It says that virtual cameras
/// give nothing.
pub(in crate::capture) fn cameras(said: &str) -> Vec<DirectShowCamera> {
    let mut cameras: Vec<DirectShowCamera> = Vec::new();
    let mut is_camera = false;
    for line in said.lines() {
        let Some((before, quoted)) = line.split_once('"') else { continue };
        let Some((name, after)) = quoted.rsplit_once('"') else { continue };
        if before.trim_end().ends_with("Alternative name") {
            if let Some(camera) = cameras.last_mut().filter(|_| is_camera) {
                camera.own = Some(name.to_owned());
            }
            continue;
        }
        is_camera = after.contains("video") || after.contains("none");
        if is_camera {
            cameras.push(DirectShowCamera { name: name.to_owned(), own: None });
        }
    }
    cameras
}

/// The modes in the answer to `-list_options true`: of a range the largest size and the highest rate.
pub(in crate::capture) fn modes(said: &str) -> Vec<Mode> {
    said.lines().filter_map(mode).collect()
}

fn mode(line: &str) -> Option<Mode> {
    let after = |text: &'_ str, key: &str| -> Option<String> {
        Some(text.split_once(key)?.1.split_whitespace().next()?.to_owned())
    };
    let named = after(line, "vcodec=").or_else(|| after(line, "pixel_format="))?;
    let encoding = Encoding::of_ffmpeg(&named)?;
    let (_, most) = line.split_once(" max ")?;
    let size = after(most, "s=")?;
    let (width, height) = size.split_once('x')?;
    let fps: f64 = after(most, "fps=")?.parse().ok()?;
    // Six digits are printed: 29.97 is 30000 in 1001 seconds, to a thousandth.
    let fps = Rate::new((1000.0 * fps).round() as u32, 1000);
    Some(Mode { encoding, width: width.parse().ok()?, height: height.parse().ok()?, fps })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICES: &str = r#"[dshow @ 0000020b] "USB Camera" (video)
[dshow @ 0000020b]   Alternative name "@device_pnp_\\?\usb#vid_046d&pid_0825#6&1"
[dshow @ 0000020b] "USB Camera" (video)
[dshow @ 0000020b]   Alternative name "@device_pnp_\\?\usb#vid_046d&pid_0825#6&2"
[dshow @ 0000020b] "OBS Virtual Camera" (none)
[dshow @ 0000020b]   Alternative name "@device_sw_{860BB310}\{A3FCE0F5}"
[dshow @ 0000020b] "Microphone (USB Camera)" (audio)
[dshow @ 0000020b]   Alternative name "@device_cm_{33D9A762}\wave"
dummy: Immediate exit requested"#;

    #[test]
    fn cameras_of_one_make_and_virtual_ones_differ() {
        let cameras = cameras(DEVICES);
        let names: Vec<_> = cameras.iter().map(|camera| camera.name.as_str()).collect();
        assert_eq!(names, ["USB Camera", "USB Camera", "OBS Virtual Camera"]);
        assert_ne!(cameras[0].input(), cameras[1].input());
        assert!(cameras[2].input().starts_with("video=@device_sw_"));
        let none = "[dshow @ 0] Could not enumerate video devices (or none found).";
        assert_eq!(super::cameras(none), []);
    }

    #[test]
    fn modes_are_the_best_of_each_range() {
        let said = r#"[dshow @ 0] DirectShow video device options (from video devices)
[dshow @ 0]  Pin "Capture" (alternative pin name "0")
[dshow @ 0]   vcodec=mjpeg  min s=1920x1080 fps=5 max s=1920x1080 fps=30
[dshow @ 0]   pixel_format=yuyv422  min s=640x480 fps=5 max s=640x480 fps=29.97 (tv, bt470bg, left)
[dshow @ 0]   pixel_format=p010le  min s=640x480 fps=5 max s=640x480 fps=30
[dshow @ 0]   vcodec=mjpeg  min s=640x480 fps=5"#;
        let modes = modes(said);
        let texts: Vec<String> =
            modes.iter().map(|m| format!("{}x{}", m.width, m.height)).collect();
        assert_eq!(texts, ["1920x1080", "640x480"]);
        assert_eq!((modes[0].encoding, modes[1].encoding), (Encoding::MJPEG, Encoding::YUYV));
        assert_eq!(modes[0].fps.map(Rate::rounded), Some(30));
        assert_eq!(modes[1].fps.map(|rate| rate.to_string()), Some("29.97".to_owned()));
    }
}
