#!/usr/bin/env bash
# zune-jpeg 0.5.15 (the decoder of the image crate 0.25), strict mode.
#
# Expected: in strict mode a JPEG whose coded data end long before its last block, followed by an end marker, is an error; libjpeg
# warns of it ("premature end of data segment").
# Actual: it is decoded without an error; missing blocks are filled with the decoded value of zeros.
# Effect here: a photo damaged in transfer, or an Ultra HDR photo whose first picture is truncated before its second, would count as
# complete, and lack tiles. The program therefore decodes JPEGs with libjpeg's family.
#
# Exits non-zero once strict mode reports it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"
[dependencies]
jpeg-encoder = "=0.6.1"
zune-core = "=0.5.3"
zune-jpeg = "=0.5.15"
TOML
cat > src/main.rs <<'RUST'
use zune_core::{bytestream::ZCursor, options::DecoderOptions};

fn decoded(jpeg: &[u8]) -> Result<Vec<u8>, String> {
    let options = DecoderOptions::default().set_strict_mode(true);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(jpeg), options);
    decoder.decode().map_err(|error| error.to_string())
}

fn main() {
    let (width, height) = (256u16, 256u16);
    let pixels: Vec<u8> = (0..u32::from(width) * u32::from(height))
        .flat_map(|at| [(at * 7 % 251) as u8, (at / 256) as u8, (at % 256) as u8])
        .collect();
    let mut whole = Vec::new();
    jpeg_encoder::Encoder::new(&mut whole, 90)
        .encode(&pixels, width, height, jpeg_encoder::ColorType::Rgb)
        .expect("a picture");
    // Half of its coded data, then the end marker.
    let mut cut = whole[..whole.len() / 2].to_vec();
    cut.extend([0xFF, 0xD9]);
    let (whole, cut) = (decoded(&whole).expect("the whole picture"), decoded(&cut));
    match cut {
        Ok(cut) => {
            let same = whole.iter().zip(&cut).filter(|(a, b)| a == b).count();
            println!("strict mode reports nothing; {} % of the samples are those of the whole picture", 100 * same / whole.len());
        }
        Err(error) => {
            println!("strict mode reports: {error}");
            std::process::exit(1);
        }
    }
}
RUST
cargo run --quiet
