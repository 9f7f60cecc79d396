//! Exceptions: the classes of `tilelens/errors.py`.

use std::fmt::Display;

use pyo3::prelude::*;
use tilelens_scoring::calls::Refused;

/// The kind of an error of this part, which is the name of its class.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A value that JSON does not have.
    BadRequest,
    /// A picture that is not read.
    BadPicture,
    /// The networks do not run.
    ReaderFailed,
}

/// The exception for an error; its message has the cause and the cure.
pub fn refused(kind: Kind, message: impl Display) -> PyErr {
    raised(&format!("{kind:?}"), message)
}

/// The exception for a refused call.
pub fn of_call(refused: Refused) -> PyErr {
    raised(&format!("{:?}", refused.kind), refused.message)
}

fn raised(class: &str, message: impl Display) -> PyErr {
    let message = message.to_string();
    Python::attach(|py| {
        let raised = py
            .import("tilelens.errors")
            .and_then(|errors| errors.getattr(class)?.call1((message,)));
        raised.map_or_else(|error| error, PyErr::from_value)
    })
}
