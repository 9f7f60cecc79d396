//! The program's dependencies.

#![cfg(all(feature = "vision", target_os = "linux"))]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilelens");
const PHOTO: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/photos/tables/table-discards.jpg");

/// The shared libraries that the program is started with, as the system's loader lists them.
fn shared_libraries() -> Vec<(String, Option<PathBuf>)> {
    let out = Command::new("ldd").arg(PROGRAM).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let path = if name.starts_with('/') { Some(name.as_str()) } else { words.nth(1) };
        Some((name.clone(), path.filter(|path| path.starts_with('/')).map(PathBuf::from)))
    };
    text.lines().filter_map(line).collect()
}

/// "One program, nothing to install beside it" was not so: twenty shared libraries of OpenCV's, LAPACK, X11 and GL among
/// them, had to be there before even `table` started.
#[test]
fn only_the_c_and_c_plus_plus_runtime_is_needed() {
    let runtime = ["linux-vdso.so", "libc.so", "libm.so", "libgcc_s.so", "libstdc++.so"];
    let is_runtime = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or(name);
        name.starts_with("ld-linux") || runtime.iter().any(|library| name.starts_with(library))
    };
    let libraries = shared_libraries();
    let others: Vec<&str> =
        libraries.iter().map(|(name, _)| name.as_str()).filter(|name| !is_runtime(name)).collect();
    assert!(libraries.len() > 1 && others.is_empty(), "{others:?} beside the runtime");
}

/// In a root that holds the program, a photo and the C and C++ runtime alone, tables are kept and photos are read.
#[test]
fn the_program_works_in_a_bare_root() {
    let root = tempfile::tempdir().unwrap();
    let put = |from: &Path, to: &Path| {
        let to = root.path().join(to.strip_prefix("/").unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    };
    for path in shared_libraries().iter().filter_map(|(_, path)| path.as_deref()) {
        put(path, path);
        // ONNX Runtime names parts of the C runtime that have become one with it, but still lie beside it.
        if path.file_name().is_some_and(|name| name == "libc.so.6") {
            for part in ["libdl.so.2", "libpthread.so.0", "librt.so.1"] {
                put(&path.with_file_name(part), &path.with_file_name(part));
            }
        }
    }
    put(Path::new(PROGRAM), Path::new("/tilelens"));
    put(Path::new(PHOTO), Path::new("/photo.jpg"));
    fs::create_dir(root.path().join("proc")).unwrap();

    // In namespaces of its own a process may change its root, whoever started it, where the system allows such namespaces.
    let apart = |script: &str, arguments: &[&str]| -> Output {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", script]);
        command.arg(root.path()).args(arguments).env_remove("ORT_DYLIB_PATH").output().unwrap()
    };
    if !apart("mount --rbind /proc \"$0/proc\"", &[]).status.success() {
        eprintln!("skipped: this system allows no namespaces of one's own");
        return;
    }
    let ran = |arguments: &[&str]| {
        let out = apart(
            "mount --rbind /proc \"$0/proc\"; exec chroot \"$0\" /tilelens \"$@\"",
            arguments,
        );
        assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    ran(&["table", "new", "/evening.tlg", "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    assert!(ran(&["table", "show", "/evening.tlg"]).contains("Cy"));
    let won = ["--rules", "mmm", "--seat", "S", "--round", "E", "--from", "W", "--no-questions"];
    let read = ran(&[&["photo", "/photo.jpg"], &won[..]].concat());
    assert!(read.contains("123m456p78s55z (7'77z) +9s"), "{read}");
}
