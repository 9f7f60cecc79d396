//! The shape of an answer in Python, as `tilelens/_shapes.py` takes it from the type hints of the dataclasses.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyTuple, PyType},
};

/// What an answer, or a part of it, becomes.
pub enum Shape {
    /// Text, a number, true or false, or any list or object as it comes.
    Plain,
    /// A `Fraction`, written as text.
    Amount,
    /// Text that occurs many times, such as a unit.
    Name,
    /// A list of parts of one shape.
    List(Box<Self>),
    /// A dict of parts of one shape.
    Dict(Box<Self>),
    /// A dataclass.
    Object(Object),
    /// A dataclass where `ok`, the first field, is true, and another one where it is false.
    Either(Box<[Object; 2]>),
}

/// A dataclass.
pub struct Object {
    pub class: Py<PyType>,
    /// Its fields, in the order of its arguments.
    pub fields: Vec<Field>,
}

/// A field of a dataclass.
pub struct Field {
    /// Its name in the answer.
    pub name: String,
    pub shape: Shape,
    /// Its value where the answer does not have it; `None`: the answer always has it.
    pub default: Option<Py<PyAny>>,
}

impl Shape {
    /// The shape of the parts of a list or a dict.
    pub fn part(&self) -> &Self {
        match self {
            Self::List(part) | Self::Dict(part) => part,
            _ => &Self::Plain,
        }
    }
}

impl Object {
    /// The place of a field among the arguments.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}

impl<'py> FromPyObject<'_, 'py> for Shape {
    type Error = PyErr;

    fn extract(described: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let described = described.cast::<PyTuple>()?;
        let kind: String = described.get_item(0)?.extract()?;
        let inner = || described.get_item(1);
        Ok(match kind.as_str() {
            "plain" => Self::Plain,
            "amount" => Self::Amount,
            "name" => Self::Name,
            "list" => Self::List(Box::new(inner()?.extract()?)),
            "dict" => Self::Dict(Box::new(inner()?.extract()?)),
            "object" => Self::Object(object(&inner()?)?),
            "either" => {
                Self::Either(Box::new([object(&inner()?)?, object(&described.get_item(2)?)?]))
            }
            other => return Err(PyTypeError::new_err(format!("there is no shape `{other}`"))),
        })
    }
}

fn object(described: &Bound<'_, PyAny>) -> PyResult<Object> {
    type Described = (String, Shape, bool, Py<PyAny>);
    let (class, fields): (Py<PyType>, Vec<Described>) = described.extract()?;
    let fields = fields.into_iter().map(|(name, shape, is_optional, default)| {
        let default = is_optional.then_some(default);
        Field { name, shape, default }
    });
    Ok(Object { class, fields: fields.collect() })
}

/// A shape, kept by the Python part of the package.
#[pyclass(frozen, name = "Shape")]
pub struct KeptShape(pub Shape);

#[pymethods]
impl KeptShape {
    #[new]
    fn new(described: Shape) -> Self {
        Self(described)
    }
}
