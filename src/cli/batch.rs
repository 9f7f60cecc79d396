//! Requests as JSON Lines: one answer a line, in order, on all cores, a bounded part of the input
//! in memory at a time.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::Path,
};

use anyhow::Context;
use rayon::prelude::*;

use super::Outcome;
use crate::{
    output::Inputs,
    rules::{Answer, ErrorKind, Library},
};

/// The number of lines read at a time.
const LINES: usize = 16_384;
/// The number of lines that one task answers into one buffer.
const TOGETHER: usize = 256;
/// The longest request, in bytes; the rest of a longer line is skipped.
const LONGEST: usize = 64 * 1024;

enum InputLine {
    Text(Vec<u8>),
    TooLong,
}

/// The next line without its end; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > LONGEST {
        input.skip_until(b'\n')?;
        return Ok(Some(InputLine::TooLong));
    }
    Ok(Some(InputLine::Text(line)))
}

/// Appends the answer to a line.
fn write_answer(line: &InputLine, library: &Library, brief: bool, out: &mut Vec<u8>) {
    let answer = match line {
        InputLine::TooLong => {
            let problem = format!("a line of more than {LONGEST} bytes");
            Answer::failed(ErrorKind::BadRequest, problem).into()
        }
        InputLine::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => library.answer(text, brief),
            Err(_) => Answer::failed(ErrorKind::BadRequest, "a line that is not UTF-8").into(),
        },
    };
    // An answer is plain text and numbers: writing it to memory cannot fail.
    let _ = serde_json::to_writer(&mut *out, &answer);
    out.push(b'\n');
}

fn copy(
    mut input: BufReader<impl Read>,
    mut output: impl Write,
    library: &Library,
    brief: bool,
) -> anyhow::Result<()> {
    loop {
        let mut lines = Vec::with_capacity(LINES);
        let mut bytes = 0;
        while lines.len() < LINES && bytes < LINES * 1024 {
            match next_line(&mut input).context("cannot read the requests")? {
                Some(line) => {
                    bytes += if let InputLine::Text(text) = &line { text.len() } else { 0 };
                    lines.push(line);
                    // A person or a program that waits for each answer gets it before the next line has come.
                    if !input.buffer().contains(&b'\n') {
                        break;
                    }
                }
                None => break,
            }
        }
        if lines.is_empty() {
            return Ok(output.flush()?);
        }
        let answers: Vec<Vec<u8>> = (lines.par_chunks(TOGETHER))
            .map(|lines| {
                let mut out = Vec::with_capacity(lines.len() * 1024);
                lines.iter().for_each(|line| write_answer(line, library, brief, &mut out));
                out
            })
            .collect();
        for answer in answers {
            output.write_all(&answer)?;
        }
        output.flush()?;
    }
}

/// Answers every line of a file, or of standard input (`-`).
pub(super) fn run(path: &Path, library: &Library, brief: bool) -> anyhow::Result<Outcome> {
    Inputs::of([path]).refuse_stdout()?;
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    if path == Path::new("-") {
        copy(BufReader::with_capacity(1 << 20, io::stdin().lock()), output, library, brief)?;
    } else {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        copy(BufReader::with_capacity(1 << 20, file), output, library, brief)?;
    }
    Ok(Outcome::Found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<String> {
        let mut output = Vec::new();
        copy(BufReader::new(input), &mut output, &Library::default(), true).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_line_has_an_answer_in_order() {
        let good = r#"{"rules":"mmm","hand":"123m456m789p23s55s +4s","seat":"W","round":"E","win":"discard","from":"S"}"#;
        let long = "x".repeat(LONGEST + 10);
        let input = format!("{good}\nnonsense\n\n{long}\n{good}");
        let found = answers(input.as_bytes());
        assert_eq!(found.len(), 5);
        assert!(found[0].contains(r#""ok":true"#) && found[4] == found[0]);
        assert!(found[1..4].iter().all(|line| line.contains("bad_request")));
        assert!(answers(b"\xff\xfe\n")[0].contains("UTF-8"));
    }

    #[test]
    fn an_empty_input_has_no_answers() {
        assert!(answers(b"").is_empty());
    }
}
