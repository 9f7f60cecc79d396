//! Networks run by ONNX Runtime. Its library is the file in `ORT_DYLIB_PATH`, one beside the program, or the
//! embedded one.

use std::{env::consts, path::PathBuf, sync::OnceLock};

use ort::{
    LoadDynamicError,
    environment::Environment,
    session::{
        Session,
        builder::{GraphOptimizationLevel, SessionBuilder},
    },
    value::{TensorRef, ValueType},
};

use super::{ModelError, Network, Output};

/// The library as `make setup` fetched it; empty in a build without it.
#[cfg(target_os = "linux")]
const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/onnxruntime.so"));

/// The library's environment; it is loaded once for the whole program.
///
/// # Errors
/// The library is missing or cannot be loaded: the message says how to cure it.
fn environment() -> Result<&'static Environment, ModelError> {
    static LOADED: OnceLock<Result<Environment, String>> = OnceLock::new();
    let loaded = LOADED.get_or_init(find_and_load);
    loaded.as_ref().map_err(|why| ModelError::Runtime(why.clone()))
}

fn find_and_load() -> Result<Environment, String> {
    if let Some(file) = std::env::var_os("ORT_DYLIB_PATH") {
        return load_file(&PathBuf::from(file));
    }
    let beside = std::env::current_exe().ok().and_then(|exe| {
        let file = exe.parent()?.join(library_file());
        file.is_file().then_some(file)
    });
    if let Some(file) = beside {
        return load_file(&file);
    }
    load_embedded()
}

/// The name of the library's file beside the program.
fn library_file() -> String {
    format!("{}onnxruntime{}", consts::DLL_PREFIX, consts::DLL_SUFFIX)
}

#[cfg(not(target_os = "linux"))]
fn load_embedded() -> Result<Environment, String> {
    Err(format!(
        "ONNX Runtime is missing: put {} beside the program, or name its file in ORT_DYLIB_PATH",
        library_file()
    ))
}

/// Loads the library from memory that has a path but no place on any disk.
#[cfg(target_os = "linux")]
fn load_embedded() -> Result<Environment, String> {
    use std::io::Write as _;

    use rustix::fs::{MemfdFlags, memfd_create};

    if EMBEDDED.is_empty() {
        return Err("ONNX Runtime is missing: this program was built without it. \
            Build with `make build`, or name its library in ORT_DYLIB_PATH"
            .to_owned());
    }
    let failure = |error: std::io::Error| format!("cannot unpack ONNX Runtime: {error}");
    let memory = memfd_create("libonnxruntime.so", MemfdFlags::CLOEXEC)
        .map_err(|error| failure(error.into()))?;
    let mut file = std::fs::File::from(memory);
    file.write_all(EMBEDDED).map_err(failure)?;
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    let loaded = load_file(&PathBuf::from(path));
    // It stays open: the loader may look at the path again.
    std::mem::forget(file);
    loaded
}

fn load_file(path: &std::path::Path) -> Result<Environment, String> {
    let file = path.display();
    let environment = ort::init_from(path).map_err(|error| match error {
        LoadDynamicError::BadVersion { version_str, .. } => format!(
            "the ONNX Runtime in {file} is version {version_str}, and the networks need 1.{} or newer: name such \
             a one in ORT_DYLIB_PATH, or take this one away (the program has one inside)",
            ort::MINOR_VERSION
        ),
        error => format!("cannot load ONNX Runtime from {file}: {error}"),
    })?;
    let environment = environment.with_name("tilelens").with_telemetry(false).build();
    environment.map_err(|error| format!("ONNX Runtime does not start: {error}"))
}

/// One network, ready to run.
struct OnnxRuntime(Session);

/// Reads a network from the bytes of its file; `is_ready`: ONNX Runtime has already rearranged it.
///
/// # Errors
/// The bytes are not a network that runs; or (outer) ONNX Runtime is missing.
pub(super) fn load(
    bytes: &[u8],
    threads: usize,
    is_ready: bool,
) -> Result<Result<Box<dyn Network>, String>, ModelError> {
    Ok(session(environment()?, bytes, threads, is_ready)
        .map(|session| Box::new(OnnxRuntime(session)) as Box<dyn Network>))
}

impl Network for OnnxRuntime {
    fn input(&self) -> Option<(String, Option<usize>)> {
        let input = self.0.inputs().first()?;
        let width = match input.dtype() {
            // A negative length is left open by the file.
            ValueType::Tensor { shape, .. } => {
                shape.last().and_then(|width| usize::try_from(*width).ok())
            }
            _ => None,
        };
        Some((input.name().to_owned(), width))
    }

    fn output(&self, name: &str) -> Option<Option<usize>> {
        let output = self.0.outputs().iter().find(|output| output.name() == name)?;
        match output.dtype() {
            // A negative length is left open by the file.
            ValueType::Tensor { shape, .. } => {
                Some(shape.get(1).and_then(|channels| usize::try_from(*channels).ok()))
            }
            _ => None,
        }
    }

    fn run(
        &mut self,
        shape: [usize; 4],
        values: &[f32],
        outputs: &[&str],
    ) -> Result<Vec<Output>, String> {
        let input = TensorRef::from_array_view((shape, values)).map_err(|e| e.to_string())?;
        let found = self.0.run(ort::inputs![input]).map_err(|error| error.to_string())?;
        let output = |name: &&str| {
            let value = found.get(*name).ok_or_else(|| format!("no output `{name}`"))?;
            let (shape, values) =
                value.try_extract_tensor::<f32>().map_err(|error| error.to_string())?;
            let shape = shape.iter().map(|side| usize::try_from(*side).unwrap_or(0)).collect();
            Ok((shape, values.to_vec()))
        };
        outputs.iter().map(output).collect()
    }
}

/// Processors without VNNI, most of those sold before 2021, add two products in 16 bits and cut off the overflow: a
/// tile in fourteen was lost. This option avoids it, a little slower; on other processors it would cost more than half
/// of the time and change nothing.
const EXACT_SUMS: (&str, &str) = ("session.x64quantprecision", "1");

/// Whether sums of products of 8 bits come out whole in the instructions that ONNX Runtime uses on this processor.
pub(super) fn adds_exactly() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        let has_wide = is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        has_wide || is_x86_feature_detected!("avxvnni")
    }
    #[cfg(not(target_arch = "x86_64"))]
    true
}

fn session(
    environment: &Environment,
    bytes: &[u8],
    threads: usize,
    is_ready: bool,
) -> Result<Session, String> {
    let failure = |error: ort::Error<SessionBuilder>| error.to_string();
    let mut builder = Session::builder(environment)
        .map_err(|error| error.to_string())?
        .with_intra_threads(threads.max(1))
        .map_err(failure)?
        // Spinning threads take the cores from other programs.
        .with_intra_op_spinning(false)
        .map_err(failure)?;
    if !adds_exactly() {
        builder = builder.with_config_entry(EXACT_SUMS.0, EXACT_SUMS.1).map_err(failure)?;
    }
    if is_ready {
        builder =
            builder.with_optimization_level(GraphOptimizationLevel::Disable).map_err(failure)?;
    }
    builder.commit_from_memory(bytes).map_err(|error| format!("not a network that runs: {error}"))
}
