//! Where ONNX Runtime comes from: a file that is named, one beside the program, or the one inside it.

use std::{path::PathBuf, sync::OnceLock};

use ort::environment::Environment;
use rustix::fs::{MemfdFlags, memfd_create};

use super::ModelError;

/// The library as `make setup` fetched it, compressed by the build; empty in a build without it.
const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/onnxruntime.zst"));

/// The library's environment; it is loaded once for the whole program.
///
/// # Errors
/// None was found, or it cannot be loaded: the message says what to do.
pub(super) fn environment() -> Result<&'static Environment, ModelError> {
    static LOADED: OnceLock<Result<Environment, String>> = OnceLock::new();
    let loaded = LOADED.get_or_init(find_and_load);
    loaded.as_ref().map_err(|why| ModelError::Runtime(why.clone()))
}

fn find_and_load() -> Result<Environment, String> {
    if let Some(named) = std::env::var_os("ORT_DYLIB_PATH") {
        return load_file(&PathBuf::from(named));
    }
    let beside = std::env::current_exe().ok().and_then(|exe| {
        let file = exe.parent()?.join("libonnxruntime.so");
        file.is_file().then_some(file)
    });
    if let Some(file) = beside {
        return load_file(&file);
    }
    if EMBEDDED.is_empty() {
        return Err("ONNX Runtime is missing: this program was built without it. \
            Build with `make build`, or name its library in ORT_DYLIB_PATH"
            .to_owned());
    }
    load_embedded()
}

/// The library goes into memory that has a path but no place on any disk.
fn load_embedded() -> Result<Environment, String> {
    let told = |error: std::io::Error| format!("cannot unpack ONNX Runtime: {error}");
    let memory = memfd_create("libonnxruntime.so", MemfdFlags::CLOEXEC)
        .map_err(|error| told(error.into()))?;
    let mut file = std::fs::File::from(memory);
    zstd::stream::copy_decode(EMBEDDED, &mut file).map_err(told)?;
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    let loaded = load_file(&PathBuf::from(path));
    // It stays open: the loader may look at the path again.
    std::mem::forget(file);
    loaded
}

fn load_file(path: &std::path::Path) -> Result<Environment, String> {
    let environment = ort::init_from(path)
        .map_err(|error| format!("cannot load ONNX Runtime from {}: {error}", path.display()))?;
    let environment = environment.with_name("tilelens").with_telemetry(false).build();
    environment.map_err(|error| format!("ONNX Runtime does not start: {error}"))
}
