//! Requests as they come from Python: fields and hands, made to the JSON that every front end asks with.

use std::sync::LazyLock;

use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap},
};
use serde_json::{Map, Value};
use tilelens_scoring::rules::Library;

use crate::errors::{Kind, refused};

/// The rule sets, and rule files by their paths.
pub static LIBRARY: LazyLock<Library> =
    LazyLock::new(|| Library::new(Box::new(tilelens_files::rule_file)));

/// A value from Python, written as JSON.
struct Given<'a, 'py>(&'a Bound<'py, PyAny>);

impl Serialize for Given<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        let wrong = |error: PyErr| S::Error::custom(error);
        if let Ok(text) = value.cast::<PyString>() {
            serializer.serialize_str(text.to_str().map_err(wrong)?)
        } else if let Ok(is) = value.cast::<PyBool>() {
            serializer.serialize_bool(is.is_true())
        } else if value.is_instance_of::<PyInt>() {
            serializer.serialize_i64(value.extract().map_err(wrong)?)
        } else if value.is_instance_of::<PyFloat>() {
            serializer.serialize_f64(value.extract().map_err(wrong)?)
        } else if value.is_none() {
            serializer.serialize_none()
        } else if let Ok(list) = value.cast::<PyList>() {
            serializer.collect_seq(list.iter().map(GivenPart))
        } else if let Ok(list) = value.cast::<PyTuple>() {
            serializer.collect_seq(list.iter().map(GivenPart))
        } else if let Ok(fields) = value.cast::<PyDict>() {
            let mut map = serializer.serialize_map(Some(fields.len()))?;
            write_fields(fields, |_| true, &mut map)?;
            map.end()
        } else {
            // An exact number, such as a fraction.
            serializer.collect_str(value)
        }
    }
}

/// [`Given`] that holds its value.
struct GivenPart<'py>(Bound<'py, PyAny>);

impl Serialize for GivenPart<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Given(&self.0).serialize(serializer)
    }
}

/// Writes fields, but not those that are `None`. `from` is a word of Python's own, and may be written `from_`.
fn write_fields<M: SerializeMap>(
    fields: &Bound<'_, PyDict>,
    wanted: impl Fn(&str) -> bool,
    map: &mut M,
) -> Result<(), M::Error> {
    for (name, value) in fields {
        let name = name.cast::<PyString>().map_err(M::Error::custom)?;
        let name = name.to_str().map_err(M::Error::custom)?;
        let name = if name == "from_" { "from" } else { name };
        if wanted(name) && !value.is_none() {
            map.serialize_entry(name, &Given(&value))?;
        }
    }
    Ok(())
}

/// A hand's own request, and the fields that it shares with others.
struct Merged<'a, 'py> {
    shared: &'a Bound<'py, PyDict>,
    own: &'a Bound<'py, PyAny>,
}

impl Serialize for Merged<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Ok(own) = self.own.cast::<PyDict>() {
            let in_own = |name: &str| {
                own.contains(name).unwrap_or(false)
                    || (name == "from" && own.contains("from_").unwrap_or(false))
            };
            write_fields(self.shared, |name| !in_own(name), &mut map)?;
            write_fields(own, |_| true, &mut map)?;
        } else {
            write_fields(self.shared, |name| name != "hand", &mut map)?;
            map.serialize_entry("hand", &Given(self.own))?;
        }
        map.end()
    }
}

/// A request as JSON. `own`: the hand's text, or a dict with fields of its own.
///
/// # Errors
/// A value that is not text, a number, true or false, a list or a dict.
pub fn text(shared: &Bound<'_, PyDict>, own: &Bound<'_, PyAny>) -> PyResult<String> {
    serde_json::to_string(&Merged { shared, own }).map_err(|error| refused(Kind::BadRequest, error))
}

/// Fields as JSON; `None` is left out.
///
/// # Errors
/// A value that is not text, a number, true or false, a list or a dict.
pub fn fields(fields: &Bound<'_, PyDict>) -> PyResult<Map<String, Value>> {
    match serde_json::to_value(Given(fields.as_any())) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(refused(Kind::BadRequest, other)),
        Err(error) => Err(refused(Kind::BadRequest, error)),
    }
}
