//! The answer of a pair for programs: one object, by `dedup.pair.schema.json`.

use std::path::Path;

use dedup_text::record::{PersonRecord, RecordOptions, of_pair};

use crate::io::inputs::course::{Person, Time};
use crate::model::Pair;
use crate::model::names::Names;

/// What is reported beside a pair.
pub(crate) struct ReportOptions<'o> {
    /// What texts go by.
    pub(crate) names: &'o Names,
    /// What was given of stop words.
    pub(crate) stopwords: &'o Path,
    /// The settings file; none where none is read.
    pub(crate) settings: Option<&'o str>,
}

/// The record of a pair, on one line without an end; with every stage where it is explained.
pub(crate) fn render(
    pair: &Pair,
    explains: bool,
    options: &ReportOptions,
) -> anyhow::Result<String> {
    let options = RecordOptions {
        name: &|path| options.names.given(path),
        stopwords: options.stopwords,
        settings: options.settings,
        explains,
        is_accepted: pair.is_accepted,
        is_by_far: pair.is_by_far,
        persons: pair.persons.map(|person| person.map(person_record)),
        later: pair.later(),
    };
    Ok(of_pair([pair.left, pair.right], pair.recipe, pair.judgement, &options)?)
}

pub(crate) fn person_record(person: &Person) -> PersonRecord {
    PersonRecord {
        id: person.id.clone(),
        name: person.name.clone(),
        group: person.group.clone(),
        submitted: person.submitted.as_ref().map(Time::iso),
    }
}
