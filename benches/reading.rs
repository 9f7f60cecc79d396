//! Time from pixels to tiles and to a score, on our own pictures: `cargo bench --bench reading`.
//!
//! `PEER=DIR` reads with the models of a folder as well, in the same run: machines are noisy, and
//! only figures of one run compare.

use std::{hint::black_box, path::Path, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use image::{RgbImage, imageops};
use tilelens::{
    appraisal::{Input, appraise},
    picture::Picture,
    rules::Library,
    tileset::{Fit, Profile, SHIPPED, TurnedEmbedding},
    vision::{Models, Reader},
};

/// One of the pictures in `datasets/`.
fn table(name: &str) -> RgbImage {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/tables").join(name);
    image::open(path).expect("a picture of datasets/").into_rgb8()
}

/// Twelve megapixels with a hand of tiles about a hundred pixels wide somewhere in it.
fn twelve_megapixels() -> Picture {
    let hand = table("pung-from-left.jpg");
    let (width, height) = (hand.width() * 3 / 2, hand.height() * 3 / 2);
    let hand = imageops::resize(&hand, width, height, imageops::FilterType::CatmullRom);
    let mut photo = RgbImage::from_pixel(4032, 3024, *hand.get_pixel(width / 2, 20));
    imageops::replace(&mut photo, &hand, 900, 1100);
    Picture::from_rgb(photo).expect("a size that is read")
}

fn networks(c: &mut Criterion) {
    let mut models = vec![("ours", Models::builtin(1).expect("models"))];
    if let Some(folder) = std::env::var_os("PEER") {
        models.push(("peer", Models::from_folder(folder.as_ref(), 1).expect("models of PEER")));
    }
    let side = 640;
    let hand = imageops::resize(&table("two-rows.jpg"), side, side, imageops::FilterType::Triangle);
    let mut planes = vec![0.0; 3 * (side * side) as usize];
    for (at, pixel) in hand.pixels().enumerate() {
        for channel in 0..3 {
            planes[channel * (side * side) as usize + at] = f32::from(pixel.0[2 - channel]);
        }
    }
    let mut group = c.benchmark_group("one thread");
    let crops = &planes[..14 * 3 * 64 * 64];
    for (name, models) in &mut models {
        group.bench_function(format!("detector, 640 x 640, {name}"), |b| {
            b.iter(|| black_box(models.detect(&planes, side as usize, side as usize)).is_ok());
        });
        group.bench_function(format!("classifier, 14 crops, {name}"), |b| {
            b.iter(|| black_box(models.classify(crops)).is_ok());
        });
    }
    let (_, models) = &mut models[0];
    // What a tile set adds: the network's last layer handed out, and each crop compared with it.
    let (_, text) = SHIPPED[0];
    let profile = Profile::parse(text).expect("the profile of the program");
    group.bench_function("classifier, 14 crops, with a tile set", |b| {
        b.iter(|| {
            let mut seen = models.embed(crops).expect("embeddings");
            let mut fit = Fit::default();
            for (named, embedding) in &mut seen {
                let crop = [TurnedEmbedding { quarters: 0, embedding: std::mem::take(embedding) }];
                profile.fit(&mut fit, &named.classes, &named.turns, &crop);
                profile.likeness(&crop).apply(&mut named.classes, &mut named.turns, 1.0);
            }
            black_box((seen, fit));
        });
    });
    group.finish();
}

fn photos(c: &mut Criterion) {
    let photo = twelve_megapixels();
    let rules = Library::new(Box::new(|_| None)).rule_set("mmm", &[]).expect("a preset");
    let mut group = c.benchmark_group("two threads");
    let mut readers = vec![("ours", Reader::builtin(2).expect("models"))];
    if let Some(folder) = std::env::var_os("PEER") {
        readers.push(("peer", Reader::from_folder(folder.as_ref(), 2).expect("models of PEER")));
    }
    for (name, reader) in &mut readers {
        assert_eq!(reader.read(&photo).expect("tiles").len(), 14, "{name}");
        group.bench_function(format!("12 megapixels to tiles, {name}"), |b| {
            b.iter(|| black_box(reader.read(&photo)).is_ok());
        });
        group.bench_function(format!("12 megapixels to score, {name}"), |b| {
            b.iter(|| {
                let tiles = reader.read(&photo).expect("tiles");
                black_box(appraise(&tiles, &rules, &Input::default()));
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = reading;
    config = Criterion::default().measurement_time(Duration::from_secs(8)).sample_size(40);
    targets = networks, photos
}
criterion_main!(reading);
