//! Converts the keyword arguments of Python to the settings of a comparison.
//!
//! The arguments have the names and values of the program's flags. `None` selects the default of
//! an argument, and `"off"` disables a limit.

use std::fs::Metadata;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use dedup_text::language::{self, Choice, Given, Language};
use dedup_text::pair::template;
use dedup_text::pair::{Recipe, Search, Short};
use dedup_text::passages::{MinMatch, Templates};
use dedup_text::shingles::Ngrams;
use dedup_text::stems;
use dedup_text::stopwords::{self, StopWords};
use dedup_text::text::formats::{Bounds, PdfReader, PdfReading};
use dedup_text::text::{Encoding, ReadOptions, ReadTextError, Text, display_path};
use dedup_text::tokens::exclusions::Why;
use dedup_text::verdict::Limits;
use dedup_text::verdict::ratio::Ratio;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::watched::interruptible;

/// The settings of a comparison.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) recipe: Recipe,
    /// The list of stop words, as it was given.
    pub(crate) stopwords: PathBuf,
    /// Whether passages are searched for. `None` if the argument was not given.
    pub(crate) passages: Option<bool>,
}

/// Returns the error of an invalid value of the argument `name`.
fn wrong(name: &str, found: &Bound<PyAny>, expected: &str) -> PyErr {
    PyValueError::new_err(as_given(name, found, expected))
}

/// Same as [`wrong`], for a value of which the type is wrong.
fn of_wrong_type(name: &str, found: &Bound<PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(as_given(name, found, expected))
}

fn as_given(name: &str, found: &Bound<PyAny>, expected: &str) -> String {
    let found = found.repr().map_or_else(|_| "?".to_owned(), |it| it.to_string());
    format!("{name}={found}, expected {expected}")
}

/// Same as [`of_wrong_type`], for a value that may be long: with its type, and those of the items of
/// a tuple.
pub(crate) fn wrong_type(name: &str, found: &Bound<PyAny>, expected: &str) -> PyErr {
    let of = |it: &Bound<PyAny>| {
        it.get_type().name().map_or_else(|_| "?".to_owned(), |it| it.to_string())
    };
    let found = match found.cast::<PyTuple>() {
        Ok(items) => {
            format!("tuple of {}", items.iter().map(|it| of(&it)).collect::<Vec<_>>().join(", "))
        }
        Err(_) => of(found),
    };
    PyTypeError::new_err(format!("{name} is of type {found}, expected {expected}"))
}

/// Converts an error of the library to a Python exception.
pub(crate) fn raised(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(message(&error))
}

/// Formats an error with its causes, as the program prints it.
pub(crate) fn message(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let next_message = next.to_string();
        if !message.ends_with(&next_message) {
            message = format!("{message}: {next_message}");
        }
        cause = next.source();
    }
    message
}

/// The given keyword arguments, which are taken one by one.
struct Arguments<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Arguments<'_, 'py> {
    /// Takes the value of an argument. `None` if it is not given or is Python's `None`.
    fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.get_item(name)?;
        if value.is_some() {
            self.0.del_item(name)?;
        }
        Ok(value.filter(|value| !value.is_none()))
    }

    /// Takes a whole number.
    fn whole(&self, name: &str, expected: &str) -> PyResult<Option<usize>> {
        let value = self.take(name)?;
        value.map(|it| number(name, &it, expected, Some)).transpose()
    }

    fn is_on(&self, name: &str) -> PyResult<Option<bool>> {
        let value = self.take(name)?;
        let is_on =
            |it: Bound<PyAny>| it.extract().map_err(|_| of_wrong_type(name, &it, "True or False"));
        value.map(is_on).transpose()
    }

    /// Takes a limit, or returns the default if it is not given. `None` if it is `"off"`.
    fn limit<N, T>(
        &self,
        name: &str,
        expected: &str,
        default: Option<T>,
        parse: impl Fn(N) -> Option<T>,
    ) -> PyResult<Option<T>>
    where
        N: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
    {
        let Some(value) = self.take(name)? else { return Ok(default) };
        match value.cast::<PyString>() {
            Ok(word) if word.to_str().is_ok_and(|it| it == "off") => Ok(None),
            Ok(_) => Err(wrong(name, &value, expected)),
            Err(_) => number(name, &value, expected, parse).map(Some),
        }
    }

    fn ratio(&self, name: &str, default: Option<Ratio>) -> PyResult<Option<Ratio>> {
        self.limit(name, "a number from 0 to 1, or \"off\"", default, |number: f64| {
            Ratio::from_str(&number.to_string()).ok()
        })
    }

    /// Checks that no argument is left, which would be an unknown one.
    fn end(&self) -> PyResult<()> {
        match self.0.keys().into_iter().next() {
            Some(unknown) => Err(PyTypeError::new_err(format!(
                "unexpected keyword argument {}",
                unknown.repr()?
            ))),
            None => Ok(()),
        }
    }
}

impl Settings {
    /// Reads the settings from keyword arguments, and takes all of them.
    pub(crate) fn new(given: &Bound<PyDict>) -> PyResult<Self> {
        let given = Arguments(given);
        let (stopwords, list) = stop_words(given.take("stopwords")?)?;
        let (ignored, short) = ignored(given.take("ignore")?)?;
        let passages = given.is_on("passages")?;
        let min_match = min_match(&given)?;
        let recipe = Recipe {
            ngrams: ngrams(&given)?,
            ignored,
            templates: Templates { all: templates(given.take("template")?)?, min_match },
            common: None,
            languages: languages(given.take("lang")?)?,
            stopwords: list,
            stemming: match given.is_on("stem")? {
                Some(false) => stems::Choice::Off,
                _ => stems::Choice::On,
            },
            limits: limits(&given)?,
            search: if passages == Some(false) { Search::Never } else { Search::Always },
            min_match,
            short,
        };
        given.end()?;
        Ok(Self { recipe, stopwords, passages })
    }
}

impl Settings {
    /// Returns the settings of many texts, which have one language for all.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and `TypeError` if there are two languages.
    pub(crate) fn of_many(given: &Bound<PyDict>) -> PyResult<Self> {
        match given.get_item("lang")? {
            Some(lang) if !lang.is_none() && !lang.is_instance_of::<PyString>() => {
                Err(of_wrong_type("lang", &lang, "one language for all texts"))
            }
            _ => Self::new(given),
        }
    }
}

/// Parses a number. True and False are none, although Python takes them for 1 and 0.
///
/// # Errors
///
/// Raises `TypeError` if the value is of another type than `N`, and `ValueError` if it is out of its
/// range or `parse` rejects it.
fn number<'py, N, T>(
    name: &str,
    value: &Bound<'py, PyAny>,
    expected: &str,
    parse: impl Fn(N) -> Option<T>,
) -> PyResult<T>
where
    N: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    match value.extract().map(parse) {
        _ if value.is_instance_of::<PyBool>() => Err(of_wrong_type(name, value, expected)),
        Ok(Some(number)) => Ok(number),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            Err(of_wrong_type(name, value, expected))
        }
        _ => Err(wrong(name, value, expected)),
    }
}

/// Returns the read options for a string: those of a record, whose name has no extension.
pub(crate) fn reading_of_strings() -> ReadOptions {
    ReadOptions { encoding: Some(Encoding::UTF_8), nameless: true, ..ReadOptions::default() }
}

/// Reads a text from a string, which is the content, or from the file that a path names.
pub(crate) fn text(given: &Bound<PyAny>, name: &str) -> PyResult<Text> {
    if let Ok(content) = given.cast::<PyString>() {
        if given.get_type().hasattr("__fspath__")? {
            let expected = "a str (a text) or an os.PathLike (the path of a file), not both in one";
            return Err(wrong_type(name, given, expected));
        }
        let bytes = content.to_str()?.as_bytes().to_vec();
        return Text::decode(Path::new(name), bytes, &reading_of_strings()).map_err(raised);
    }
    let expected = "a str (a text) or an os.PathLike (the path of a file)";
    let path = path(given)?.ok_or_else(|| wrong_type(name, given, expected))?;
    opened(given.py(), &path)
}

/// Converts an `os.PathLike`. `None` if it is something else, or a path that is no string.
///
/// # Errors
///
/// Returns the exception that its `__fspath__` raises.
fn path(given: &Bound<PyAny>) -> PyResult<Option<PathBuf>> {
    if !given.get_type().hasattr("__fspath__")? {
        return Ok(None);
    }
    let path: Option<PathBuf> = given.call_method0("__fspath__")?.extract().ok();
    // A path names a file, never standard input, which is called `-`.
    Ok(path.map(|path| if path == Path::new("-") { "./-".into() } else { path }))
}

/// Reads the text of a file.
///
/// # Errors
///
/// Raises `OSError`, `MemoryError`, or `ValueError` if the file is not text, or the exception of a
/// signal handler.
fn opened(py: Python, path: &Path) -> PyResult<Text> {
    let size = |file: Metadata| if file.is_file() { file.len() } else { u64::MAX };
    let bytes = path.metadata().map_or(0, size); // a pipe may take for ever
    let path = path.to_owned();
    let bounds = Bounds { pdfs: pdf_reading(py), ..Bounds::default() };
    let options = ReadOptions { bounds, ..ReadOptions::default() };
    let read = interruptible(py, bytes, move |_| {
        Text::open(&path, &options).map_err(|error| (error, path))
    });
    read?.map_err(|(error, path)| {
        let message = message(&error);
        match &error {
            ReadTextError::Missing { .. } => file_error(ENOENT, None, &message, &path),
            ReadTextError::Folder { .. } => file_error(EISDIR, None, &message, &path),
            ReadTextError::Unreadable { source, .. } => system_error(source, &message, &path),
            ReadTextError::NoMemory { .. } => PyMemoryError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    })
}

/// Returns where PDFs are read: in processes of the program of this package.
fn pdf_reading(py: Python) -> PdfReading {
    static READER: PyOnceLock<Option<PdfReader>> = PyOnceLock::new();
    let start = || {
        let program = py.import("dedup_text._program").ok()?.call_method0("path").ok()?;
        Some(PdfReader::new(program.extract::<PathBuf>().ok()?, [PdfReader::ARGUMENT.into()]))
    };
    READER.get_or_init(py, start).as_ref().map_or(PdfReading::Refused, PdfReading::InProcesses)
}

// Python's numbers of errors, on all systems.
const ENOENT: i32 = 2;
const EISDIR: i32 = 21;

/// Returns the `OSError` of a file, whose number decides its class, such as `FileNotFoundError`.
/// On Windows, Python computes it from `of_windows` if that is given.
fn file_error(number: i32, of_windows: Option<i32>, message: &str, path: &Path) -> PyErr {
    // Python adds the number and the path.
    let message = message.strip_prefix(&format!("{}: ", display_path(path))).unwrap_or(message);
    let message = message.strip_suffix(&format!(" (os error {number})")).unwrap_or(message);
    let path = path.as_os_str().to_owned();
    PyOSError::new_err((number, message.to_owned(), path, of_windows))
}

/// Same as [`file_error`], for an error of the operating system.
pub(crate) fn system_error(error: &io::Error, message: &str, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => file_error(number, Some(number), message, path),
        None => PyOSError::new_err(message.to_owned()),
    }
}

fn ngrams(given: &Arguments) -> PyResult<Ngrams> {
    let expected = format!("a whole number from 1 to {}", Ngrams::MAX_SIZE);
    let usual = Ngrams::default();
    let min = given.whole("min", &expected)?.unwrap_or(usual.min());
    let max = given.whole("max", &expected)?.unwrap_or(usual.max());
    Ngrams::new(min, max).ok_or_else(|| {
        PyValueError::new_err(format!(
            "min={min} and max={max}, expected whole numbers from 1 to {}, min <= max",
            Ngrams::MAX_SIZE
        ))
    })
}

fn limits(given: &Arguments) -> PyResult<Limits> {
    let usual = Limits::default();
    let bits = |bits: u32| (bits <= 64).then_some(bits);
    let jaccard = given.ratio("jaccard", usual.jaccard)?;
    let limits = Limits {
        hamming: given.limit(
            "hamming",
            "a whole number from 0 to 64, or \"off\"",
            usual.hamming,
            bits,
        )?,
        jaccard,
        partial_jaccard: given.ratio("partial_jaccard", Limits::usual_partial_jaccard(jaccard))?,
        coverage: given.ratio("coverage", usual.coverage)?,
        containment: given.ratio("containment", usual.containment)?,
    };
    match (limits.partial_jaccard, limits.jaccard) {
        (Some(partial), Some(whole)) if partial > whole => Err(PyValueError::new_err(format!(
            "partial_jaccard={partial} is above jaccard={whole}, expected at most {whole}"
        ))),
        _ => Ok(limits),
    }
}

fn min_match(given: &Arguments) -> PyResult<MinMatch> {
    let expected = format!("a whole number of words, at least {}", MinMatch::SMALLEST);
    let Some(value) = given.take("min_match")? else { return Ok(MinMatch::default()) };
    number("min_match", &value, &expected, MinMatch::new)
}

/// Returns the stop words, as they were given and as they are removed.
fn stop_words(given: Option<Bound<PyAny>>) -> PyResult<(PathBuf, stopwords::Choice)> {
    let Some(given) = given else { return Ok(("on".into(), stopwords::Choice::On)) };
    if let Ok(is_on) = given.extract::<bool>() {
        let choice = if is_on { stopwords::Choice::On } else { stopwords::Choice::Off };
        return Ok((if is_on { "on" } else { "off" }.into(), choice));
    }
    let none = || of_wrong_type("stopwords", &given, "True, False or an os.PathLike");
    let path = path(&given)?.ok_or_else(none)?;
    let text = opened(given.py(), &path)?;
    let list = StopWords::parse(text.content());
    if list.is_empty() {
        return Err(wrong("stopwords", &given, "a file with words"));
    }
    Ok((path, stopwords::Choice::List(list)))
}

/// Returns what is excluded, and the number of words below which passages are listed separately.
fn ignored(given: Option<Bound<PyAny>>) -> PyResult<(Vec<Why>, Option<usize>)> {
    let (mut parts, mut short) = (Vec::new(), None);
    let Some(given) = given else { return Ok((parts, short)) };
    let expected = "quotes, bibliography, marked, short or short=WORDS";
    let none = || of_wrong_type("ignore", &given, "a str, or several");
    for what in each(&given).ok_or_else(none)? {
        let what = what?;
        let name: String = what.extract().map_err(|_| of_wrong_type("ignore", &what, expected))?;
        match (name.as_str(), name.strip_prefix("short=")) {
            ("quotes", _) => parts.push(Why::Quotes),
            ("bibliography", _) => parts.push(Why::Bibliography),
            ("marked", _) => parts.push(Why::Marked),
            ("short", _) => short = Some(Short::DEFAULT),
            (_, Some(words)) => {
                let expected = "short=WORDS with a whole number, at least 1";
                let words = words.parse().ok().filter(|words| *words > 0);
                short = Some(words.ok_or_else(|| wrong("ignore", &what, expected))?);
            }
            _ => return Err(wrong("ignore", &what, expected)),
        }
    }
    Ok((parts, short))
}

fn templates(given: Option<Bound<PyAny>>) -> PyResult<Vec<dedup_text::passages::Sequence>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let all = if given.hasattr("__fspath__")? {
        vec![given]
    } else {
        let expected = "a str (a text), an os.PathLike (the path of a file), or several";
        let none = || wrong_type("template", &given, expected);
        each(&given).ok_or_else(none)?.collect::<PyResult<_>>()?
    };
    let read = |given: &Bound<PyAny>| {
        let text = text(given, "template")?;
        let bytes = text.content().len() as u64;
        interruptible(given.py(), bytes, move |_| template(&text))?.map_err(raised)
    };
    all.iter().map(read).collect()
}

/// Returns the items of an argument; a string is one item. `None` if it has no items, and for bytes,
/// whose items are numbers.
fn each<'py>(
    given: &Bound<'py, PyAny>,
) -> Option<Box<dyn Iterator<Item = PyResult<Bound<'py, PyAny>>> + 'py>> {
    if given.is_instance_of::<PyString>() {
        return Some(Box::new(iter::once(Ok(given.clone()))));
    }
    let is_bytes = given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>();
    Some(Box::new(given.try_iter().ok().filter(|_| !is_bytes)?))
}

/// Parses the languages: a code or `none`, or one of these for each side.
fn languages(given: Option<Bound<PyAny>>) -> PyResult<Choice> {
    let Some(given) = given else { return Ok(Choice::default()) };
    let expected = "an ISO 639 code such as \"ca\", or \"none\", or a pair of them";
    let one = |value: &Bound<PyAny>| {
        if value.is_none() {
            return Ok(Given::Detect);
        }
        let code: String = value.extract().map_err(|_| of_wrong_type("lang", value, expected))?;
        let code = code.to_ascii_lowercase();
        if code == "none" {
            return Ok(Given::As(None));
        }
        let language = Language::from_code(&code).map(|it| Given::As(Some(it)));
        language.ok_or_else(|| {
            let codes: Vec<_> = language::rows().iter().map(|row| row.short).collect();
            wrong("lang", value, &format!("none or one of {}", codes.join(" ")))
        })
    };
    if given.is_instance_of::<PyString>() {
        let given = one(&given)?;
        return Ok(Choice { left: given, right: given });
    }
    // The order of a set is another in each process.
    if !given.is_instance_of::<PyList>() && !given.is_instance_of::<PyTuple>() {
        return Err(of_wrong_type("lang", &given, expected));
    }
    match given.extract::<Vec<Bound<PyAny>>>()?.as_slice() {
        [left, right] => Ok(Choice { left: one(left)?, right: one(right)? }),
        _ => Err(wrong("lang", &given, expected)),
    }
}
