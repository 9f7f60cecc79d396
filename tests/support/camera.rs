//! A camera that is preloaded into the program: `tests/camera/fake_camera.c`.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The preloaded camera, compiled once; `None` where there is no C compiler.
fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compiled = SHIM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/camera/fake_camera.c");
        let name = concat!(env!("CARGO_CRATE_NAME"), "-camera.so");
        let shim = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-o"]);
        let compiled = command.arg(&shim).arg(source).args(["-ldl", "-lpthread"]).status().ok()?;
        assert!(compiled.success(), "the fake camera does not compile");
        Some(shim)
    });
    if compiled.is_none() {
        eprintln!("skipped: there is no C compiler for the fake camera");
    }
    compiled.as_deref()
}

/// A program that will see the fake camera, whose settings lie in a folder of that name.
pub fn command_with_camera(name: &str, program: &Path, settings: &str) -> Option<Command> {
    let shim = shim()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Files of an earlier run would be shown in this one.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let control = folder.join("camera");
    std::fs::write(&control, settings).unwrap();
    let mut command = Command::new(program);
    command.env("LD_PRELOAD", shim).env("FAKE_CAMERA", &control);
    Some(command)
}

/// Runs something with the fake camera; whether it went well, and what it printed.
pub fn with_camera(
    name: &str,
    program: &Path,
    arguments: &[&str],
    settings: &str,
) -> Option<(bool, String)> {
    let output = command_with_camera(name, program, settings)?.args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}
