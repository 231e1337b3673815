//! Records → how often their shingles occur.

use std::mem;

use dedup_text::corpus::{DocumentAnalyzer, of_corpus};
use dedup_text::language::{Given, Known, Language};
use dedup_text::pair::recipe::Recipe;
use dedup_text::parallel;
use dedup_text::text::Text;

use super::counts::Counted;
use super::{filter, opener, singles};
use crate::args::{BadLines, PartFlags};
use crate::io::inputs::lines::Lines;
use crate::io::inputs::source::{Failed, Source};

/// Bytes of texts in doubt that are held until more is known of the others.
const MOST_HELD: usize = 1 << 26;

/// What a text comes to.
enum Read {
    /// The residues of one that is long enough, and its language.
    Set(Option<Language>, Vec<u64>),
    Short,
    /// Its language is in doubt.
    Doubtful(Box<Text>),
}

/// Counts the texts of standard input.
pub(super) fn count(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    count_lines(flags, recipe, filter::lines(flags)?)
}

/// Counts the texts of lines.
pub(crate) fn count_lines(flags: &PartFlags, recipe: &Recipe, lines: Lines) -> anyhow::Result<()> {
    let (opener, main) = (opener(flags)?, flags.main()?);
    let mut singles = singles(flags, recipe);
    let mut counted = Counted::new(flags, recipe)?;
    let (mut held, mut bytes) = (Vec::new(), 0);
    for batch in lines {
        let read = parallel::each_with(&mut singles, batch, |single, source| match source {
            Source::Line(line) => {
                let text = opener.open_line(&line).map_err(|error| line.failed(error))?.text;
                Ok(match single.language(&text) {
                    Some(language) => read_set(single, text, language),
                    None => Read::Doubtful(Box::new(text)),
                })
            }
            Source::Lost(failed) => Err(failed),
            Source::File(_) => Ok(Read::Short), // there are lines alone
        });
        for read in read {
            match read {
                Ok(Read::Set(language, set)) => {
                    counted.languages.add(language, 1);
                    counted.counts.add(&set);
                }
                Ok(Read::Short) => {}
                Ok(Read::Doubtful(text)) => {
                    bytes += text.content().len();
                    held.push(*text);
                }
                Err(failed) => passed_over(flags, failed)?,
            }
        }
        if bytes > MOST_HELD {
            count_held(&mut counted, &mut singles, mem::take(&mut held), main);
            bytes = 0;
        }
    }
    count_held(&mut counted, &mut singles, held, main);
    counted.write(&flags.output)
}

/// Counts texts in doubt in the language that is given for them, else in the one that most of
/// the others so far have.
fn count_held(
    counted: &mut Counted,
    singles: &mut [DocumentAnalyzer],
    held: Vec<Text>,
    main: Given,
) {
    let language = match main {
        Given::As(language) => language,
        Given::Detect => counted.languages.main(),
    };
    let read = parallel::each_with(singles, held, |single, text| {
        read_set(single, text, of_corpus(language))
    });
    for read in read {
        if let Read::Set(language, set) = read {
            counted.doubtful.add(language, 1);
            counted.counts.add(&set);
        }
    }
}

fn read_set(single: &mut DocumentAnalyzer, text: Text, language: Known) -> Read {
    match single.sketch(text, language) {
        Ok((_, sketch)) => Read::Set(language.language, sketch.shingles.all().distinct_residues()),
        Err(_) => Read::Short,
    }
}

/// Passes over a bad line where it is to be kept: keys tells of it.
fn passed_over(flags: &PartFlags, failed: Failed) -> anyhow::Result<()> {
    if flags.bad_lines == BadLines::Stop || failed.is_whole_file {
        return Err(failed.error);
    }
    Ok(())
}
