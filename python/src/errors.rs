//! Exceptions: the classes of `tilelens/errors.py`.

use std::fmt::Display;

use pyo3::prelude::*;

/// The kind of an error, which is the name of its class.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An unknown rule set, field, value or ruling.
    BadRequest,
    /// Text that is no hand, or a hand that has the wrong tiles.
    BadHand,
    /// Circumstances that contradict each other.
    NotAllowed,
    /// A picture that is not read.
    BadPicture,
    /// The networks do not run.
    ReaderFailed,
}

/// The exception for an error; its message has the cause and the cure.
pub fn refused(kind: Kind, message: impl Display) -> PyErr {
    let message = message.to_string();
    Python::attach(|py| {
        let raised = py
            .import("tilelens.errors")
            .and_then(|errors| errors.getattr(format!("{kind:?}"))?.call1((message,)));
        raised.map_or_else(|error| error, PyErr::from_value)
    })
}
