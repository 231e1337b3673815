//! Judges two texts, and returns the judgement as JSON and the words of their passages.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dedup_text::pair;
use dedup_text::record::{RecordOptions, of_pair};
use dedup_text::text::{Place, Text, display_path};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::settings::{Settings, message, text};
use crate::watched::interruptible;

/// The text of a passage in left and in right.
type Written = (String, String);

/// Judges two texts. Returns the JSON of `dedup LEFT RIGHT --format json`, and the text of each
/// passage in left and in right.
///
/// # Errors
///
/// Raises `TypeError`, `ValueError` or `OSError`, with the messages of the program, or the exception
/// of a signal handler.
#[pyfunction]
pub(crate) fn judge(
    py: Python,
    left: &Bound<PyAny>,
    right: &Bound<PyAny>,
    explain: bool,
    settings: &Bound<PyDict>,
) -> PyResult<(String, Vec<Written>)> {
    let settings = Settings::new(settings)?;
    let [left, right] = [text(left, "left")?, text(right, "right")?];
    let bytes = left.content().len() + right.content().len();
    let judged = interruptible(py, bytes as u64, move |_| {
        judged(&left, &right, explain, &settings).map_err(|error| message(&*error))
    });
    judged?.map_err(PyValueError::new_err)
}

fn judged(
    left: &Text,
    right: &Text,
    explains: bool,
    settings: &Settings,
) -> Result<(String, Vec<Written>), Box<dyn Error>> {
    let Settings { recipe, stopwords, .. } = settings;
    let judgement = pair::judge(left, right, recipe)?;
    let folders = working_folders();
    let options = RecordOptions {
        name: &|path| name(path, &folders),
        stopwords,
        settings: None,
        explains,
        is_accepted: None,
        accepted_by: None,
        persons: [None, None],
        later: None,
        earlier: None,
    };
    let json = of_pair([left, right], recipe, &judgement, &options)?;
    let written = |text: &Text, place: &Place| {
        text.content().get(place.content.clone()).unwrap_or_default().to_owned()
    };
    let all = judgement.matches.as_ref().map(|matches| matches.all.as_slice());
    let passages = all.unwrap_or_default().iter();
    let passages = passages.map(|it| (written(left, &it.left), written(right, &it.right)));
    Ok((json, passages.collect()))
}

/// Returns the working folder, under both of its names if the shell entered it through a link.
fn working_folders() -> Vec<PathBuf> {
    let typed = env::var_os("PWD").filter(|typed: &OsString| {
        Path::new(typed).is_absolute()
            && Path::new(typed).canonicalize().ok() == Path::new(".").canonicalize().ok()
    });
    env::current_dir().ok().into_iter().chain(typed.map(PathBuf::from)).collect()
}

/// Returns the path as it was given, except that an absolute path below the working folder is
/// shown relative to it.
fn name(path: &Path, folders: &[PathBuf]) -> String {
    let below = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    display_path(below.filter(|it| it.components().next().is_some()).unwrap_or(path)).into_owned()
}
