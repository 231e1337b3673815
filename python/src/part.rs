//! The steps of the comparison of a corpus, for engines that distribute its texts themselves.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use dedup_text::corpus::DocumentAnalyzer;
use dedup_text::corpus::parts::{self, Counted, Counter, Parameters};
use dedup_text::pair;
use dedup_text::pair::Search;
use dedup_text::record::{RecordOptions, of_pair};
use dedup_text::text::{ReadOptions, Text, display_path};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::settings::{Settings, message, raised, reading_of_strings, wrong_type};
use crate::watched::{WORTH_A_THREAD, interruptible};

/// The number of texts that are counted at a time.
const TEXTS: usize = 1024;

/// The id and the content of a text.
type Record = (String, String);

/// The steps, run on one thread.
#[pyclass(module = "dedup_text", frozen)]
pub(crate) struct Part {
    settings: Arc<Settings>,
    counted: Option<Arc<Counted>>,
}

#[pymethods]
impl Part {
    #[new]
    fn new(counts: Option<&[u8]>, settings: &Bound<PyDict>) -> PyResult<Self> {
        let mut settings = Settings::of_many(settings)?;
        let are_passages_asked_for = settings.passages == Some(true);
        settings.recipe.search =
            if are_passages_asked_for { Search::Always } else { Search::Never };
        let counted = counts.map(Counted::read).transpose().map_err(raised)?;
        if let Some(counted) = &counted {
            counted.check(&parameters(&settings)).map_err(raised)?;
        }
        Ok(Self { settings: Arc::new(settings), counted: counted.map(Arc::new) })
    }

    /// Returns the counts of the records.
    fn count<'py>(
        &self,
        py: Python<'py>,
        records: &Bound<'py, PyAny>,
        slots: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (recipe, parameters, one) =
            (&self.settings.recipe, parameters(&self.settings), NonZeroUsize::MIN);
        let counter = py.detach(|| Counter::new(recipe, parameters, slots, one));
        let mut counter = counter.map_err(raised)?;
        let mut records = records.try_iter()?;
        loop {
            py.check_signals()?;
            let (mut some, mut bytes) = (Vec::new(), 0);
            while some.len() < TEXTS && bytes < WORTH_A_THREAD {
                let Some(next) = records.next() else { break };
                let next = record(&next?)?;
                bytes += size(&next);
                some.push(next);
            }
            if some.is_empty() {
                break;
            }
            let errors = py.detach(|| counter.add(some, text));
            errors.into_iter().try_for_each(Err)?;
        }
        stored(py, &py.detach(|| counter.finish()))
    }

    /// Returns the sum of the counts.
    #[staticmethod]
    fn merge<'py>(py: Python<'py>, counts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let mut all: Option<Counted> = None;
        let is_one = counts.is_instance_of::<PyBytes>(); // its items are numbers
        let items = counts.try_iter().ok().filter(|_| !is_one);
        for some in items.ok_or_else(|| wrong_type("counts", counts, "an iterable of bytes"))? {
            let some = some?;
            let bytes: &[u8] = some.extract().map_err(|_| wrong_type("counts", &some, "bytes"))?;
            let some = Counted::read(bytes).map_err(raised)?;
            match &mut all {
                Some(all) => all.merge(&some).map_err(raised)?,
                None => all = Some(some),
            }
        }
        let none = || PyValueError::new_err("no counts, expected at least one");
        stored(py, &all.ok_or_else(none)?)
    }

    /// Returns the join keys of each record, as a line of JSON.
    fn keys(&self, py: Python, records: &Bound<PyAny>) -> PyResult<Vec<String>> {
        let records: Vec<Record> =
            records.try_iter()?.map(|it| record(&it?)).collect::<PyResult<_>>()?;
        let settings = Arc::clone(&self.settings);
        parts::check(&settings.recipe).map_err(raised)?;
        let none = || PyTypeError::new_err("no counts, expected the counts of all texts");
        let counted = Arc::clone(self.counted.as_ref().ok_or_else(none)?);
        interruptible(py, records.iter().map(size).sum(), move |is_over| {
            let recipe = &settings.recipe;
            let mut analyzer = DocumentAnalyzer::new(recipe);
            let line = |record: Record| {
                let (id, text) = (record.0.clone(), text(record)?);
                let line = parts::keys(&mut analyzer, (&id, text), recipe, &counted);
                line.map_err(|error| of_record(&id, &error))
            };
            let records = records.into_iter().take_while(|_| !is_over.load(Ordering::Relaxed));
            records.map(line).collect()
        })?
    }

    /// Returns the record of each pair, as `dedup corpus` writes it.
    fn judge(&self, py: Python, pairs: &Bound<PyAny>) -> PyResult<Vec<String>> {
        let pairs: Vec<(Record, Record)> =
            pairs.try_iter()?.map(|it| pair_of(&it?)).collect::<PyResult<_>>()?;
        let (settings, counted) = (Arc::clone(&self.settings), self.counted.clone());
        let bytes = pairs.iter().map(|(left, right)| size(left) + size(right)).sum();
        interruptible(py, bytes, move |is_over| {
            let Settings { recipe, stopwords, .. } = &*settings;
            let options = RecordOptions {
                name: &|path| display_path(path).into_owned(),
                stopwords,
                settings: None,
                explains: false,
                is_accepted: None,
                accepted_by: None,
                persons: [None, None],
                later: None,
                earlier: None,
            };
            let mut analyzer = DocumentAnalyzer::new(recipe);
            let line = |(left, right): (Record, Record)| {
                let (left, right) = (text(left)?, text(right)?);
                let judgement = match &counted {
                    Some(counted) => analyzer.judge(left.clone(), right.clone(), counted.main()),
                    None => pair::judge(&left, &right, recipe),
                };
                let judgement = judgement.map_err(raised)?;
                of_pair([&left, &right], recipe, &judgement, &options).map_err(raised)
            };
            let pairs = pairs.into_iter().take_while(|_| !is_over.load(Ordering::Relaxed));
            pairs.map(line).collect()
        })?
    }
}

/// Returns the size of a text in bytes.
fn size((_, text): &Record) -> u64 {
    text.len() as u64
}

/// Returns the parameters that counts depend on.
fn parameters(settings: &Settings) -> Parameters {
    Parameters::new(&settings.recipe, &ReadOptions::default())
}

fn stored<'py>(py: Python<'py>, counted: &Counted) -> PyResult<Bound<'py, PyBytes>> {
    let stored = py.detach(|| counted.stored()).map_err(raised)?;
    Ok(PyBytes::new(py, &stored))
}

/// Converts a record of Python.
///
/// # Errors
///
/// Raises `TypeError` if it is not a pair of strings, or `UnicodeEncodeError`.
fn record(given: &Bound<PyAny>) -> PyResult<Record> {
    let expected = "a tuple of two str, the id and the text";
    let wrong = || wrong_type("a record", given, expected);
    let both = given.cast::<PyTuple>().ok().filter(|it| it.len() == 2).ok_or_else(wrong)?;
    let both: Vec<Bound<PyString>> =
        both.iter().map(|it| it.cast_into().map_err(|_| wrong())).collect::<PyResult<_>>()?;
    Ok((both[0].to_str()?.to_owned(), both[1].to_str()?.to_owned()))
}

/// Converts a pair of records; errors are as of [`record`].
fn pair_of(given: &Bound<PyAny>) -> PyResult<(Record, Record)> {
    let wrong = || wrong_type("a pair", given, "a tuple of two records");
    let both = given.cast::<PyTuple>().ok().filter(|it| it.len() == 2).ok_or_else(wrong)?;
    Ok((record(&both.get_item(0)?)?, record(&both.get_item(1)?)?))
}

/// Reads the text of a record.
///
/// # Errors
///
/// Raises `ValueError`, with the id of the record.
fn text((id, text): Record) -> PyResult<Text> {
    let opened = Text::decode(&PathBuf::from(&id), text.into_bytes(), &reading_of_strings());
    opened.map_err(|error| of_record(&id, &error))
}

fn of_record(id: &str, error: &dyn std::error::Error) -> PyErr {
    PyValueError::new_err(format!("the record with the id {id:?}: {}", message(error)))
}
