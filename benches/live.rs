//! Frames a second that a source is read at, and how long one takes, for a hand and for a whole
//! table: `cargo bench --bench live`. Not by criterion: frames are no repetitions of one another.
//!
//! Three ways of moving: an arm goes over the table and leaves it alone by turns, as in play; the
//! same with every frame looked at whole (what there was before windows), in turns with the first,
//! frame by frame, since machines are noisy; and a camera that never holds still.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use image::{Rgb, RgbImage, imageops};
use tilelens::{
    evaluation::median_and_p95,
    live::FrameReader,
    picture::Picture,
    vision::{LiveMemory, Reader},
};

/// Time between frames.
const STEP: Duration = Duration::from_millis(33);
/// Frames in which an arm goes over the table, and in which nothing but noise changes.
const MOVING: u32 = 32;
const STILL: u32 = 16;
/// Times that these are gone through; the first is not counted.
const ROUNDS: usize = 5;

fn main() {
    println!(
        "{:<26} {:<28} {:>7} {:>8} {:>8} {:>8}",
        "", "", "frames", "a second", "median", "p95"
    );
    for (name, file) in
        [("a hand, 1280 x 720", "hand.jpg"), ("a whole table, 1920 x 1080", "whole-table.jpg")]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/replay").join(file);
        let table = image::open(path).expect("a picture of datasets/").into_rgb8();
        let played: Vec<Picture> = (0..MOVING + STILL).map(|k| played(&table, k)).collect();
        let shaken: Vec<Picture> = (0..MOVING).map(|k| shaken(&table, k)).collect();
        for threads in [2, 4] {
            let reader = || Reader::builtin(threads).expect("models");
            let (mut windows, mut whole) = (FrameReader::new(reader()), Whole::new(reader()));
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let mut at = Duration::ZERO;
            for round in 0..ROUNDS {
                for picture in &played {
                    at += STEP;
                    let began = Instant::now();
                    windows.read(picture, at).expect("a reading");
                    let between = Instant::now();
                    whole.read(picture);
                    if round > 0 {
                        ours.push(between - began);
                        theirs.push(between.elapsed());
                    }
                }
            }
            let tiles = windows.tracker().tiles().len();
            let name = format!("{name}, {threads} threads");
            println!("{name}: {tiles} tiles");
            row("an arm now and then", &ours);
            row("the same, looked at whole", &theirs);
            let mut times = Vec::new();
            for round in 0..ROUNDS {
                for picture in &shaken {
                    at += STEP;
                    let began = Instant::now();
                    windows.read(picture, at).expect("a reading");
                    if round > 0 {
                        times.push(began.elapsed());
                    }
                }
            }
            row("a camera that moves", &times);
        }
    }
}

/// Every frame looked at whole, and nothing followed.
struct Whole {
    reader: Reader,
    memory: LiveMemory,
}

impl Whole {
    fn new(reader: Reader) -> Self {
        Self { reader, memory: LiveMemory::default() }
    }

    fn read(&mut self, picture: &Picture) {
        let all = [0.0, 0.0, picture.width() as f32, picture.height() as f32];
        self.reader.read_live(picture, &mut self.memory, &[all]).expect("a reading");
    }
}

fn row(what: &str, times: &[Duration]) {
    let ms: Vec<f64> = times.iter().map(|time| 1e3 * time.as_secs_f64()).collect();
    let a_second = 1e3 * ms.len() as f64 / ms.iter().sum::<f64>();
    let [median, p95] = median_and_p95(&ms).expect("times");
    let count = ms.len();
    println!("{:<26} {what:<28} {count:>7} {a_second:>8.1} {median:>8.1} {p95:>8.1}", "");
}

/// A frame of play: for a while an arm goes over the table.
fn played(table: &RgbImage, k: u32) -> Picture {
    let (width, height) = table.dimensions();
    let wide = height / 6;
    // There and back.
    let part = if k < MOVING { 1.0 - (2.0 * k as f32 / MOVING as f32 - 1.0).abs() } else { 0.0 };
    let tip = height - (0.85 * part * height as f32) as u32;
    let left = width / 3 + 5 * k.min(MOVING);
    let frame = RgbImage::from_fn(width, height, |x, y| {
        let arm = part > 0.0 && y > tip && (left..left + wide).contains(&x);
        if arm { Rgb([205, 150, 125]) } else { *table.get_pixel(x, y) }
    });
    noisy(frame, k)
}

/// A frame of a camera that moves by up to a few pixels.
fn shaken(table: &RgbImage, k: u32) -> Picture {
    let (x, y) = (4 + (k * 5) % 9, 4 + (k * 7) % 9);
    let (width, height) = table.dimensions();
    let mut frame = table.clone();
    let part = imageops::crop_imm(table, x, y, width - 16, height - 16).to_image();
    imageops::replace(&mut frame, &part, 8, 8);
    noisy(frame, k)
}

fn noisy(mut frame: RgbImage, k: u32) -> Picture {
    for (x, y, pixel) in frame.enumerate_pixels_mut() {
        let shade = ((x * 31 + y * 17 + k * 23) % 5) as u8;
        pixel.0 = pixel.0.map(|channel| channel.saturating_add(shade));
    }
    Picture::from_rgb(frame).expect("a size that is read")
}
