//! Makes ready what goes into the program: ONNX Runtime, and what lets OpenCV do without other libraries.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "opencv")]
    link_opencv_alone();
    // Elsewhere it lies beside the program.
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if is_linux && env::var_os("CARGO_FEATURE_ONNXRUNTIME").is_some() {
        pack_runtime()?;
    }
    Ok(())
}

/// The whole archive, and so before OpenCV's, whose own files for the same are not linked then.
#[cfg(feature = "opencv")]
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

/// ONNX Runtime, where `make setup` has put it. It is not compressed: each start of the program would pay for that.
fn pack_runtime() -> Result<(), Box<dyn Error>> {
    let library = PathBuf::from("../../vendor/onnxruntime/libonnxruntime.so");
    println!("cargo::rerun-if-changed={}", library.display());
    let bytes = fs::read(&library).unwrap_or_else(|_| {
        println!(
            "cargo::warning=built without ONNX Runtime: run `make setup` for a program that has it inside"
        );
        Vec::new()
    });
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("onnxruntime.so"), bytes)?;
    // Beside the program it is loaded as the file that it is: to copy it into memory takes as long as to read a small picture.
    if let Some(program) = out.ancestors().nth(3) {
        let beside = program.join("libonnxruntime.so");
        let _ = fs::remove_file(&beside);
        let _ = fs::hard_link(&library, &beside);
    }
    Ok(())
}
