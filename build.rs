//! Makes ready what goes into the program: ONNX Runtime, compressed, and what lets OpenCV do without other libraries.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "vision")]
    link_opencv_alone();
    if env::var_os("CARGO_FEATURE_ONNXRUNTIME").is_some() {
        pack_runtime()?;
    }
    Ok(())
}

/// The whole archive, and so before OpenCV's, whose own files for the same are not linked then.
#[cfg(feature = "vision")]
fn link_opencv_alone() {
    let source = "src/vision/opencv_alone.cpp";
    println!("cargo::rerun-if-changed={source}");
    cc::Build::new()
        .cpp(true)
        .file(source)
        .include("/usr/include/opencv4")
        .link_lib_modifier("+whole-archive")
        .compile("opencv_alone");
}

/// Compresses ONNX Runtime, where `make setup` has put it.
fn pack_runtime() -> Result<(), Box<dyn Error>> {
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
