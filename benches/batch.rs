//! JSON lines a second through the whole program, on two cores and on one.
//!
//! `cargo bench --bench batch`

#[path = "../tests/support/random.rs"]
mod random;

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use random::{Dice, circumstances, complete_hand};
use tilelens::{rules::Win, tile::Seat};

const LINES: usize = 300_000;
const RUNS: usize = 5;

/// Random complete hands as requests, one a line.
fn write_requests(path: &Path) -> io::Result<()> {
    let mut dice = Dice(2026);
    let mut out = BufWriter::new(File::create(path)?);
    for line in 0..LINES {
        let hand = complete_hand(&mut dice, line % 2 == 0);
        let at = circumstances(&mut dice, &hand);
        let (win, from) = match at.win {
            Win::SelfDraw => ("self_draw", None),
            Win::Discard { from } => ("discard", Some(from)),
            Win::RobKong { from } => ("rob_kong", Some(from)),
        };
        let from = from.map_or_else(String::new, |from: Seat| format!(r#","from":"{from}""#));
        let rules = ["mmm", "mmm-dk", "ims", "hkos", "chumchu"][line % 5];
        writeln!(
            out,
            r#"{{"rules":"{rules}","hand":"{hand}","seat":"{}","round":"{}","win":"{win}"{from}}}"#,
            at.seat, at.round
        )?;
    }
    out.flush()
}

/// The median of several runs, in lines a second.
fn lines_a_second(path: &Path, cores: usize, brief: bool) -> io::Result<f64> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilelens"));
        command.env("RAYON_NUM_THREADS", cores.to_string()).args(["score", "--batch"]).arg(path);
        if brief {
            command.arg("--brief");
        }
        let start = Instant::now();
        let status = command.stdout(Stdio::null()).status()?;
        assert!(status.success(), "the program answers");
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(LINES as f64 / seconds[RUNS / 2])
}

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("requests.jsonl");
    write_requests(&path)?;
    println!("lines a second, the median of {RUNS} runs of {LINES} random hands of all rule sets:");
    for cores in [1, 2] {
        let explained = lines_a_second(&path, cores, false)?;
        let brief = lines_a_second(&path, cores, true)?;
        println!("{cores} cores   explained {explained:>9.0}   --brief {brief:>9.0}");
    }
    Ok(())
}
