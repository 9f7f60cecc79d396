//! Video files, network streams and screens through the `ffmpeg` program: a pipe of pictures, so
//! that a decoder's crash is not ours.
//!
//! The pictures come as binary PPM. Damage in the source is dealt with inside `ffmpeg`, which skips or
//! mends what it cannot decode; every picture in the pipe is whole and says its own size.

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
    ScreenWish, Settings, SourceSpec,
    newest::Newest,
    ppm,
    supervise::{End, finish},
};
use crate::vision::Picture;

/// Lines of its complaints that are kept.
const LINES: usize = 4;
/// Letters of a line that are shown.
const LINE: usize = 300;
/// Bytes of a line that are read; of a longer one the rest is passed over.
const LONGEST_LINE: u64 = 16 << 10;
/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(50);
/// How long a killed program's pipes may take to close.
const CLOSING: Duration = Duration::from_secs(2);

/// Reads a source until it ends, fails, stalls, or the capture stops.
pub(super) fn attempt(spec: &SourceSpec, settings: &Settings, newest: &Arc<Newest>) -> End {
    let passthrough = match frame_mode(&settings.ffmpeg) {
        Ok(mode) => mode,
        Err(why) => return End::Failed(why),
    };
    let arguments = match arguments(spec, passthrough) {
        Ok(arguments) => arguments,
        Err(why) => return End::Failed(why),
    };
    let mut running = match Running::start(&settings.ffmpeg, &arguments, newest) {
        Ok(running) => running,
        Err(why) => return End::Failed(why),
    };
    let (mut frames, mut since) = (newest.frames(), Instant::now());
    let mut patience = settings.first_frame;
    let broken = loop {
        match running.done.recv_timeout(TICK) {
            Ok(read) => break read.err(),
            Err(RecvTimeoutError::Disconnected) => break Some("its reader stopped".to_owned()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if newest.is_stopped() {
            return End::Stopped;
        }
        if newest.frames() != frames {
            (frames, since) = (newest.frames(), Instant::now());
            patience = settings.stall;
        } else if since.elapsed() > patience {
            let seconds = patience.as_secs_f32();
            return End::Failed(format!(
                "{spec}: no picture for {seconds} s{}",
                running.said(spec)
            ));
        }
    };
    let ended = running.ended();
    match (broken, ended, spec) {
        (None, true, SourceSpec::File { .. }) if newest.frames() > 0 => End::Ended,
        (None, true, _) => {
            End::Failed(format!("{spec}: the stream has ended{}", running.said(spec)))
        }
        (Some(why), ..) if why != CUT => {
            End::Failed(format!("{spec}: {why}{}", running.said(spec)))
        }
        _ => End::Failed(format!("{spec}: ffmpeg stopped{}", running.said(spec))),
    }
}

/// A picture that the program did not finish: what it says itself tells more.
const CUT: &str = "cut off";

/// The program with the threads that read its pipes. Dropping it kills it and waits for it.
struct Running {
    child: Child,
    threads: Vec<JoinHandle<()>>,
    /// What the reader of the pictures came to.
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
        let told = |error: std::io::Error| format!("no thread could be started: {error}");
        if let Some(pipe) = running.child.stderr.take() {
            let lines = Arc::clone(&running.lines);
            let thread = thread::Builder::new().name("capture-messages".to_owned());
            running.threads.push(thread.spawn(move || listen(pipe, &lines)).map_err(told)?);
        }
        if let Some(pipe) = running.child.stdout.take() {
            let newest = Arc::clone(newest);
            let thread = thread::Builder::new().name("capture-pictures".to_owned());
            let read = move || {
                // Nobody listens any more once the capture stops.
                let _ = tell.send(pictures(pipe, &newest));
            };
            running.threads.push(thread.spawn(read).map_err(told)?);
        }
        Ok(running)
    }

    /// Whether it ended of itself and well.
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

    /// The last lines of its complaints, as the end of a sentence. They hold the source's address whole: its
    /// secrets are hidden before a line is cut, as a part of a secret would not be known for one.
    fn said(&mut self, spec: &SourceSpec) -> String {
        self.stop();
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let cut = |line: &String| spec.mask(line).chars().take(LINE).collect();
        let lines: Vec<String> = lines.iter().map(cut).collect();
        if lines.is_empty() { String::new() } else { format!(" ({})", lines.join("; ")) }
    }

    fn stop(&mut self) {
        // It may be gone already; in either case it is reaped.
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
        let rgb = match ppm::read(&mut pipe) {
            Ok(Some(rgb)) => rgb,
            Ok(None) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(CUT.to_owned()),
            Err(error) => return Err(error.to_string()),
        };
        let at = Instant::now();
        newest.show(Picture::from_rgb(rgb).map_err(|error| error.to_string())?, at);
    }
}

/// Keeps the last lines of what the program has to say.
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
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if begins && !line.is_empty() && lines.back() != Some(&line) {
            lines.push_back(line);
        }
        if lines.len() > LINES {
            lines.pop_front();
        }
    }
}

fn missing(program: &Path, error: &std::io::Error) -> String {
    let name = program.display();
    if error.kind() == ErrorKind::NotFound {
        return format!(
            "the program {name} is missing, which reads video files, streams and screens: \
             install it (Debian, Ubuntu: sudo apt install ffmpeg; macOS: brew install ffmpeg; \
             Windows: winget install ffmpeg)"
        );
    }
    format!("the program {name} does not start: {error}")
}

/// The option by which this version gives each picture as it comes, none twice: it was renamed in 5.1.
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
    // Builds of the day have no number and are new.
    part().is_some_and(|major| major < 5 || (major == 5 && part().unwrap_or(0) < 1))
}

fn arguments(spec: &SourceSpec, frame_mode: &str) -> Result<Vec<OsString>, String> {
    let mut all: Vec<OsString> = Vec::new();
    let mut add = |words: &[&str]| all.extend(words.iter().map(OsString::from));
    add(&["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error"]);
    match spec {
        SourceSpec::File { path, again } => {
            if *again {
                add(&["-stream_loop", "-1"]);
            }
            // In real time. `file:` because a name may hold a colon.
            add(&["-re", "-i"]);
            let mut name = OsString::from("file:");
            name.push(path);
            all.push(name);
        }
        SourceSpec::Stream(address) => {
            // Not `nobuffer`: it throws away what was read to find out the format, all of a short stream.
            // What is old by then comes at once and is passed over.
            add(&["-fflags", "discardcorrupt", "-flags", "low_delay"]);
            add(&["-analyzeduration", "1000000"]);
            let address = address.typed();
            if address.to_ascii_lowercase().starts_with("rtsp") {
                add(&["-rtsp_transport", "tcp"]);
            }
            add(&["-i", address]);
        }
        SourceSpec::Screen(wish) => {
            add(&screen(wish)?.iter().map(String::as_str).collect::<Vec<_>>())
        }
        SourceSpec::Camera(_) | SourceSpec::Folder(_) => {
            return Err(format!("{spec} is not read by ffmpeg"));
        }
    }
    let mut add = |words: &[&str]| all.extend(words.iter().map(OsString::from));
    add(&["-map", "0:v:0", "-an", "-sn", "-dn", frame_mode, "passthrough"]);
    add(&["-c:v", "ppm", "-pix_fmt", "rgb24", "-f", "image2pipe", "-flush_packets", "1", "pipe:1"]);
    Ok(all)
}

/// How this system's screen is grabbed.
fn screen(wish: &ScreenWish) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
    let size = wish.size.map(|[width, height]| format!("{width}x{height}"));
    let [x, y] = wish.at;
    add("-framerate", wish.fps.to_string());
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
    fn a_file_whose_name_looks_like_an_option_or_address_stays_a_file() {
        let path = "-i.mp4".into();
        let words = arguments(&SourceSpec::File { path, again: true }, "-fps_mode").unwrap();
        assert!(words.windows(2).any(|pair| pair[0] == "-i" && pair[1] == "file:-i.mp4"));
        assert!(words.windows(2).any(|pair| pair[0] == "-stream_loop" && pair[1] == "-1"));
    }
}
