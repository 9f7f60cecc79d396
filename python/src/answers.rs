//! Answers as Python objects: what the program prints as JSON, given to dataclasses by their shapes.

use std::{cell::RefCell, collections::HashMap, fmt};

use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType},
};
use serde::{
    Serialize, Serializer,
    ser::{self, Impossible},
};

use crate::shape::{Object, Shape};

/// An answer could not be made.
#[derive(Debug)]
pub struct Failed(PyErr);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}

impl ser::Error for Failed {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(PyRuntimeError::new_err(message.to_string()))
    }
}

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<Failed> for PyErr {
    fn from(failed: Failed) -> Self {
        failed.0
    }
}

type Made<'py> = Result<Bound<'py, PyAny>, Failed>;

/// Objects by their text, each made once.
type Kept<'py> = RefCell<HashMap<String, Bound<'py, PyAny>>>;

fn kept<'py>(kept: &Kept<'py>, text: &str, make: impl FnOnce() -> Made<'py>) -> Made<'py> {
    if let Some(made) = kept.borrow().get(text) {
        return Ok(made.clone());
    }
    let made = make()?;
    kept.borrow_mut().insert(text.to_owned(), made.clone());
    Ok(made)
}

/// Makes Python objects of answers.
pub struct Maker<'py> {
    py: Python<'py>,
    fraction: Bound<'py, PyAny>,
    amounts: Kept<'py>,
    names: Kept<'py>,
}

impl<'py> Maker<'py> {
    /// # Errors
    /// Python has no fractions.
    pub fn new(py: Python<'py>) -> PyResult<Self> {
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        Ok(Self { py, fraction, amounts: Kept::default(), names: Kept::default() })
    }

    /// An answer as an object of a shape.
    ///
    /// # Errors
    /// The answer has a field that its dataclass lacks, or lacks one that it needs.
    pub fn made(&self, shape: &Shape, answer: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
        Ok(answer.serialize(Part { maker: self, shape })?)
    }

    fn text(&self, text: &str) -> Made<'py> {
        Ok(PyString::new(self.py, text).into_any())
    }

    fn amount(&self, text: &str) -> Made<'py> {
        kept(&self.amounts, text, || Ok(self.fraction.call1((text,))?))
    }

    fn name(&self, text: &str) -> Made<'py> {
        kept(&self.names, text, || self.text(text))
    }
}

/// Keeps Python from looking for cycles, of which answers have none: while many are made, that takes as long as to make
/// them.
pub struct NoCycles<'py>(Option<Bound<'py, PyAny>>);

impl<'py> NoCycles<'py> {
    /// # Errors
    /// Python has no module `gc`.
    pub fn new(py: Python<'py>) -> PyResult<Self> {
        let gc = py.import("gc")?.into_any();
        let is_on = gc.call_method0("isenabled")?.is_truthy()?;
        if is_on {
            gc.call_method0("disable")?;
        }
        Ok(Self(is_on.then_some(gc)))
    }
}

impl Drop for NoCycles<'_> {
    fn drop(&mut self) {
        if let Some(gc) = &self.0 {
            // It cannot fail, and nobody could be given the error.
            let _ = gc.call_method0("enable");
        }
    }
}

/// A part of an answer.
#[derive(Clone, Copy)]
struct Part<'a, 'py> {
    maker: &'a Maker<'py>,
    shape: &'a Shape,
}

impl<'a, 'py> Part<'a, 'py> {
    fn parts(self, length: Option<usize>) -> Parts<'a, 'py> {
        let made = Vec::with_capacity(length.unwrap_or(0));
        Parts { part: Part { shape: self.shape.part(), ..self }, made }
    }

    fn entries(self) -> Entries<'a, 'py> {
        let made = match self.shape {
            Shape::Object(class) => MadeEntries::of(class),
            Shape::Either(classes) => MadeEntries::Undecided(classes),
            _ => MadeEntries::Dict(PyDict::new(self.maker.py)),
        };
        Entries { part: self, made, field: Key::None }
    }
}

/// Integers, all made in the same way.
macro_rules! integers {
    ($($method:ident $kind:ty;)*) => {
        $(fn $method(self, value: $kind) -> Made<'py> {
            Ok(PyInt::new(self.maker.py, value).into_any())
        })*
    };
}

impl<'a, 'py> Serializer for Part<'a, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;
    type SerializeSeq = Parts<'a, 'py>;
    type SerializeTuple = Tuple<'a, 'py>;
    type SerializeTupleStruct = Impossible<Self::Ok, Failed>;
    type SerializeTupleVariant = Impossible<Self::Ok, Failed>;
    type SerializeMap = Entries<'a, 'py>;
    type SerializeStruct = Entries<'a, 'py>;
    type SerializeStructVariant = Impossible<Self::Ok, Failed>;

    integers! {
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
        serialize_u8 u8; serialize_u16 u16; serialize_u32 u32; serialize_u64 u64;
    }

    fn serialize_bool(self, value: bool) -> Made<'py> {
        Ok(PyBool::new(self.maker.py, value).to_owned().into_any())
    }

    fn serialize_f32(self, value: f32) -> Made<'py> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Made<'py> {
        Ok(PyFloat::new(self.maker.py, value).into_any())
    }

    fn serialize_char(self, value: char) -> Made<'py> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Made<'py> {
        match self.shape {
            Shape::Amount => self.maker.amount(text),
            Shape::Name => self.maker.name(text),
            _ => self.maker.text(text),
        }
    }

    fn serialize_bytes(self, _: &[u8]) -> Made<'py> {
        Err(ser::Error::custom("no answer holds bytes"))
    }

    fn serialize_none(self) -> Made<'py> {
        Ok(self.maker.py.None().into_bound(self.maker.py))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Made<'py> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Made<'py> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Made<'py> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Made<'py> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Made<'py> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: &T,
    ) -> Made<'py> {
        Err(ser::Error::custom(format!("no answer holds a variant such as `{name}`")))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Parts<'a, 'py>, Failed> {
        Ok(self.parts(length))
    }

    fn serialize_tuple(self, length: usize) -> Result<Tuple<'a, 'py>, Failed> {
        Ok(Tuple(self.parts(Some(length))))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Impossible<Self::Ok, Failed>, Failed> {
        Err(ser::Error::custom(format!("no answer holds a tuple such as `{name}`")))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Impossible<Self::Ok, Failed>, Failed> {
        Err(ser::Error::custom(format!("no answer holds a variant such as `{name}`")))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a, 'py>, Failed> {
        Ok(self.entries())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'a, 'py>, Failed> {
        Ok(self.entries())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Impossible<Self::Ok, Failed>, Failed> {
        Err(ser::Error::custom(format!("no answer holds a variant such as `{name}`")))
    }
}

/// The parts of a list so far.
struct Parts<'a, 'py> {
    part: Part<'a, 'py>,
    made: Vec<Bound<'py, PyAny>>,
}

impl<'py> ser::SerializeSeq for Parts<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        self.made.push(value.serialize(self.part)?);
        Ok(())
    }

    fn end(self) -> Made<'py> {
        Ok(PyList::new(self.part.maker.py, self.made)?.into_any())
    }
}

/// The parts of a tuple so far.
struct Tuple<'a, 'py>(Parts<'a, 'py>);

impl<'py> ser::SerializeTuple for Tuple<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        ser::SerializeSeq::serialize_element(&mut self.0, value)
    }

    fn end(self) -> Made<'py> {
        Ok(PyTuple::new(self.0.part.maker.py, self.0.made)?.into_any())
    }
}

/// The entries of an object so far.
enum MadeEntries<'a, 'py> {
    /// Whether `ok` is true has not been said yet.
    Undecided(&'a [Object; 2]),
    /// The arguments of a dataclass.
    Arguments(&'a Object, Vec<Option<Bound<'py, PyAny>>>),
    Dict(Bound<'py, PyDict>),
}

impl<'a> MadeEntries<'a, '_> {
    fn of(class: &'a Object) -> Self {
        Self::Arguments(class, vec![None; class.fields.len()])
    }
}

/// The key of the next entry.
enum Key<'py> {
    None,
    /// A field's place among the arguments.
    Field(usize),
    Name(Bound<'py, PyAny>),
}

fn text_of<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    name.cast::<PyString>()?.to_str()
}

/// An object whose entries are being made.
struct Entries<'a, 'py> {
    part: Part<'a, 'py>,
    made: MadeEntries<'a, 'py>,
    field: Key<'py>,
}

impl<'py> Entries<'_, 'py> {
    fn key(&self, name: &str) -> Result<Key<'py>, Failed> {
        let MadeEntries::Arguments(class, _) = &self.made else {
            return Ok(Key::Name(self.part.maker.name(name)?));
        };
        class.place(name).map(Key::Field).ok_or_else(|| {
            let class = class.class.bind(self.part.maker.py);
            ser::Error::custom(format!("{class} has no field `{name}` of the answer"))
        })
    }

    fn entry<T: Serialize + ?Sized>(&mut self, key: Key<'py>, value: &T) -> Result<(), Failed> {
        let maker = self.part.maker;
        match (&mut self.made, key) {
            (MadeEntries::Undecided(classes), Key::Name(name)) => {
                let classes = *classes;
                let ok = value.serialize(Part { maker, shape: &Shape::Plain })?;
                let is_ok: bool = ok
                    .extract()
                    .map_err(|_: PyErr| PyTypeError::new_err("an answer begins with `ok`"))?;
                self.made = MadeEntries::of(&classes[usize::from(!is_ok)]);
                let Key::Field(place) = self.key(text_of(&name)?)? else { return Ok(()) };
                self.put(place, ok);
            }
            (MadeEntries::Arguments(class, _), Key::Field(place)) => {
                let made = value.serialize(Part { maker, shape: &class.fields[place].shape })?;
                self.put(place, made);
            }
            (MadeEntries::Dict(dict), Key::Name(name)) => {
                let shape = self.part.shape.part();
                dict.set_item(name, value.serialize(Part { maker, shape })?)?;
            }
            _ => return Err(ser::Error::custom("an entry without its name")),
        }
        Ok(())
    }

    fn put(&mut self, place: usize, made: Bound<'py, PyAny>) {
        if let MadeEntries::Arguments(_, arguments) = &mut self.made {
            arguments[place] = Some(made);
        }
    }

    fn finish(self) -> Made<'py> {
        let py = self.part.maker.py;
        match self.made {
            MadeEntries::Dict(dict) => Ok(dict.into_any()),
            MadeEntries::Undecided(_) => Err(ser::Error::custom("an answer begins with `ok`")),
            MadeEntries::Arguments(class, arguments) => {
                let made: Result<Vec<_>, Failed> = (arguments.into_iter().zip(&class.fields))
                    .map(|(made, field)| match (made, &field.default) {
                        (Some(made), _) => Ok(made),
                        (None, Some(default)) => Ok(default.bind(py).clone()),
                        (None, None) => {
                            Err(ser::Error::custom(format!("the answer has no `{}`", field.name)))
                        }
                    })
                    .collect();
                let class: &Bound<'py, PyType> = class.class.bind(py);
                Ok(class.call1(PyTuple::new(py, made?)?)?)
            }
        }
    }
}

impl<'py> ser::SerializeMap for Entries<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        let name = key.serialize(Part { maker: self.part.maker, shape: &Shape::Name })?;
        self.field = self.key(text_of(&name)?)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let key = std::mem::replace(&mut self.field, Key::None);
        self.entry(key, value)
    }

    fn end(self) -> Made<'py> {
        self.finish()
    }
}

impl<'py> ser::SerializeStruct for Entries<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Failed> {
        let key = self.key(name)?;
        self.entry(key, value)
    }

    fn end(self) -> Made<'py> {
        self.finish()
    }
}
