//! The part of the Python package that is written in Rust: `tilelens._native`.
//!
//! Each function takes what the functions of `tilelens/__init__.py` were given, works without Python's lock, and
//! gives an answer to the dataclasses of `tilelens/answers.py` by their shapes.

mod answers;
mod errors;
mod pictures;
mod request;
mod shape;

use pyo3::prelude::*;

/// The functions and classes.
#[pymodule]
mod _native {
    use std::{
        num::NonZero,
        panic::resume_unwind,
        thread::{available_parallelism, scope},
    };

    use pyo3::{prelude::*, types::PyDict};
    use tilelens_scoring::{
        appraisal::{ImageSize, PictureReading},
        calls::{Conversion, HandQuestion, Kongs, PictureQuestion, Refused, WORDS},
        rules::{Answer, ErrorKind, Reply},
    };

    #[pymodule_export]
    use crate::shape::KeptShape;
    use crate::{
        answers::{Maker, NoCycles},
        errors::of_call,
        pictures::{self, Given},
        request::{self, LIBRARY},
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

    /// Reads a picture: its tiles, the hand, and its score where the way of winning is given.
    #[pyfunction]
    #[pyo3(signature = (picture, fields, fixes, winning, hidden, kongs_claimed, shape))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of `tilelens.read`")]
    fn read<'py>(
        py: Python<'py>,
        picture: &Bound<'py, PyAny>,
        fields: &Bound<'py, PyDict>,
        fixes: Vec<(usize, String)>,
        winning: Option<String>,
        hidden: String,
        kongs_claimed: Option<bool>,
        shape: &KeptShape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kongs = kongs_claimed.map(|is| if is { Kongs::Claimed } else { Kongs::Concealed });
        let fields = request::fields(fields)?;
        let question = PictureQuestion { fixes, winning, hidden, kongs, fields };
        let call = question.checked(&LIBRARY).map_err(of_call)?;
        let given = Given::of(picture)?;
        let (image, appraisal) = py.detach(|| {
            let read = pictures::read(given)?;
            let image = ImageSize { width: read.width, height: read.height };
            let appraisal = call.appraised(&read.tiles).map_err(of_call)?;
            Ok::<_, PyErr>((image, appraisal))
        })?;
        Maker::new(py)?.made(&shape.0, &PictureReading::of(None, image, &appraisal, WORDS))
    }

    /// What a function of a hand answers, without Python's lock.
    fn of_hand<T: Send>(
        py: Python<'_>,
        (hand, seen): (String, String),
        fields: &Bound<'_, PyDict>,
        answer: impl FnOnce(HandQuestion) -> Result<T, Refused> + Send,
    ) -> PyResult<T> {
        let question = HandQuestion { hand, seen, fields: request::fields(fields)? };
        py.detach(|| answer(question)).map_err(of_call)
    }

    /// The tiles that complete a hand one tile short. `seen`: tiles that lie face up elsewhere.
    #[pyfunction]
    fn waits<'py>(
        py: Python<'py>,
        hand: String,
        seen: String,
        fields: &Bound<'py, PyDict>,
        shape: &KeptShape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let waits = of_hand(py, (hand, seen), fields, |question| question.waits(&LIBRARY))?;
        Maker::new(py)?.made(&shape.0, &waits)
    }

    /// What each discard of a hand leaves.
    #[pyfunction]
    fn advise<'py>(
        py: Python<'py>,
        hand: String,
        seen: String,
        fields: &Bound<'py, PyDict>,
        shape: &KeptShape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let advice = of_hand(py, (hand, seen), fields, |question| question.advice(&LIBRARY))?;
        Maker::new(py)?.made(&shape.0, &advice)
    }

    /// A hand in another notation, and what that cannot say.
    #[pyfunction]
    fn convert(text: String, from: String, to: String) -> PyResult<(String, Vec<String>)> {
        let converted = Conversion { text, from, to }.done().map_err(of_call)?;
        Ok((converted.text, converted.notes))
    }
}
