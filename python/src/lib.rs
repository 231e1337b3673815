//! The native module of the Python package `dedup_text`: the judgement of two texts, and the
//! near-duplicates of a table.
//!
//! The package in the folder `package` defines the names and types that Python code uses.

mod clusters;
mod corpus;
mod pair;
mod part;
mod settings;
mod table;
mod watched;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<part::Part>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(pair::judge, module)?)?;
    module.add_function(wrap_pyfunction!(clusters::kept, module)?)?;
    module.add_function(wrap_pyfunction!(corpus::near_duplicates, module)?)?;
    module.add_function(wrap_pyfunction!(corpus::deduplicate, module)?)
}
