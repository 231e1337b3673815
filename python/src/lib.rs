//! What `dedup_text` of Python calls: two texts → their judgement, and a table → its near-duplicates.
//!
//! The package `dedup_text` in `package` has the names and types that Python sees.

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
    module.add_function(wrap_pyfunction!(corpus::near_duplicates, module)?)?;
    module.add_function(wrap_pyfunction!(corpus::deduplicate, module)?)
}
