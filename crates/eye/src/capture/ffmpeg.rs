//! Reads video files, network streams and screens through the `ffmpeg` program, by a pipe of pictures, so that a
//! decoder's crash does not end this program.
//!
//! The pictures come in the format of `framed`. `ffmpeg` itself skips or mends damaged data; every picture in the
//! pipe is whole and gives its own size.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{BufRead, BufReader, ErrorKind, Read},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    ScreenWish, Settings, SourceSpec, framed,
    newest::Newest,
    supervise::{End, finish},
};
use crate::picture::Picture;

/// The program, in PATH; on Windows beside this program too.
pub(super) const PROGRAM: &str = "ffmpeg";
/// Number of lines of its messages that are kept.
const LINES: usize = 4;
/// Characters of a line that are shown.
const LINE: usize = 300;
/// Bytes of a line that are read; the rest of a longer one is skipped.
const LONGEST_LINE: u64 = 16 << 10;
/// Interval of checking the clock.
const TICK: Duration = Duration::from_millis(50);
/// Time that a killed program's pipes may take to close.
const CLOSING: Duration = Duration::from_secs(2);

/// Interval of requests to an address that gives one picture each time.
const SNAPSHOT: Duration = Duration::from_secs(1);

/// Reads a source until it ends, fails, stalls, or the capture stops.
pub(super) fn attempt(spec: &SourceSpec, settings: &Settings, newest: &Arc<Newest>) -> End {
    let mut input = match input(spec) {
        Ok(input) => input,
        Err(why) => return End::Failed(why),
    };
    let name = spec.to_string();
    let mut refused = None;
    loop {
        let before = newest.frames();
        let run = run(&name, &input, settings, newest);
        let shown = newest.frames() - before;
        match (run, spec) {
            (Ok(_), SourceSpec::Stream(_) | SourceSpec::File { again: true, .. }) if shown == 1 => {
                if newest.pause(SNAPSHOT) {
                    return End::Stopped;
                }
            }
            // Not `-stream_loop`: bare H.264 cannot be rewound.
            (Ok(_), SourceSpec::File { again: true, .. }) if shown > 1 => {}
            (Ok(_), SourceSpec::File { .. }) if newest.frames() > 0 => return End::Ended,
            (Ok(said), _) => return End::Failed(format!("{name}: the stream has ended{said}")),
            // It requires each part of a stream of JPEGs to be labelled `image/jpeg`, and many cameras label it
            // otherwise or not at all. The bare JPEGs are found without a label.
            (Err(End::Failed(why)), SourceSpec::Stream(_))
                if shown == 0 && refused.is_none() && why.contains("mpjpeg") =>
            {
                input.splice(..0, ["-f", "mjpeg"].map(OsString::from));
                refused = Some(why);
            }
            (Err(End::Failed(why)), SourceSpec::Stream(address)) if shown == 0 => {
                if is_web_page(&settings.ffmpeg, address.typed()) {
                    return End::Failed(format!(
                        "{name} is a web page and no picture: give the address of the stream or the picture that the page \
                         shows, as in the camera's manual"
                    ));
                }
                return End::Failed(refused.unwrap_or(why));
            }
            (Err(end), _) => return end,
        }
    }
}

/// Whether an address gives a web page, such as the one on which a camera shows its picture.
fn is_web_page(program: &Path, address: &str) -> bool {
    /// The longest wait for the beginning, in microseconds.
    const PATIENCE: &str = "3000000";
    /// The bytes within which a page says that it is one.
    const BEGINNING: usize = 1024;
    if !address.starts_with("http") {
        return false;
    }
    let beginning = Command::new(program)
        .args(["-hide_banner", "-nostdin", "-loglevel", "quiet", "-rw_timeout", PATIENCE])
        .args(["-f", "data", "-i", address, "-map", "0", "-c", "copy", "-f", "data", "pipe:1"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = beginning else { return false };
    let mut bytes = [0; BEGINNING];
    // Once: a stream that trickles is no page.
    let read = child.stdout.as_mut().map_or(Ok(0), |pipe| pipe.read(&mut bytes));
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
    let text = String::from_utf8_lossy(&bytes[..read.unwrap_or(0)]).to_ascii_lowercase();
    ["<!doctype html", "<html", "<head"].iter().any(|mark| text.contains(mark))
}

/// Reads a camera in a mode that this program cannot decode.
#[cfg(feature = "camera")]
pub(super) fn read_camera(
    index: u32,
    mode: &super::camera::Mode,
    settings: &Settings,
    newest: &Arc<Newest>,
) -> End {
    let name = format!("camera {index}");
    // A picture of an unexpected length is left out with only a warning.
    let mut input = words(["-loglevel", "warning"]);
    match super::device::ffmpeg_input(index, mode) {
        Ok(own) => input.extend(own),
        Err(why) => return End::Failed(why),
    }
    match run(&name, &input, settings, newest) {
        Ok(said) => End::Failed(format!("{name} gives no more pictures{said}")),
        Err(end) => end,
    }
}

/// The options for a camera's size and rate.
#[cfg(feature = "camera")]
pub(super) fn size_and_rate(mode: &super::camera::Mode) -> Vec<OsString> {
    let mut options = vec!["-video_size".into(), format!("{}x{}", mode.width, mode.height).into()];
    if let Some([frames, seconds]) = mode.fps.map(super::camera::Rate::fraction) {
        options.extend(["-framerate".into(), format!("{frames}/{seconds}").into()]);
    }
    options
}

fn words<const N: usize>(words: [&str; N]) -> Vec<OsString> {
    words.map(OsString::from).to_vec()
}

/// Runs the program once. If it ends by itself without an error: its messages, as the end of a sentence.
fn run(
    name: &str,
    input: &[OsString],
    settings: &Settings,
    newest: &Arc<Newest>,
) -> Result<String, End> {
    let frame_mode = frame_mode(&settings.ffmpeg).map_err(End::Failed)?;
    let arguments = arguments(input, frame_mode);
    let mut running = Running::start(&settings.ffmpeg, &arguments, newest).map_err(End::Failed)?;
    let (mut frames, mut since) = (newest.frames(), Instant::now());
    let mut patience = settings.first_frame;
    let broken = loop {
        match running.done.recv_timeout(TICK) {
            Ok(read) => break read.err(),
            Err(RecvTimeoutError::Disconnected) => break Some("its reader stopped".to_owned()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if newest.is_stopped() {
            return Err(End::Stopped);
        }
        if newest.frames() != frames {
            (frames, since) = (newest.frames(), Instant::now());
            patience = settings.stall;
        } else if since.elapsed() > patience {
            let seconds = patience.as_secs_f32();
            let said = running.said(newest);
            return Err(End::Failed(format!("{name}: no picture for {seconds} s{said}")));
        }
    };
    let ended = running.ended();
    let said = running.said(newest);
    match broken {
        None if ended => Ok(said),
        Some(why) if why != CUT => Err(End::Failed(format!("{name}: {why}{said}"))),
        _ => Err(End::Failed(format!("{name}: ffmpeg stopped{said}"))),
    }
}

/// A picture that the program did not finish: its own message is more useful.
const CUT: &str = "cut off";

/// The program with the threads that read its pipes. Dropping it kills it and waits for it.
struct Running {
    child: Child,
    threads: Vec<JoinHandle<()>>,
    /// The result of the thread that reads the pictures.
    done: Receiver<Result<(), String>>,
    lines: Arc<Mutex<VecDeque<String>>>,
}

impl Running {
    fn start(program: &Path, arguments: &[OsString], newest: &Arc<Newest>) -> Result<Self, String> {
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| missing(program, &error))?;
        let (tell, done) = channel();
        let mut running = Self { child, threads: Vec::new(), done, lines: Arc::default() };
        let failed = |error: std::io::Error| format!("no thread could be started: {error}");
        if let Some(pipe) = running.child.stderr.take() {
            let lines = Arc::clone(&running.lines);
            let thread = thread::Builder::new().name("capture-messages".to_owned());
            running.threads.push(thread.spawn(move || listen(pipe, &lines)).map_err(failed)?);
        }
        if let Some(pipe) = running.child.stdout.take() {
            let newest = Arc::clone(newest);
            let thread = thread::Builder::new().name("capture-pictures".to_owned());
            let read = move || {
                // The receiver is gone once the capture stops.
                let _ = tell.send(pictures(pipe, &newest));
            };
            running.threads.push(thread.spawn(read).map_err(failed)?);
        }
        Ok(running)
    }

    /// Whether it ended by itself without an error.
    fn ended(&mut self) -> bool {
        let deadline = Instant::now() + CLOSING;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if Instant::now() < deadline => thread::sleep(TICK / 5),
                _ => return false,
            }
        }
    }

    /// The last lines of its messages, as the end of a sentence. They contain the source's whole address: its
    /// secrets are hidden before a line is cut, since a part of a secret would not be recognised.
    fn said(&mut self, newest: &Newest) -> String {
        self.stop();
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let cut = |line: &String| newest.mask(line).chars().take(LINE).collect();
        let lines: Vec<String> = lines.iter().map(cut).collect();
        if lines.is_empty() { String::new() } else { format!(" ({})", lines.join("; ")) }
    }

    fn stop(&mut self) {
        // It may have ended already; in either case it is reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
        for thread in self.threads.drain(..) {
            finish(thread, CLOSING);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

fn pictures(pipe: ChildStdout, newest: &Newest) -> Result<(), String> {
    let mut pipe = BufReader::with_capacity(1 << 16, pipe);
    loop {
        let rgb = match framed::read(&mut pipe) {
            Ok(Some(rgb)) => rgb,
            Ok(None) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(CUT.to_owned()),
            Err(error) => return Err(error.to_string()),
        };
        let at = Instant::now();
        newest.show(Picture::from_rgb(rgb).map_err(|error| error.to_string())?, at);
    }
}

/// Keeps the last lines of the program's messages.
fn listen(pipe: ChildStderr, lines: &Mutex<VecDeque<String>>) {
    let mut pipe = BufReader::new(pipe);
    let mut inside = false;
    loop {
        let mut line = Vec::new();
        match pipe.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let begins = !std::mem::replace(&mut inside, !line.ends_with(b"\n"));
        let line = without_addresses(String::from_utf8_lossy(&line).trim());
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if begins && !line.is_empty() && lines.back() != Some(&line) {
            lines.push_back(line);
        }
        if lines.len() > LINES {
            lines.pop_front();
        }
    }
}

/// A line of `ffmpeg` without its memory addresses, which differ each time: `[rtsp @ 0x55d0]`.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split(" @ 0x");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    kept
}

pub(super) fn missing(program: &Path, error: &std::io::Error) -> String {
    let name = program.display();
    if error.kind() == ErrorKind::NotFound {
        return format!(
            "the program {name} is missing, which reads video files, streams, screens and \
             some cameras: \
             install it (Debian, Ubuntu: sudo apt install ffmpeg; macOS: brew install ffmpeg; \
             Windows: winget install ffmpeg)"
        );
    }
    format!("the program {name} does not start: {error}")
}

/// The option by which this version gives each picture as it comes, without duplicates: it was renamed in 5.1.
fn frame_mode(program: &Path) -> Result<&'static str, String> {
    let output = Command::new(program)
        .args(["-hide_banner", "-version"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| missing(program, &error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(if is_before_5_1(&text) { "-vsync" } else { "-fps_mode" })
}

fn is_before_5_1(text: &str) -> bool {
    let version = text.strip_prefix("ffmpeg version ").unwrap_or_default().trim_start_matches('n');
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    let mut part = || parts.next().and_then(|digits| digits.parse::<u32>().ok());
    // Daily builds have no number and are new.
    part().is_some_and(|major| major < 5 || (major == 5 && part().unwrap_or(0) < 1))
}

/// The options before the output: the input.
fn input(spec: &SourceSpec) -> Result<Vec<OsString>, String> {
    Ok(match spec {
        SourceSpec::File { path, .. } => {
            // In real time. `file:` because a name may hold a colon.
            let mut name = OsString::from("file:");
            name.push(path);
            [words(["-re", "-i"]), vec![name]].concat()
        }
        SourceSpec::Stream(address) => {
            // Not `nobuffer`: it drops everything read to find out the format, which is all of a short stream.
            // Pictures that are old by then come at once and are skipped.
            let mut all = words(["-fflags", "discardcorrupt", "-flags", "low_delay"]);
            all.extend(words(["-analyzeduration", "1000000"]));
            let address = address.typed();
            if address.starts_with("rtsp") {
                // Over UDP pictures lose pieces. Some servers have only UDP.
                all.extend(words(["-rtsp_flags", "prefer_tcp"]));
            }
            all.extend(words(["-i", address]));
            all
        }
        SourceSpec::Screen(wish) => screen(wish)?.into_iter().map(OsString::from).collect(),
        SourceSpec::Camera(_) | SourceSpec::Folder(_) => {
            return Err(format!("ffmpeg cannot read {spec}"));
        }
    })
}

fn arguments(input: &[OsString], frame_mode: &str) -> Vec<OsString> {
    let quiet = words(["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error"]);
    let video = words(["-map", "0:v:0", "-an", "-sn", "-dn", frame_mode, "passthrough"]);
    // Not scaled to the size of the first picture.
    let filtered = words(["-noautoscale", "-vf", framed::FILTERS]);
    let bare = words(["-c:v", "rawvideo", "-f", "rawvideo", "-flush_packets", "1", "pipe:1"]);
    [&quiet, input, &video, &filtered, &bare].into_iter().flatten().cloned().collect()
}

/// Frames a second of a screen, if no rate is given.
const SCREEN_FPS: u32 = 30;

/// The options that capture this system's screen.
fn screen(wish: &ScreenWish) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
    let size = wish.size.map(|[width, height]| format!("{width}x{height}"));
    let [x, y] = wish.at;
    add("-framerate", wish.fps.unwrap_or(SCREEN_FPS).to_string());
    match std::env::consts::OS {
        "macos" => {
            add("-f", "avfoundation".to_owned());
            let part = size.map(|_| ()).is_some() || wish.at != [0, 0];
            if part {
                return Err("parts of a screen are not read on macOS: write screen:".to_owned());
            }
            let screen = wish.display.as_deref().unwrap_or("0");
            add("-i", format!("Capture screen {screen}:none"));
        }
        "windows" => {
            add("-f", "gdigrab".to_owned());
            add("-offset_x", x.to_string());
            add("-offset_y", y.to_string());
            if let Some(size) = size {
                add("-video_size", size);
            }
            add("-i", "desktop".to_owned());
        }
        _ => {
            let session = || std::env::var("DISPLAY").ok().filter(|display| !display.is_empty());
            let Some(display) = wish.display.clone().or_else(session) else {
                return Err("there is no X display: write it, as screen::0, or run inside the \
                     desktop's session (under Wayland: a virtual camera of OBS)"
                    .to_owned());
            };
            add("-f", "x11grab".to_owned());
            if let Some(size) = size {
                add("-video_size", size);
            }
            add("-i", format!("{display}+{x},{y}"));
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_renamed_option_is_known_by_the_version() {
        for (text, old) in [
            ("ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright", true),
            ("ffmpeg version 5.0.1 Copyright", true),
            ("ffmpeg version 5.1.9-0+deb12u1 Copyright", false),
            ("ffmpeg version n7.1 Copyright", false),
            ("ffmpeg version N-109468-gd39b34123d Copyright", false),
            ("", false),
        ] {
            assert_eq!(is_before_5_1(text), old, "{text}");
        }
    }

    #[test]
    fn what_differs_each_time_is_left_out_of_complaints() {
        let line = "[vost#0:0 @ 0x55c] [enc:raw @ 0x7f00aB] Could not open: me @ 0";
        assert_eq!(without_addresses(line), "[vost#0:0] [enc:raw] Could not open: me @ 0");
    }

    #[test]
    fn a_file_whose_name_looks_like_an_option_or_address_stays_a_file() {
        let path = "-i.mp4".into();
        let words = input(&SourceSpec::File { path, again: true }).unwrap();
        assert!(words.windows(2).any(|pair| pair[0] == "-i" && pair[1] == "file:-i.mp4"));
    }
}
