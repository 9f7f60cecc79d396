//! Compresses ONNX Runtime, where `make setup` has put it, so that it can go into the program.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_ONNXRUNTIME").is_none() {
        return Ok(());
    }
    let library = PathBuf::from("vendor/onnxruntime/libonnxruntime.so");
    println!("cargo::rerun-if-changed={}", library.display());
    let out = PathBuf::from(env::var("OUT_DIR")?).join("onnxruntime.zst");
    let packed = match fs::read(&library) {
        Ok(bytes) => pack(&bytes)?,
        Err(_) => {
            println!(
                "cargo::warning=built without ONNX Runtime: run `make setup` for a program that has it inside"
            );
            Vec::new()
        }
    };
    fs::write(out, packed)?;
    Ok(())
}

#[cfg(feature = "onnxruntime")]
fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    // 19 saves a tenth over 12, and takes half a minute more.
    zstd::encode_all(bytes, 12)
}

#[cfg(not(feature = "onnxruntime"))]
fn pack(_bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    Ok(Vec::new())
}
