//! The program as an organiser calls it, in a folder of its own.

use std::{fs, path::PathBuf};

use assert_cmd::Command;
use serde_json::Value as Json;
use tempfile::TempDir;

/// A folder with a tournament in it.
pub struct Evening {
    pub folder: TempDir,
}

impl Evening {
    /// A number of players, numbered as drawn, and of rounds.
    pub fn seated(players: usize, rounds: &str) -> Self {
        let evening = Self::begun();
        let mut people = String::from("name,reserve\n");
        (0..players).for_each(|place| people += &format!("Player {place:02},\n"));
        people += "Rita,yes\n\"Quentin \"\"Q\"\" <b>&amp;</b>, Jr.\",yes\n";
        evening.write("people.csv", people.as_bytes());
        evening.ok(&["import", "@", "people.csv"]);
        evening.ok(&["seat", "@", "--rounds", rounds, "--seed", "dice 3 5 2"]);
        evening
    }

    pub fn begun() -> Self {
        Self::begun_with(&[])
    }

    pub fn begun_with(options: &[&str]) -> Self {
        let evening = Self { folder: tempfile::tempdir().expect("a folder") };
        evening.ok(&[&["new", "@", "--name", "Evening <i>& Co</i>"], options].concat());
        evening
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("it can be written");
    }

    pub fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
        command.current_dir(self.folder.path()).env("TZ", "UTC").arg("tournament");
        // `@` is the tournament's file.
        command.args(arguments.iter().map(|one| if *one == "@" { "evening.tlg" } else { one }));
        command
    }

    /// Exit code, standard output, standard error.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = Command::from_std(self.command(arguments)).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("it ends"), text(output.stdout), text(output.stderr))
    }

    pub fn ok(&self, arguments: &[&str]) -> String {
        let (code, out, error) = self.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {error}");
        out
    }

    pub fn json(&self, arguments: &[&str]) -> Json {
        let out = self.ok(&[arguments, &["--json"]].concat());
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }

    pub fn refused(&self, arguments: &[&str]) -> String {
        let (code, _, error) = self.run(arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        error
    }
}

/// A table's page as JSON.
pub fn table(evening: &Evening, arguments: &[&str]) -> Json {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
    command.current_dir(evening.folder.path()).env("TZ", "UTC").args(["table", arguments[0]]);
    command.arg("evening.tlg").args(&arguments[1..]).arg("--json");
    let output = Command::from_std(command).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A player's line of the standings.
pub fn standing(evening: &Evening, name: &str) -> Json {
    let standings = evening.json(&["standings", "@"]);
    let rows = standings.as_array().expect("a list");
    rows.iter().find(|row| row["name"] == name).cloned().expect("somebody")
}
