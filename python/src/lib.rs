//! The part of the Python package that is written in Rust: `tilelens._native`.
//!
//! Each function takes what the functions of `tilelens/__init__.py` were given, works without Python's lock, and
//! gives an answer to the dataclasses of `tilelens/answers.py` by their shapes.

mod answers;
mod errors;
mod pictures;
mod request;
mod shape;
mod words;

use pyo3::prelude::*;

/// The functions and classes.
#[pymodule]
mod _native {
    use std::{
        collections::BTreeMap,
        num::NonZero,
        panic::resume_unwind,
        thread::{available_parallelism, scope},
    };

    use pyo3::{prelude::*, types::PyDict};
    use tilelens_scoring::{
        advice::{Waits, Weighed},
        appraisal::{ImageSize, Input, PictureReading, appraise},
        convert::HandFormat,
        layout::Hints,
        rules::{Answer, ErrorKind, Reply},
        tile::{SeenFace, Tile},
    };

    #[pymodule_export]
    use crate::shape::KeptShape;
    use crate::{
        answers::{Maker, NoCycles},
        errors::{Kind, refused},
        pictures::{self, Given},
        request::{self, LIBRARY},
        words::WORDS,
    };

    /// Most bytes of a picture file.
    #[pymodule_export]
    const MOST_BYTES: u64 = tilelens_eye::picture::MOST_BYTES;

    /// Hands that one thread answers at least.
    const TOGETHER: usize = 256;

    /// The answers to requests, on all processors.
    fn answered(texts: &[String], brief: bool) -> Vec<Reply> {
        let answer = |texts: &[String]| -> Vec<Reply> {
            texts.iter().map(|text| LIBRARY.answer(text, brief)).collect()
        };
        let threads = available_parallelism().map_or(1, NonZero::get);
        let share = texts.len().div_ceil(threads).max(TOGETHER);
        if texts.len() <= share {
            return answer(texts);
        }
        // Threads of a pool would be missing in a forked process.
        scope(|scope| {
            let work: Vec<_> =
                texts.chunks(share).map(|texts| scope.spawn(move || answer(texts))).collect();
            work.into_iter()
                .flat_map(|work| work.join().unwrap_or_else(|why| resume_unwind(why)))
                .collect()
        })
    }

    /// Scores hands: each is hand text, or a dict with a request of its own. `won`, `lost`: the shapes of answers.
    #[pyfunction]
    fn score<'py>(
        py: Python<'py>,
        hands: Vec<Bound<'py, PyAny>>,
        fields: &Bound<'py, PyDict>,
        brief: bool,
        won: &KeptShape,
        lost: &KeptShape,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let texts: Vec<String> =
            hands.iter().map(|own| request::text(fields, own)).collect::<PyResult<_>>()?;
        let replies = py.detach(|| answered(&texts, brief));
        let maker = Maker::new(py)?;
        let _no_cycles = NoCycles::new(py)?;
        let made = |reply: &Reply| match reply {
            Reply::Win(answer) => maker.made(&won.0, answer),
            Reply::Loser(answer) => maker.made(&lost.0, answer),
            Reply::Deal(_) => {
                let why = "a whole deal is not scored here: give it to `tilelens score --batch`";
                maker.made(&won.0, &Answer::failed(ErrorKind::BadRequest, why))
            }
        };
        replies.iter().map(made).collect()
    }

    /// The tiles of a text, in their order.
    fn tiles(text: &str) -> PyResult<Vec<Tile>> {
        let faces = request::reading(text)?.concealed.into_iter();
        let tile = |face| match face {
            SeenFace::Tile(tile) => Ok(tile),
            SeenFace::Back | SeenFace::Unknown => Err(refused(
                Kind::BadRequest,
                format!("`hidden` is \"{text}\": name each tile, such as 5p"),
            )),
        };
        faces.map(tile).collect()
    }

    /// Reads a picture: its tiles, the hand, and its score where the way of winning is given.
    #[pyfunction]
    #[pyo3(signature = (picture, fields, fixes, winning, hidden, kongs_claimed, shape))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of `tilelens.read`")]
    fn read<'py>(
        py: Python<'py>,
        picture: &Bound<'py, PyAny>,
        fields: &Bound<'py, PyDict>,
        fixes: BTreeMap<usize, String>,
        winning: Option<&str>,
        hidden: &str,
        kongs_claimed: Option<bool>,
        shape: &KeptShape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rules, at, is_won) = request::circumstances(fields)?;
        let fixes = fixes.iter().map(|(number, code)| Ok((*number, request::tile(code)?)));
        let fixes = fixes.collect::<PyResult<Vec<_>>>()?;
        let winning = winning.map(request::tile).transpose()?;
        let input = Input {
            hints: Hints { fixes, winning, whole: rules.whole_hand(), ..Hints::default() },
            hidden: tiles(hidden)?,
            kongs_claimed,
            at: is_won.then_some(at),
            ..Input::default()
        };
        let given = Given::of(picture)?;
        let (image, appraisal) = py.detach(|| {
            let read = pictures::read(given)?;
            let image = ImageSize { width: read.width, height: read.height };
            Ok::<_, pictures::Unread>((image, appraise(&read.tiles, &rules, &input)))
        })?;
        let count = appraisal.shown.tiles.len();
        if let Some((number, _)) = input.hints.fixes.iter().find(|(number, _)| *number >= count) {
            let why = format!(
                "`fixes` names tile {number}: the picture has {count} tiles, numbered from 0"
            );
            return Err(refused(Kind::BadRequest, why));
        }
        Maker::new(py)?.made(&shape.0, &PictureReading::of(None, image, &appraisal, WORDS))
    }

    /// A hand, the tiles that lie face up elsewhere, the rule set and the seats.
    #[pyfunction]
    fn waits<'py>(
        py: Python<'py>,
        hand: &str,
        seen: &str,
        fields: &Bound<'py, PyDict>,
        shape: &KeptShape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rules, at, _) = request::circumstances(fields)?;
        let (hand, seen) = (request::reading(hand)?, request::seen(seen)?);
        let waits = py.detach(|| Waits::of(&rules, &hand, &seen, &at));
        let waits = waits.map_err(|error| refused(Kind::BadHand, error))?;
        Maker::new(py)?.made(&shape.0, &waits)
    }

    /// What each discard of a hand leaves.
    #[pyfunction]
    fn advise<'py>(
        py: Python<'py>,
        hand: &str,
        seen: &str,
        fields: &Bound<'py, PyDict>,
        shape: &KeptShape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rules, at, _) = request::circumstances(fields)?;
        let (hand, seen) = (request::reading(hand)?, request::seen(seen)?);
        let weighed = py.detach(|| Weighed::new(&rules, &hand, &seen, &at));
        let weighed = weighed.map_err(|error| refused(Kind::BadHand, error))?;
        Maker::new(py)?.made(&shape.0, &json!(weighed.json(&rules, &hand)))
    }

    /// A hand in another notation, and what that cannot say.
    #[pyfunction]
    fn convert(text: &str, from: &str, to: &str) -> PyResult<(String, Vec<String>)> {
        let format = |name: &str| {
            name.parse::<HandFormat>().map_err(|error| refused(Kind::BadRequest, error))
        };
        let (from, to) = (format(from)?, format(to)?);
        let read = from.parse(text).map_err(|error| refused(Kind::BadHand, error))?;
        let written = to.print(&read.value).map_err(|error| refused(Kind::BadHand, error))?;
        Ok((written.value, read.notes.into_iter().chain(written.notes).collect()))
    }
}
