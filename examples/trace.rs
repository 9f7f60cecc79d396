use std::{
    io::Read,
    process::{Command, Stdio},
    time::Duration,
};
use tilelens::{
    layout::{self, Hints},
    live::FrameReader,
    vision::{Picture, Reader},
};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (from, to): (f32, f32) = (a[2].parse().unwrap(), a[3].parse().unwrap());
    let verbose = a.get(4).is_some();
    let mut d = Command::new("ffmpeg")
        .args([
            "-v", "error", "-ss", &a[2], "-i", &a[1], "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut p = d.stdout.take().unwrap();
    let mut fr = FrameReader::new(Reader::builtin(2).unwrap());
    let mut n = 0;
    let mut last = String::new();
    while from + n as f32 / 30.0 < to {
        let mut px = vec![0u8; 3 * 1280 * 720];
        if p.read_exact(&mut px).is_err() {
            break;
        }
        let pic = Picture::from_rgb(image::RgbImage::from_raw(1280, 720, px).unwrap()).unwrap();
        let at = Duration::from_secs_f32(n as f32 / 30.0);
        let took = fr.read(&pic, at).unwrap();
        let t = fr.tracker();
        let shown = layout::read(&t.tiles(), &Hints::default());
        let text = shown
            .hand
            .as_ref()
            .map(|h| {
                format!(
                    "{} conf {:.3} fin {} doubts {:?}",
                    h.reading,
                    h.confidence,
                    h.finished,
                    h.doubts.iter().map(|d| d.why.clone()).collect::<Vec<_>>()
                )
            })
            .unwrap_or(format!("none {:?}", shown.refusal));
        let line =
            format!("settled {} tiles {} {} {}", t.settled(at), t.tiles().len(), text, t.why(at));
        if line != last || verbose {
            println!(
                "{:7.2} [{:3.0}ms] {} {line}",
                from + n as f32 / 30.0,
                took.as_secs_f32() * 1e3,
                fr.what(at)
            );
        }
        last = line;
        n += 1;
    }
    let _ = d.kill();
}
