//! Sources as text: `camera:0`, `match.mp4`, `rtsp://…`, `screen:`, a folder.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::Address;

/// A source of frames, parsed from text; see `docs/live.md` for the forms.
///
/// ```
/// use tilelens_eye::capture::SourceSpec;
/// let spec: SourceSpec = "camera:0?size=1280x720&fps=30".parse().unwrap();
/// assert_eq!(spec.to_string(), "camera:0?size=1280x720&fps=30");
/// assert!("camera:front".parse::<SourceSpec>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSpec {
    /// A camera of this machine.
    Camera(CameraWish),
    /// A video file, shown at its own pace.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether it restarts at its end.
        again: bool,
    },
    /// An RTSP, HTTP or other network stream, by its address.
    Stream(Address),
    /// The picture on a screen.
    Screen(ScreenWish),
    /// A folder: its newest picture, then each new one.
    Folder(PathBuf),
}

/// A camera and the wishes for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameraWish {
    /// The number of the device: 0 for `/dev/video0`.
    pub index: u32,
    /// Pixels across and down; `None` for the best that can be read live.
    pub size: Option<[u32; 2]>,
    /// Frames a second.
    pub fps: Option<u32>,
}

/// A screen, and the part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenWish {
    /// The display, as `:0`; `None` for the session's own.
    pub display: Option<String>,
    /// Pixels across and down; `None` for the whole screen.
    pub size: Option<[u32; 2]>,
    /// Left and top of the part.
    pub at: [u32; 2],
    /// Frames a second; `None` for 30.
    pub fps: Option<u32>,
}

/// Wishes for a source besides its name: `--size`, `--fps` and `--loop`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Pixels across and down, of a camera or a part of the screen.
    pub size: Option<[u32; 2]>,
    /// Frames a second, of a camera or the screen.
    pub fps: Option<u32>,
    /// Whether a video file restarts at its end.
    pub again: bool,
}

/// Why a text is not a source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing was given.
    #[error(
        "no source: give camera:0, a video file, an rtsp:// or http:// address, screen: or a folder"
    )]
    Empty,
    /// `camera:` without a number or device.
    #[error(
        "`{0}` is not a camera: write camera:0 or camera:/dev/video0 (`tilelens cameras` lists them)"
    )]
    Camera(String),
    /// An option after `?` that this kind of source does not have, or a value that is invalid for it.
    #[error("`{option}` is not an option of {kind}: write {forms}")]
    Option {
        /// The text of the option.
        option: String,
        /// The kind of source.
        kind: &'static str,
        /// The valid forms.
        forms: &'static str,
    },
    /// The source's name and an option contradict each other.
    #[error("{source_name} and {option} contradict each other: give one of them")]
    Contradiction {
        /// The source's name.
        source_name: String,
        /// The contradicting option.
        option: String,
    },
    /// The scheme is not supported.
    #[error(
        "`{0}` is not a supported address: give rtsp, rtsps, http, https, rtmp, srt, udp or tcp"
    )]
    Scheme(String),
    /// There is no such file or folder.
    #[error("there is no file or folder {0}")]
    Missing(PathBuf),
}

const SCHEMES: [&str; 9] = ["rtsp", "rtsps", "http", "https", "rtmp", "rtmps", "srt", "udp", "tcp"];
const CAMERA_OPTIONS: &str = "camera:0?size=1280x720&fps=30";
const SCREEN_OPTIONS: &str = "screen::0?size=1280x720&at=100,50&fps=30";
/// Largest side in pixels that is accepted: larger ones are typing errors.
const MOST_SIDE: u32 = 16_384;
/// Highest rate, in frames a second, that is accepted.
const MOST_FPS: u32 = 240;

impl FromStr for SourceSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(SpecError::Empty);
        }
        let after = |kind: &str| {
            let (start, rest) = text.split_at_checked(kind.len())?;
            start.eq_ignore_ascii_case(kind).then_some(rest)
        };
        if let Some(rest) = after("camera:") {
            return camera(rest).map(Self::Camera);
        }
        if let Some(rest) = after("screen:") {
            return screen(rest).map(Self::Screen);
        }
        if let Some((scheme, _)) = text.split_once("://") {
            let (scheme, rest) = (scheme.to_ascii_lowercase(), &text[scheme.len()..]);
            return match SCHEMES.contains(&scheme.as_str()) {
                // `ffmpeg` knows schemes in small letters only.
                true => Ok(Self::Stream(Address::new(&format!("{scheme}{rest}")))),
                false => Err(SpecError::Scheme(scheme)),
            };
        }
        local(text)
    }
}

impl SourceSpec {
    /// Adds wishes to those of its name, if this kind of source supports them. Returns the others.
    ///
    /// # Errors
    /// The name contradicts a wish.
    pub fn ask(&mut self, wishes: &Wishes) -> Result<Wishes, SpecError> {
        let source_name = self.to_string();
        let (size, fps) = match self {
            Self::Camera(wish) => (&mut wish.size, &mut wish.fps),
            Self::Screen(wish) => (&mut wish.size, &mut wish.fps),
            Self::File { again, .. } => {
                *again |= wishes.again;
                return Ok(Wishes { again: false, ..*wishes });
            }
            Self::Stream(_) | Self::Folder(_) => return Ok(*wishes),
        };
        let contradiction =
            |option| SpecError::Contradiction { source_name: source_name.clone(), option };
        if let Some([width, height]) = wishes.size
            && *size.get_or_insert([width, height]) != [width, height]
        {
            return Err(contradiction(format!("--size {width}x{height}")));
        }
        if let Some(wanted) = wishes.fps
            && *fps.get_or_insert(wanted) != wanted
        {
            return Err(contradiction(format!("--fps {wanted}")));
        }
        Ok(Wishes { again: wishes.again, ..Wishes::default() })
    }
}

/// A file or a folder. A name that ends in `?loop` is a file's own name if such a file exists.
fn local(text: &str) -> Result<SourceSpec, SpecError> {
    let path = Path::new(text);
    if path.is_dir() {
        return Ok(SourceSpec::Folder(path.to_owned()));
    }
    if path.exists() {
        return Ok(SourceSpec::File { path: path.to_owned(), again: false });
    }
    match text.rsplit_once('?') {
        Some((name, "loop")) if Path::new(name).is_file() => {
            Ok(SourceSpec::File { path: name.into(), again: true })
        }
        Some((name, option)) if Path::new(name).is_file() => Err(SpecError::Option {
            option: option.to_owned(),
            kind: "a video file",
            forms: "FILE?loop",
        }),
        _ => Err(SpecError::Missing(path.to_owned())),
    }
}

fn camera(text: &str) -> Result<CameraWish, SpecError> {
    let (device, options) = text.split_once('?').unwrap_or((text, ""));
    let index = device_index(device).ok_or_else(|| SpecError::Camera(device.to_owned()))?;
    let mut wish = CameraWish { index, size: None, fps: None };
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let fits = match option.split_once('=') {
            Some(("size", value)) => set(&mut wish.size, parse_size(value)),
            Some(("fps", value)) => set(&mut wish.fps, parse_rate(value)),
            _ => false,
        };
        if !fits {
            return Err(SpecError::Option {
                option: option.to_owned(),
                kind: "a camera",
                forms: CAMERA_OPTIONS,
            });
        }
    }
    Ok(wish)
}

/// `0`, `/dev/video0`, or a link to it such as those in `/dev/v4l/by-id`.
fn device_index(device: &str) -> Option<u32> {
    if let Some(number) = device.strip_prefix("/dev/video") {
        return number.parse().ok();
    }
    if device.starts_with('/') {
        let target = std::fs::canonicalize(device).ok()?;
        return target.to_str()?.strip_prefix("/dev/video")?.parse().ok();
    }
    device.parse().ok()
}

fn screen(text: &str) -> Result<ScreenWish, SpecError> {
    let (display, options) = text.split_once('?').unwrap_or((text, ""));
    let display = (!display.is_empty()).then(|| display.to_owned());
    let mut wish = ScreenWish { display, size: None, at: [0, 0], fps: None };
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let fits = match option.split_once('=') {
            Some(("size", value)) => set(&mut wish.size, parse_size(value)),
            Some(("at", value)) => place(value).map(|at| wish.at = at).is_some(),
            Some(("fps", value)) => set(&mut wish.fps, parse_rate(value)),
            _ => false,
        };
        if !fits {
            return Err(SpecError::Option {
                option: option.to_owned(),
                kind: "a screen",
                forms: SCREEN_OPTIONS,
            });
        }
    }
    Ok(wish)
}

fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    *field = value;
    field.is_some()
}

/// A size as text, `1280x720`: pixels across and down.
#[must_use]
pub fn parse_size(text: &str) -> Option<[u32; 2]> {
    let (width, height) = text.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| (32..=MOST_SIDE).contains(side));
    Some([side(width)?, side(height)?])
}

fn place(text: &str) -> Option<[u32; 2]> {
    let (x, y) = text.split_once(',')?;
    let side = |text: &str| text.parse().ok().filter(|side| *side <= MOST_SIDE);
    Some([side(x)?, side(y)?])
}

/// A rate as text: whole frames a second.
#[must_use]
pub fn parse_rate(text: &str) -> Option<u32> {
    text.parse().ok().filter(|fps| (1..=MOST_FPS).contains(fps))
}

impl SourceSpec {
    /// A text without the secrets of the source's address, if any: all text shown about a source passes here.
    #[must_use]
    pub fn mask(&self, text: &str) -> String {
        match self {
            Self::Stream(address) => address.mask(text),
            Self::Camera(_) | Self::File { .. } | Self::Screen(_) | Self::Folder(_) => {
                text.to_owned()
            }
        }
    }
}

impl fmt::Display for SourceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera(wish) => {
                let size = wish.size.map(|[w, h]| format!("size={w}x{h}"));
                let fps = wish.fps.map(|fps| format!("fps={fps}"));
                write!(f, "camera:{}{}", wish.index, options(&[size, fps]))
            }
            Self::File { path, again } => {
                write!(f, "{}{}", path.display(), if *again { "?loop" } else { "" })
            }
            Self::Stream(address) => address.fmt(f),
            Self::Screen(wish) => {
                let display = wish.display.as_deref().unwrap_or_default();
                let size = wish.size.map(|[w, h]| format!("size={w}x{h}"));
                let at = (wish.at != [0, 0]).then(|| format!("at={},{}", wish.at[0], wish.at[1]));
                let fps = wish.fps.map(|fps| format!("fps={fps}"));
                write!(f, "screen:{display}{}", options(&[size, at, fps]))
            }
            Self::Folder(path) => path.display().fmt(f),
        }
    }
}

fn options(given: &[Option<String>]) -> String {
    let given: Vec<&str> = given.iter().flatten().map(String::as_str).collect();
    if given.is_empty() { String::new() } else { format!("?{}", given.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<SourceSpec, SpecError> {
        text.parse()
    }

    #[test]
    fn cameras_are_named_by_number_or_device() {
        let plain = SourceSpec::Camera(CameraWish { index: 0, size: None, fps: None });
        assert_eq!(spec("camera:0"), Ok(plain.clone()));
        assert_eq!(spec(" camera:/dev/video0 "), Ok(plain));
        let wish = CameraWish { index: 2, size: Some([1920, 1080]), fps: Some(60) };
        assert_eq!(spec("camera:/dev/video2?size=1920x1080&fps=60"), Ok(SourceSpec::Camera(wish)));
        for wrong in ["camera:", "camera:-1", "camera:front", "camera:/dev/video", "camera:/etc"] {
            assert!(matches!(spec(wrong), Err(SpecError::Camera(_))), "{wrong}");
        }
        for wrong in ["size=1280", "size=0x0", "fps=0", "fps=30.5", "fps", "loop", "size=9x99999"] {
            let error = spec(&format!("camera:0?{wrong}")).unwrap_err();
            assert!(error.to_string().contains("size=1280x720&fps=30"), "{wrong}: {error}");
        }
    }

    #[test]
    fn addresses_keep_their_own_question_marks() {
        let address = "http://10.0.0.7:8080/video?channel=1&loop";
        assert_eq!(spec(address), Ok(SourceSpec::Stream(Address::new(address))));
        assert_eq!(spec("gopher://x/y"), Err(SpecError::Scheme("gopher".to_owned())));
    }

    #[test]
    fn schemes_may_be_written_in_capitals() {
        let shown = |address: &str| spec(address).unwrap().to_string();
        assert_eq!(shown("Camera:1"), "camera:1");
        assert_eq!(shown("RTSP://Cam/Live"), "rtsp://Cam/Live");
        assert_eq!(shown("Http://Cam/A?b=HTTP://x"), "http://Cam/A?b=HTTP://x");
    }

    #[test]
    fn a_password_is_not_shown() {
        let address = spec("rtsp://me:secret@cam/live?a=@b").unwrap();
        assert_eq!(address.to_string(), "rtsp://…@cam/live?a=@b");
        assert!(!format!("{address:?}").contains("secret"));
        assert_eq!(spec("rtsp://cam/live@home").unwrap().to_string(), "rtsp://cam/live@home");
    }

    #[test]
    fn a_file_may_be_shown_again_and_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mp4");
        let name = path.to_str().unwrap();
        assert_eq!(spec(name), Err(SpecError::Missing(path.clone())));
        std::fs::write(&path, b"").unwrap();
        assert_eq!(spec(name), Ok(SourceSpec::File { path: path.clone(), again: false }));
        let again = spec(&format!("{name}?loop"));
        assert_eq!(again, Ok(SourceSpec::File { path: path.clone(), again: true }));
        assert!(matches!(spec(&format!("{name}?fps=3")), Err(SpecError::Option { .. })));
        let inside = folder.path().to_str().unwrap();
        assert_eq!(spec(inside), Ok(SourceSpec::Folder(folder.path().to_owned())));
    }

    proptest::proptest! {
        #[test]
        fn what_is_printed_is_read_again(
            index in 0u32..100,
            size in proptest::option::of([32u32..5000, 32u32..5000]),
            fps in proptest::option::of(1u32..240),
            text: String,
        ) {
            let camera = SourceSpec::Camera(CameraWish { index, size, fps });
            proptest::prop_assert_eq!(spec(&camera.to_string()), Ok(camera));
            // Every text is a source or gives an error.
            let _ = (spec(&text), spec(&format!("camera:{text}")), spec(&format!("screen:{text}")));
        }
    }

    #[test]
    fn screens_have_parts() {
        let wish = ScreenWish {
            display: Some(":1".to_owned()),
            size: Some([640, 480]),
            at: [10, 20],
            fps: Some(15),
        };
        let text = "screen::1?size=640x480&at=10,20&fps=15";
        assert_eq!(spec(text), Ok(SourceSpec::Screen(wish)));
        assert_eq!(spec(text).unwrap().to_string(), text);
        assert_eq!(spec("screen:").unwrap().to_string(), "screen:");
        assert!(spec("screen:?at=10").is_err());
    }
}
