//! Cameras, streams and folders.

#![cfg(all(feature = "server", feature = "camera", target_os = "linux"))]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream, UdpSocket},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use image::{ImageFormat, Rgb, RgbImage};
use tempfile::TempDir;
use tilelens::capture::{Capture, Settings, SourceState};

use crate::support::camera::{command_with_camera, with_camera};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(60);

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tilelens"))
}

fn tilelens(arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).output().unwrap()
}

fn impatient() -> Settings {
    let pauses = [Duration::from_millis(20), Duration::from_millis(80)];
    Settings { first_frame: Duration::from_secs(10), pauses, ..Settings::default() }
}

fn start(source: &str) -> Capture {
    Capture::with_settings(source.parse().unwrap(), impatient())
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + LONG;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "never {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn lost(capture: &Capture) -> Option<String> {
    match capture.state() {
        SourceState::Lost { why, .. } => Some(why),
        _ => None,
    }
}

/// Runs ffmpeg on generated pictures; `None`, which skips the test, where it is not installed.
fn ffmpeg(folder: &TempDir, arguments: &str, name: &str) -> Option<PathBuf> {
    let path = folder.path().join(name);
    let words = format!("-v error -f lavfi -i {arguments}");
    match Command::new("ffmpeg").args(words.split(' ')).arg(&path).status() {
        Ok(made) => assert!(made.success(), "{words}"),
        Err(_) => {
            eprintln!("skipped: ffmpeg is not installed");
            return None;
        }
    }
    Some(path)
}

/// A picture that is dark on its left and bright on its right, as the fake camera's are.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, _| Rgb([if x < width / 2 { 50 } else { 200 }; 3]))
}

fn jpeg(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

// ---- Cameras ----

/// The output of `calibrate table` for the fake camera, and the picture's size.
fn seen(name: &str, options: &[&str], settings: &str) -> Option<Result<[u32; 2], String>> {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("jpeg");
    fs::write(&picture, jpeg(&halves(640, 480))).unwrap();
    let [out, drawn] = ["table.toml", "drawn.png"].map(|file| folder.path().join(file));
    let mut arguments = vec!["calibrate", "table", "camera:0", "--out", out.to_str().unwrap()];
    arguments.extend(["--corners", "50,50", "250,50", "250,200", "50,200"]);
    arguments.extend(["--draw", drawn.to_str().unwrap()]);
    arguments.extend(options);
    let mut settings = format!("{settings}\nstate run\n");
    if !settings.contains("file ") {
        settings += &format!("file {}\n", picture.display());
    }
    let (well, text) = with_camera(name, program(), &arguments, &settings)?;
    if !well {
        return Some(Err(text));
    }
    let drawn = image::open(drawn).unwrap().into_rgb8();
    let (width, height) = drawn.dimensions();
    // Beyond the zones, which are drawn in colours.
    let [left, right] = [2, width - 3].map(|x| drawn.get_pixel(x, height - 3).0);
    assert!(left.iter().all(|c| c.abs_diff(50) < 20), "{name}: {left:?}");
    assert!(right.iter().all(|c| c.abs_diff(200) < 20), "{name}: {right:?}");
    Some(Ok([width, height]))
}

fn listed(name: &str, settings: &str) -> Option<String> {
    Some(with_camera(name, program(), &["cameras"], &format!("{settings}\nstate run\n"))?.1)
}

/// A camera that offers MJPEG was refused because another program had left it in a format that the
/// library did not know, or because it offers such a format as well.
#[test]
fn a_camera_is_read_whatever_format_it_was_left_in() {
    for other in ["H264", "UYVY", "\u{1}?.-"] {
        let settings =
            format!("mode {other} 640x480@30\nmode MJPG 640x480@30\nnow {other} 640x480@30");
        let Some(seen) = seen("left-in", &[], &settings) else { return };
        assert_eq!(seen, Ok([640, 480]), "{other}");
    }
    let settings = "mode H264 640x480@30\nmode MJPG 640x480@30\nnow H264 640x480@30";
    let listed = listed("left-in", settings).unwrap();
    assert!(listed.contains("640x480 30 fps MJPEG") && !listed.contains("H264"), "{listed}");
    assert_eq!(seen("older-name", &[], "mode JPEG 640x480@30"), Some(Ok([640, 480])));
}

/// A camera with television's 30000/1001 frames a second was refused.
#[test]
fn a_camera_may_have_the_rate_of_television() {
    let settings = "mode MJPG 640x480@30000/1001\nmode YUYV 320x240@24000/1001";
    let Some(seen) = seen("television", &["--fps", "30"], settings) else { return };
    assert_eq!(seen, Ok([640, 480]));
    let listed = listed("television", settings).unwrap();
    assert!(listed.contains("640x480 29.97 fps MJPEG"), "{listed}");
    assert!(listed.contains("320x240 23.98 fps YUYV"), "{listed}");
    let (_, json) = with_camera(
        "television",
        program(),
        &["cameras", "--json"],
        &format!("{settings}\nstate run\n"),
    )
    .unwrap();
    let device: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(device["modes"][0]["fps"], 29.97);
    assert_eq!(device["modes"][0]["encoding"], "MJPEG");
}

/// A camera that takes sizes in steps was refused for offering neither MJPEG nor YUYV.
#[test]
fn a_camera_may_take_sizes_in_steps() {
    for (step, asked, given) in [
        (8, None, [1920, 1080]),
        (8, Some("644x482"), [640, 480]),
        // Lines of 1288 bytes, which the driver fills up.
        (1, Some("644x482"), [644, 482]),
    ] {
        let settings = format!("range YUYV 48x32-1920x1200+{step}");
        let options: Vec<&str> = asked.into_iter().flat_map(|size| ["--size", size]).collect();
        let Some(seen) = seen("steps", &options, &settings) else { return };
        assert_eq!(seen, Ok(given), "{asked:?} in steps of {step}");
        let listed = listed("steps", &settings).unwrap();
        assert!(listed.contains("1280x720 60 fps YUYV\n    1280x720 30 fps YUYV"), "{listed}");
    }
}

/// Loopback devices and others with YU12, NV12, UYVY or H.264 alone were refused, though ffmpeg reads
/// them.
#[test]
fn ffmpeg_reads_the_other_camera_formats() {
    let folder = tempfile::tempdir().unwrap();
    let h264 = "color=c=0x323232:s=640x480,drawbox=x=320:w=320:color=0xc8c8c8:t=fill -frames:v 1 \
                -pix_fmt yuv420p -f h264";
    let Some(h264) = ffmpeg(&folder, h264, "one.h264") else { return };
    for format in ["YU12", "NV12", "UYVY", "H264"] {
        let file =
            if format == "H264" { format!("\nfile {}", h264.display()) } else { String::new() };
        let settings = format!("mode {format} 640x480@30000/1001{file}");
        let Some(seen) = seen("by-ffmpeg", &[], &settings) else { return };
        assert_eq!(seen, Ok([640, 480]), "{format}");
    }
    let listed_as = |settings| listed("by-ffmpeg", settings).unwrap();
    let alone = listed_as("mode NV12 640x480@30000/1001");
    assert!(alone.contains("640x480 29.97 fps NV12, read by ffmpeg"), "{alone}");
    // Modes that this program reads itself come first.
    let both = listed_as("mode NV12 1920x1080@30\nmode MJPG 640x480@30");
    assert!(both.contains("640x480 30 fps MJPEG") && !both.contains("NV12"), "{both}");
    let neither = seen("by-ffmpeg", &[], "mode HEVC 640x480@30").unwrap().unwrap_err();
    assert!(neither.contains("camera 0 offers only HEVC, which is not read"), "{neither}");
}

// ---- Streams ----

/// A server of one thread a connection, which answers as `serve` does; its port, and how many came.
fn server(
    serve: impl Fn(TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (came, serve) = (Arc::new(AtomicUsize::new(0)), Arc::new(serve));
    let count = Arc::clone(&came);
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::Relaxed);
            let serve = Arc::clone(&serve);
            // Whoever goes away while it is served ends that.
            thread::spawn(move || serve(connection));
        }
    });
    (port, came)
}

/// An HTTP server that answers every request with these words and then writes as `serve` does.
fn http(
    head: &'static str,
    serve: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> (u16, Arc<AtomicUsize>) {
    server(move |mut connection| {
        let mut request = BufReader::new(connection.try_clone()?);
        let mut line = String::new();
        while request.read_line(&mut line)? > 2 {
            line.clear();
        }
        write!(connection, "HTTP/1.0 {head}\r\n\r\n")?;
        serve(&mut connection)
    })
}

/// Each second of the video is sent in a second's time, or the stream would be over before it is seen.
fn parts(connection: &mut TcpStream, head: &str) -> std::io::Result<()> {
    for grey in (0..250).step_by(10) {
        let picture = jpeg(&RgbImage::from_pixel(64, 48, Rgb([grey; 3])));
        write!(connection, "--frame\r\n{head}\r\n")?;
        connection.write_all(&picture)?;
        connection.write_all(b"\r\n")?;
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

const MULTIPART: &str = "200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame";

fn has_ffmpeg() -> bool {
    let there = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).status().is_ok();
    if !there {
        eprintln!("skipped: ffmpeg is not installed");
    }
    there
}

/// `HTTP://` and `RTSP://` were "Protocol not found".
#[test]
fn addresses_in_capitals_are_read() {
    if !has_ffmpeg() {
        return;
    }
    let (port, _) = http(MULTIPART, |connection| parts(connection, "Content-Type: image/jpeg\r\n"));
    let capture = start(&format!("HTTP://127.0.0.1:{port}/video"));
    assert!(capture.newest(0, LONG).is_some(), "{:?}", capture.state());
}

/// Cameras whose parts say `image/jpg`, or nothing, gave no picture.
#[test]
fn parts_of_a_stream_of_jpegs_may_have_any_label() {
    if !has_ffmpeg() {
        return;
    }
    for head in
        ["Content-Type: image/jpg\r\n", "", "X-Frame: 1\r\n", "Content-Type: image/jpeg\r\n"]
    {
        let (port, came) = http(MULTIPART, move |connection| parts(connection, head));
        let capture = start(&format!("http://127.0.0.1:{port}/video"));
        let frame = capture.newest(5, LONG);
        assert!(frame.is_some(), "{head}: {:?}", capture.state());
        assert_eq!(frame.unwrap().picture.width(), 64);
        // Asked once more only where the first answer was refused.
        let expected = if head.contains("jpeg") { 1 } else { 2 };
        assert_eq!(came.load(Ordering::Relaxed), expected, "{head}");
    }
}

/// An address that gives one picture each time was "lost" for ever, with a picture on show.
#[test]
fn an_address_of_snapshots_is_asked_again_and_again() {
    if !has_ffmpeg() {
        return;
    }
    let shown = Arc::new(AtomicUsize::new(0));
    let (port, came) = http("200 OK\r\nContent-Type: image/jpeg", move |connection| {
        let grey = 40 * shown.fetch_add(1, Ordering::Relaxed) as u8;
        connection.write_all(&jpeg(&RgbImage::from_pixel(64, 48, Rgb([grey; 3]))))
    });
    let capture = start(&format!("http://127.0.0.1:{port}/snapshot.jpg"));
    for (number, grey) in [(1, 0), (2, 40), (3, 80)] {
        let frame = until("the next picture", || {
            assert_eq!(lost(&capture), None);
            capture.newest(number - 1, Duration::from_millis(10))
        });
        assert_eq!(frame.number, number);
        assert!(frame.picture.rgb().get_pixel(9, 9).0[0].abs_diff(grey) < 5);
    }
    assert!(came.load(Ordering::Relaxed) <= 4, "about once a second");
    let address = format!("http://127.0.0.1:{port}/snapshot.jpg");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t.toml");
    let table = tilelens(
        &[
            &["calibrate", "table", &address, "--out", out.to_str().unwrap()][..],
            &["--corners", "9,9", "50,9", "50,40", "9,40"],
        ]
        .concat(),
    );
    assert!(table.status.success(), "{}", String::from_utf8_lossy(&table.stderr));
    // A server that has no picture is lost, and so is a stream that ends.
    let (port, _) = http("404 Not Found", |_| Ok(()));
    let capture = start(&format!("http://127.0.0.1:{port}/snapshot.jpg"));
    let why = until("lost", || lost(&capture));
    assert!(why.contains("404"), "{why}");
}

/// A stream that changed its size was squeezed into its first one.
#[test]
fn a_stream_that_changes_its_size_shows_both() {
    let folder = tempfile::tempdir().unwrap();
    let video = |size: &str, name: &str| {
        let made = format!("testsrc=size={size}:rate=25:duration=1 -c:v mpeg2video -f mpegts");
        fs::read(ffmpeg(&folder, &made, name)?).ok()
    };
    let Some(wide) = video("320x160", "wide.ts") else { return };
    let high = video("160x320", "high.ts").unwrap();
    let (first, second) = (wide.clone(), high.clone());
    let (port, _) = http("200 OK\r\nContent-Type: video/mp2t", move |connection| {
        connection.write_all(&first)?;
        connection.write_all(&second)?;
        // And stays open, as a camera does.
        connection.read(&mut [0]).map(|_| ())
    });
    let capture = start(&format!("http://127.0.0.1:{port}/live.ts"));
    let size = || {
        let frame = capture.newest(0, LONG).unwrap();
        (frame.picture.width(), frame.picture.height())
    };
    until("high", || (size() == (160, 320)).then_some(()));
    // A file goes on as well, each picture once and in its own size.
    let both = folder.path().join("both.ts");
    fs::write(&both, [&wide[..], &high, &wide].concat()).unwrap();
    let capture = start(both.to_str().unwrap());
    let (mut sizes, mut last) = (Vec::new(), 0);
    until("ended", || {
        while let Some(frame) = capture.newest(last, Duration::from_millis(10)) {
            last = frame.number;
            let size = (frame.picture.width(), frame.picture.height());
            if sizes.last() != Some(&size) {
                sizes.push(size);
            }
        }
        (capture.state() == SourceState::Ended).then_some(())
    });
    assert_eq!(sizes, [(320, 160), (160, 320), (320, 160)]);
}

/// `x.h264?loop` was shown once.
#[test]
fn bare_h264_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let made = "testsrc=size=160x120:rate=25:duration=0.4 -pix_fmt yuv420p -f h264";
    let Some(video) = ffmpeg(&folder, made, "x.h264") else { return };
    let capture = start(&format!("{}?loop", video.display()));
    let frame = until("twice around", || {
        assert_eq!(lost(&capture), None);
        capture.newest(20, Duration::from_millis(10))
    });
    assert_eq!(frame.picture.width(), 160);
    // Without it the video is shown once.
    let capture = start(video.to_str().unwrap());
    until("ended", || (capture.state() == SourceState::Ended).then_some(()));
    assert_eq!(capture.newest(0, LONG).unwrap().number, 10);
}

/// An RTSP server with a video of transport packets that offers UDP alone, or TCP alone; what it was
/// asked for.
fn rtsp(video: Vec<u8>, over_udp: bool) -> (u16, Arc<Mutex<Vec<String>>>) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let recorded = Arc::clone(&asked);
    let (port, _) = server(move |mut connection| {
        let mut lines = BufReader::new(connection.try_clone()?).lines();
        let mut udp = None;
        while let Some(request) = lines.next().transpose()? {
            let (mut sequence, mut transport) = (String::new(), String::new());
            while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
                match line.split_once(": ") {
                    Some(("CSeq", value)) => sequence = value.to_owned(),
                    Some(("Transport", value)) => transport = value.to_owned(),
                    _ => {}
                }
            }
            let (mut status, mut more, mut body) = ("200 OK", String::new(), "");
            match request.split(' ').next() {
                Some("OPTIONS") => more = "Public: DESCRIBE, SETUP, PLAY, TEARDOWN\r\n".to_owned(),
                Some("DESCRIBE") => {
                    body = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\n";
                    more = "Content-Type: application/sdp\r\n".to_owned();
                }
                Some("SETUP") if transport.contains("TCP") == over_udp => {
                    status = "461 Unsupported Transport";
                    recorded.lock().unwrap().push(transport);
                }
                Some("SETUP") => {
                    if let Some((_, ports)) = transport.split_once("client_port=") {
                        let socket = UdpSocket::bind("127.0.0.1:0")?;
                        let client = ports.split(['-', ';']).next().unwrap_or_default();
                        socket.connect(format!("127.0.0.1:{client}"))?;
                        udp = Some(socket);
                    }
                    more = format!("Session: 1\r\nTransport: {transport}\r\n");
                    recorded.lock().unwrap().push(transport);
                }
                _ => more = "Session: 1\r\n".to_owned(),
            }
            let length = body.len();
            write!(
                connection,
                "RTSP/1.0 {status}\r\nCSeq: {sequence}\r\n{more}Content-Length: {length}\r\n\r\n{body}"
            )?;
            if request.starts_with("PLAY") {
                let (mut connection, udp) = (connection.try_clone()?, udp.take());
                let video = video.clone();
                thread::spawn(move || play(&video, &mut connection, udp.as_ref()));
            }
        }
        Ok(())
    });
    (port, asked)
}

/// Sends seven transport packets in each of RTP, again and again, until nobody takes them.
fn play(video: &[u8], connection: &mut TcpStream, udp: Option<&UdpSocket>) -> std::io::Result<()> {
    for (number, packets) in video.chunks(7 * 188).cycle().enumerate() {
        let number = number as u32;
        let (sequence, clock) = ((number as u16).to_be_bytes(), (300 * number).to_be_bytes());
        let packet = [&[0x80, 33][..], &sequence, &clock, b"test", packets].concat();
        match udp {
            Some(udp) => udp.send(&packet).map(|_| ())?,
            None => {
                let length = (packet.len() as u16).to_be_bytes();
                connection.write_all(&[b"$\0", &length[..], &packet].concat())?;
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// RTSP servers that send over UDP alone were "Protocol not supported".
#[test]
fn rtsp_is_read_over_tcp_and_else_over_udp() {
    let folder = tempfile::tempdir().unwrap();
    let made = "testsrc=size=160x120:rate=25:duration=1 -c:v mpeg2video -g 5 -f mpegts";
    let Some(video) = ffmpeg(&folder, made, "a.ts") else { return };
    let video = fs::read(video).unwrap();
    for over_udp in [true, false] {
        let (port, asked) = rtsp(video.clone(), over_udp);
        let capture = start(&format!("RTSP://127.0.0.1:{port}/live"));
        let frame = capture.newest(5, LONG);
        assert!(frame.is_some(), "{:?}", capture.state());
        let asked = asked.lock().unwrap();
        assert!(asked[0].contains("TCP"), "pictures are whole over TCP: {asked:?}");
        assert_eq!(asked.len(), if over_udp { 2 } else { 1 }, "{asked:?}");
    }
}

// ---- Folders ----

/// The complaint about a picture that was half copied stayed when it was whole, and `._name.jpg`, which
/// macOS puts beside each picture, was complained of as a broken one.
#[test]
fn complaints_of_a_folder_are_taken_back_and_hidden_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = jpeg(&halves(640, 480));
    fs::write(at("._a.jpg"), "Mac OS X        ATTR").unwrap();
    let capture = start(folder.path().to_str().unwrap());
    let complained = |of: &str| {
        until(of, || capture.trouble().filter(|said| said.starts_with(&format!("{of}: "))));
    };
    fs::write(at("half.jpg"), &whole[..whole.len() / 2]).unwrap();
    complained("half.jpg");
    fs::write(at("other.jpg"), "no picture").unwrap();
    complained("other.jpg");
    fs::remove_file(at("other.jpg")).unwrap();
    complained("half.jpg");
    fs::write(at("half.jpg"), &whole).unwrap();
    assert!(capture.newest(0, LONG).is_some());
    until("taken back", || capture.trouble().is_none().then_some(()));
    // Hidden files were there all the time, and are no pictures of a folder to the other commands either.
    fs::write(at(".b.jpg"), &whole).unwrap();
    fs::write(at("c.jpg"), &whole).unwrap();
    assert!(capture.newest(1, LONG).is_some());
    assert_eq!(capture.trouble(), None);
    assert_eq!(capture.newest(0, LONG).unwrap().number, 2);
    let text =
        String::from_utf8(tilelens(&["tiles", folder.path().to_str().unwrap(), "--json"]).stdout);
    let lines = text.unwrap();
    assert!(
        lines.contains("c.jpg") && !lines.contains("._a") && !lines.contains(".b.jpg"),
        "{lines}"
    );
}

// ---- The command line ----

/// `?size=…&fps=30` without quotes ran in the background of the shell, without a rate.
#[test]
fn wishes_for_a_source_may_be_options() {
    for command in [&["live"][..], &["calibrate", "table"]] {
        let help = tilelens(&[command, &["--help"]].concat());
        let help = String::from_utf8(help.stdout)
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(help.contains("a bare & runs the command in the background"), "{help}");
        assert!(help.contains("--size <WIDTHxHEIGHT>") && help.contains("--loop"), "{help}");
    }
    let said = |arguments: &[&str]| {
        let output = tilelens(arguments);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("a.mp4");
    fs::write(&video, "").unwrap();
    let video = video.to_str().unwrap();
    let live = |rest: &[&str]| said(&[&["live", "--port", "0", "--source"], rest].concat());
    assert!(live(&["camera:0?size=640x480", "--size", "1280x720"]).contains("contradict"));
    assert!(
        live(&["screen:?fps=5", "--fps", "6"]).contains("screen:?fps=5 and --fps 6 contradict")
    );
    assert!(live(&["camera:0", "--loop"]).contains("--loop is for video files"));
    assert!(live(&[video, "--fps", "5"]).contains("--fps is for cameras and screens"));
    assert!(live(&["camera:0", "--size", "1280"]).contains("write it as 1280x720"));
    let out = folder.path().join("t.toml");
    let table = said(&["calibrate", "table", "a.jpg", "--out", out.to_str().unwrap(), "--loop"]);
    assert!(table.contains("--loop is for video files"), "{table}");
    // Twice the same is no contradiction, and the options mean what the name would say.
    let settings = "mode MJPG 640x480@30\nmode YUYV 320x240@30\nmode YUYV 320x240@10";
    let Some(seen) = seen("options", &["--size", "320x240", "--fps", "10"], settings) else {
        return;
    };
    assert_eq!(seen, Ok([320, 240]));
}

/// A program whose terminal is read.
struct Terminal {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Terminal {
    fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (lines, recorded) =
            (BufReader::new(child.stderr.take().unwrap()).lines(), Arc::clone(&said));
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                *recorded.lock().unwrap() += &format!("{line}\n");
            }
        });
        Self { child, said }
    }

    fn until(&self, words: &str) -> String {
        until(words, || Some(self.said.lock().unwrap().clone()).filter(|said| said.contains(words)))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The terminal was silent about a camera that is not there and a stream that is dead.
#[test]
fn the_terminal_reports_each_fault_of_a_source_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("in");
    fs::create_dir(&at).unwrap();
    let name = at.to_str().unwrap();
    let mut command = Command::new(program());
    command.args(["live", "--port", "0", "--source", name]);
    let terminal = Terminal::of(&mut command);
    fs::write(at.join("a.jpg"), "no picture").unwrap();
    terminal.until(&format!("{name}: a.jpg: "));
    fs::remove_dir_all(&at).unwrap();
    terminal.until("cannot be read");
    fs::create_dir(&at).unwrap();
    fs::write(at.join("b.jpg"), jpeg(&halves(640, 480))).unwrap();
    let said = terminal.until(&format!("{name} is back"));
    assert_eq!(said.matches("cannot be read").count(), 1, "{said}");
    assert_eq!(said.lines().count(), 3, "{said}");
}

/// A camera that only ffmpeg reads says so, on the pages and in the terminal; so does one that is missing.
#[test]
fn the_terminal_says_how_a_camera_is_doing() {
    let mode = "mode NV12 640x480@30\n";
    let live = ["live", "--port", "0", "--source", "camera:0", "--size", "800x600"];
    let command = command_with_camera("terminal", program(), &format!("{mode}state run\n"));
    let Some(mut command) = command else { return };
    if has_ffmpeg() {
        let terminal = Terminal::of(command.args(live));
        let said = terminal.until("camera 0 offers neither MJPEG nor YUYV: ffmpeg reads its NV12");
        assert!(said.contains("does not offer what was asked for: 640x480"), "{said}");
    }
    let mut command =
        command_with_camera("terminal", program(), &format!("{mode}state gone\n")).unwrap();
    let terminal = Terminal::of(command.args(live));
    terminal.until("there is no camera 0: plug it in");
}

/// A user saw: "http://192.168.1.20/ is my camera's address, and it says `Stream ends prematurely at 28…`."
#[test]
fn a_cameras_web_page_is_named_as_one() {
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        eprintln!("skipped: ffmpeg is not installed");
        return;
    }
    let page = "<!DOCTYPE html>\n<html><head><title>IP Camera</title></head><body><img src=\"v.cgi\"></body></html>";
    // Nonsense is no page.
    for (body, length, is_page) in [
        (page, page.len(), true),
        // Cameras that say more than they send.
        (page, page.len() + 2000, true),
        ("no video, whatever is asked for", 31, false),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut head = BufReader::new(stream.try_clone().unwrap()).lines();
                while head.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                );
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            }
        });
        let capture = start(&address);
        let why = until("lost", || lost(&capture));
        assert_eq!(why.contains("is a web page and no picture"), is_page, "{why}");
        assert!(why.contains(&address), "{why}");
    }
}
