//! Finds the near-duplicate pairs of a table, or returns its rows without the near-duplicates.

use std::collections::HashMap;
use std::env;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, LargeStringArray, RecordBatch, StringArray,
    UInt32Array, UInt64Array, new_empty_array,
};
use arrow_cast::cast;
use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat;
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take;
use dedup_text::corpus::join::{JoinError, Memory, Pair, TempFileError, removed_by_pairs};
use dedup_text::corpus::preference::{Keep, Worth, in_order};
use dedup_text::corpus::{Corpus, CorpusBuilder, Opened, PairQuery, SearchError};
use dedup_text::display::{counted, or_closer};
use dedup_text::jaccard::Share;
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel::{self, Advance, Watch};
use dedup_text::sketch::Coverage;
use dedup_text::text::{ReadOptions, Text};
use dedup_text::verdict::Verdict;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::settings::{self, Settings, raised, reading_of_strings, system_error};
use crate::table::{Column, Table, Wanted, batches, without_dictionary};
use crate::watched::watched;

/// The number of rows that are read at a time.
const ROWS: usize = 4096;

/// The stages of a run, in order. The last one consists of several steps.
const STAGES: [&str; 3] = ["reading", "settling", "joining"];

/// The largest number of pairs that are held in memory to decide what is kept. Each takes 32 bytes.
/// Texts with the same shingles count as one text.
const MAX_HELD: usize = 100_000_000;

/// The settings of a run on a table.
struct Run {
    settings: Settings,
    level: Verdict,
    threads: NonZeroUsize,
    memory: Option<u64>,
    /// The number of rows of the table, or 0 if it is not known.
    rows: u64,
    /// The largest number of pairs of an answer. `None` disables the limit.
    max_pairs: Option<usize>,
}

/// The arguments that all functions on tables have: the columns, and the options of the run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    text: String,
    id: Option<String>,
    level: String,
    threads: Option<NonZeroUsize>,
    memory: Option<u64>,
    rows: Option<u64>,
    max_pairs: Option<usize>,
}

/// The texts that were read from a table.
struct Gathered<'r> {
    corpus: Corpus<'r>,
    /// The row of each text of the corpus, counted from 0.
    rows: Vec<u64>,
}

/// The number of texts that were too short to be compared, and whether pairs that share only reworded
/// sentences were not looked for.
type Left = (usize, bool);

/// Returns the pairs of a table that are of the level or closer, and the number of its texts that
/// were too short.
///
/// # Errors
///
/// Raises `TypeError`, `KeyError`, `ValueError` or `OSError`, or the exception that stops the run.
#[pyfunction]
pub(crate) fn near_duplicates(
    py: Python,
    table: &Bound<PyAny>,
    asked: Asked,
    progress: Option<&Bound<PyAny>>,
    settings: &Bound<PyDict>,
) -> PyResult<(Table, Left)> {
    let (schema, read) = batches(table)?;
    let columns = Columns::new(&schema, &asked)?;
    let run = Run::new(settings, asked)?;
    watched(py, &STAGES, progress, |advance| {
        let mut ids = Vec::new();
        let keep = |batch: &RecordBatch| {
            let chunk = columns.id.as_ref().map(|id| copied(&id.values(batch))).transpose()?;
            ids.extend(chunk);
            Ok(())
        };
        let gathered = run.gather(read, &columns, keep, advance)?;
        let max_pairs = run.max_pairs.unwrap_or(usize::MAX);
        let watch = Watch { threads: run.threads, advance };
        let found = gathered.corpus.found(&run.query(max_pairs), watch);
        let found = found.map_err(|error| run.error(error, max_pairs))?;
        let ids = Ids::new(&ids, columns.id.as_ref())?;
        let table = pairs(&gathered, &found.pairs, &ids, &run)?;
        Ok((table, (gathered.corpus.short.len(), found.skips_reworded)))
    })
}

/// Returns the rows of a table without the near-duplicates, and the number of its texts that were
/// too short to be compared.
///
/// # Errors
///
/// Same as [`near_duplicates`]; also `ValueError` if no row has a value for `keep`.
#[pyfunction]
pub(crate) fn deduplicate(
    py: Python,
    table: &Bound<PyAny>,
    keep: &str,
    asked: Asked,
    progress: Option<&Bound<PyAny>>,
    settings: &Bound<PyDict>,
) -> PyResult<(Table, Left)> {
    let (schema, read) = batches(table)?;
    let columns = Columns::new(&schema, &asked)?;
    let run = Run::new(settings, asked)?;
    let keep: Keep =
        keep.parse().map_err(|error| PyValueError::new_err(format!("keep={keep:?}, {error}")))?;
    let worth = keep.field().map(|field| Column::new(&schema, field)).transpose()?;
    let wanted = if matches!(keep, Keep::Newest(_)) { Wanted::Newest } else { Wanted::Greatest };
    watched(py, &STAGES, progress, |advance| {
        let (mut all, mut values) = (Vec::new(), Vec::new());
        let hold = |batch: &RecordBatch| {
            all.push(batch.clone());
            Ok(())
        };
        let gathered = run.gather(read, &columns, hold, advance)?;
        if let Some(worth) = &worth {
            let mut row = 0;
            for batch in &all {
                values.push(worth.strings(batch, row, wanted)?);
                row += batch.num_rows() as u64;
            }
            let mut worths = values.iter().flatten().map(|value| keep.worth(value));
            if row > 0 && !worths.any(|worth| worth.is_some()) {
                return Err(no_row_has(&keep));
            }
        }
        let order = order(&gathered, &keep, &values);
        let (removed, skips_reworded) = run.removed(&gathered.corpus, &order, advance)?;
        let mut is_kept = vec![true; all.iter().map(RecordBatch::num_rows).sum()];
        for (text, partner) in removed.iter().enumerate() {
            let row = usize::try_from(gathered.rows[text]).unwrap_or(usize::MAX);
            is_kept[row] = partner.is_none();
        }
        let mut rest = is_kept.as_slice();
        let mut kept = Vec::with_capacity(all.len());
        for batch in &all {
            let (these, others) = rest.split_at(batch.num_rows());
            rest = others;
            let mask = BooleanArray::from(these.to_vec());
            kept.push(filter_record_batch(batch, &mask).map_err(raised)?);
        }
        Ok((Table::new(schema, kept), (gathered.corpus.short.len(), skips_reworded)))
    })
}

/// Makes the error for a column of which no row has a value that can be compared.
fn no_row_has(keep: &Keep) -> PyErr {
    let what = if matches!(keep, Keep::Newest(_)) { "a value" } else { "a number" };
    let column = keep.field().unwrap_or_default();
    let expected = "expected it in at least one";
    PyValueError::new_err(format!("keep: no row has {what} in the column {column}, {expected}"))
}

/// The columns that are read.
struct Columns {
    text: Column,
    /// The column of ids. `None` if texts are named by their rows.
    id: Option<Column>,
}

impl Columns {
    fn new(schema: &Schema, asked: &Asked) -> PyResult<Self> {
        let id = match &asked.id {
            Some(id) if id == "off" => None,
            Some(id) => Some(Column::new(schema, id)?),
            None => Column::find(schema, "id")?,
        };
        Ok(Self { text: Column::new(schema, &asked.text)?, id })
    }
}

impl Run {
    fn new(settings: &Bound<PyDict>, asked: Asked) -> PyResult<Self> {
        let Asked { level, threads, memory, rows, max_pairs, .. } = asked;
        let mut settings = Settings::of_many(settings)?;
        let wrong = || {
            PyValueError::new_err(format!(
                "level={level:?}, expected identical, near-duplicate, partial or excerpt"
            ))
        };
        let known = Verdict::from_name(&level).filter(|it| *it > Verdict::Different);
        let level = known.ok_or_else(wrong)?;
        // If no passage can decide a pair, the texts need not be kept to search for passages.
        let are_needed = settings.passages.unwrap_or(level < Verdict::NearDuplicate);
        settings.recipe.search = if are_needed { Search::Always } else { Search::Never };
        let available = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let (threads, rows) = (threads.unwrap_or_else(available), rows.unwrap_or_default());
        Ok(Self { settings, level, threads, memory, rows, max_pairs })
    }

    /// Reads the texts of a table, and calls `hold` with each batch.
    fn gather(
        &self,
        read: impl Iterator<Item = PyResult<RecordBatch>> + Send,
        columns: &Columns,
        hold: impl FnMut(&RecordBatch) -> PyResult<()>,
        advance: &Advance,
    ) -> PyResult<Gathered<'_>> {
        // A batch is read while the previous one is compared. This takes 4.3 s instead of 5.4 s for
        // 100,000 texts of a Parquet file that pyarrow unpacks on demand.
        thread::scope(|threads| {
            let (sender, ahead) = sync_channel(1);
            threads.spawn(move || read.into_iter().try_for_each(|batch| sender.send(batch)));
            self.gather_batches(ahead.into_iter(), columns, hold, advance)
        })
    }

    fn gather_batches(
        &self,
        read: impl Iterator<Item = PyResult<RecordBatch>>,
        columns: &Columns,
        mut hold: impl FnMut(&RecordBatch) -> PyResult<()>,
        advance: &Advance,
    ) -> PyResult<Gathered<'_>> {
        advance.begin(self.rows);
        let mut builder = CorpusBuilder::new(&self.settings.recipe, self.threads);
        if let Some(bytes) = self.memory {
            builder = builder.within(Memory { bytes, folder: env::temp_dir() });
        }
        let mut names: HashMap<String, u64> = HashMap::new();
        let reading = reading_of_strings();
        let mut start = 0;
        for batch in read {
            let batch = batch?;
            let texts = columns.text.strings(&batch, start, Wanted::Texts)?;
            let ids = columns.id.as_ref().map(|id| id.strings(&batch, start, Wanted::Plain));
            let ids = ids.transpose()?;
            hold(&batch)?;
            let rows: Vec<usize> = (0..batch.num_rows()).collect();
            for rows in rows.chunks(ROWS) {
                let open = |row: usize| {
                    advance.add(1);
                    let opened = open(row, (&texts, ids.as_ref()), start, &reading)?;
                    Ok((opened.0, (opened.1, start + row as u64)))
                };
                let admit = |(name, row): (String, u64)| match names.insert(name.clone(), row) {
                    Some(first) => Err(PyValueError::new_err(format!(
                        "row {row}: the id {name:?} is also that of row {first}, expected a different id for each row"
                    ))),
                    None => Ok(()),
                };
                if let Some(error) = builder.add(rows.to_vec(), open, admit).into_iter().next() {
                    return Err(error);
                }
            }
            start += batch.num_rows() as u64;
        }
        builder.check().map_err(|error| of_temporary_file(&error))?;
        let corpus = builder.finish_watched(advance);
        if let Some((path, defect)) = corpus.defects.first() {
            let row = path.to_str().and_then(|name| names.get(name)).copied().unwrap_or_default();
            return Err(PyValueError::new_err(format!("row {row}: {defect}")));
        }
        let row = |text: &Text| {
            let name = text.path().to_str().and_then(|name| names.get(name));
            name.copied().unwrap_or_default()
        };
        let rows = corpus.documents.iter().map(|document| row(&document.text)).collect();
        Ok(Gathered { corpus, rows })
    }

    /// Returns for each text the kept text that replaces it, `None` if the text itself is kept, and
    /// whether pairs that share only reworded sentences were not looked for.
    fn removed(
        &self,
        corpus: &Corpus,
        order: &[u32],
        advance: &Advance,
    ) -> PyResult<(Vec<Option<u32>>, bool)> {
        let watch = Watch { threads: self.threads, advance };
        if self.level < Verdict::NearDuplicate {
            let found = corpus.found(&self.query(MAX_HELD), watch);
            let found = found.map_err(|error| self.error(error, MAX_HELD))?;
            let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|(it, _)| (it.a, it.b)).collect();
            return Ok((removed_by_pairs(&pairs, order), found.skips_reworded));
        }
        let joined = corpus.joined(self.level, MAX_HELD, watch);
        Ok((joined.map_err(|error| self.error(error, MAX_HELD))?.removed(order), false))
    }

    fn query(&self, max_pairs: usize) -> PairQuery {
        let level = self.level;
        PairQuery { level, listed: level, max_pairs }
    }

    /// Converts the error of a join that holds at most `max_pairs` pairs.
    fn error(&self, error: impl Into<SearchError>, max_pairs: usize) -> PyErr {
        match error.into() {
            SearchError::Join(JoinError::TempFile(error)) => of_temporary_file(&error),
            _ => PyValueError::new_err(format!(
                "more than {} {}, expected at most that many; a closer level has fewer, and max_pairs=None \
                 lifts the limit of near_duplicates",
                counted(max_pairs, "pair"),
                or_closer(self.level)
            )),
        }
    }
}

fn of_temporary_file(error: &TempFileError) -> PyErr {
    system_error(&error.source, &settings::message(error), &error.folder)
}

/// Opens the text of a row, and returns it with its name: the id, or the number of the row.
fn open(
    row: usize,
    (texts, ids): (&LargeStringArray, Option<&LargeStringArray>),
    start: u64,
    reading: &ReadOptions,
) -> PyResult<(Opened, String)> {
    let number = start + row as u64;
    let null = |what: &str| {
        PyValueError::new_err(format!("row {number}: the {what} is null, expected one"))
    };
    let name = match ids {
        Some(ids) if ids.is_null(row) => return Err(null("id")),
        Some(ids) => ids.value(row).to_owned(),
        // Padded, so that the order of the names is that of the numbers.
        None => format!("{number:020}"),
    };
    if texts.is_null(row) {
        return Err(null("text"));
    }
    let decode = |name: &str| {
        let bytes = texts.value(row).as_bytes().to_vec();
        Text::decode(&PathBuf::from(name), bytes, reading)
    };
    let text = decode(&name).map_err(|error| match ids {
        Some(_) => PyValueError::new_err(format!("row {number}: {}", settings::message(&error))),
        None => decode(&format!("row {number}")).map_or_else(raised, |_| raised(error)),
    })?;
    Ok((text.into(), name))
}

/// Returns the texts in the order of preference.
fn order(gathered: &Gathered, keep: &Keep, values: &[LargeStringArray]) -> Vec<u32> {
    let mut starts = Vec::with_capacity(values.len());
    let mut next = 0;
    for batch in values {
        starts.push(next);
        next += batch.len();
    }
    let field = |row: usize| {
        let batch = starts.partition_point(|start| *start <= row).checked_sub(1)?;
        let (batch, at) = (&values[batch], row - starts[batch]);
        batch.is_valid(at).then(|| batch.value(at))
    };
    let row = |text: usize| usize::try_from(gathered.rows[text]).unwrap_or(usize::MAX);
    let documents = gathered.corpus.documents.iter().enumerate();
    let worth: Vec<Worth> = documents
        .map(|(text, document)| match keep {
            Keep::Longest => keep.worth(Some(&document.words.to_string())),
            _ => keep.worth(field(row(text))),
        })
        .collect();
    in_order(&worth, |_| false, |worth| worth, |text| row(text as usize))
}

/// Copies a column, without its dictionary. The column itself would keep its complete batch in
/// memory, and the keys of a dictionary may be too small for the values of all batches.
fn copied(values: &ArrayRef) -> PyResult<ArrayRef> {
    let values = cast(values, without_dictionary(values.data_type())).map_err(raised)?;
    concat(&[&values, &new_empty_array(values.data_type())]).map_err(raised)
}

/// The ids of all rows, and their field. `None` if texts are named by their rows.
struct Ids(Option<(ArrayRef, Field)>);

impl Ids {
    /// Concatenates the chunks of a column.
    fn new(chunks: &[ArrayRef], column: Option<&Column>) -> PyResult<Self> {
        let Some(column) = column else { return Ok(Self(None)) };
        let of = without_dictionary(column.field().data_type());
        let empty = new_empty_array(of); // there may be no chunk
        let chunks: Vec<&dyn Array> =
            [&empty].into_iter().chain(chunks).map(AsRef::as_ref).collect();
        let field = column.field().clone().with_data_type(of.clone()).with_nullable(false);
        Ok(Self(Some((concat(&chunks).map_err(raised)?, field))))
    }

    /// Returns the field of a column of ids, with its extension type, such as that of UUIDs.
    fn field(&self, name: &str) -> Field {
        match &self.0 {
            Some((_, field)) => {
                let is_kept = [EXTENSION_TYPE_NAME_KEY, EXTENSION_TYPE_METADATA_KEY];
                let mut metadata = field.metadata().clone();
                metadata.retain(|key, _| is_kept.contains(&key.as_str()));
                field.clone().with_name(name).with_metadata(metadata)
            }
            None => Field::new(name, DataType::UInt64, false),
        }
    }

    /// Returns the ids of the given rows, in the type that they have in the table.
    fn of(&self, rows: Vec<u64>) -> PyResult<ArrayRef> {
        let rows = UInt64Array::from(rows);
        match &self.0 {
            Some((ids, _)) => take(ids, &rows, None).map_err(raised),
            None => Ok(Arc::new(rows)),
        }
    }
}

/// Builds the table of pairs, in the order of `found`.
fn pairs(gathered: &Gathered, found: &[(Pair, Verdict)], ids: &Ids, run: &Run) -> PyResult<Table> {
    let side = |text: fn(&Pair) -> u32| {
        ids.of(found.iter().map(|(pair, _)| gathered.rows[text(pair) as usize]).collect())
    };
    let (a, b) = (side(|pair| pair.a)?, side(|pair| pair.b)?);
    let ratios = |share: fn(&Pair) -> Option<Share>| {
        let ratios = found.iter().map(|(pair, _)| share(pair).map(Share::ratio));
        Arc::new(ratios.collect::<Float64Array>()) as ArrayRef
    };
    let coverage = coverage(&gathered.corpus, found, run);
    let covered = |share: fn(&Coverage, usize) -> Option<Share>, side: usize| {
        let ratios = coverage.iter().map(|it| share(it, side).map(Share::ratio));
        Arc::new(ratios.collect::<Float64Array>()) as ArrayRef
    };
    let names: StringArray = found.iter().map(|(_, verdict)| Some(verdict.name())).collect();
    let hamming: UInt32Array = found.iter().map(|(pair, _)| Some(pair.hamming)).collect();
    let counts = |count: fn(&Pair) -> usize| {
        let counts = found.iter().map(|(pair, _)| Some(count(pair) as u64));
        Arc::new(counts.collect::<UInt64Array>()) as ArrayRef
    };
    let columns: [(&str, ArrayRef); 15] = [
        ("a", a),
        ("b", b),
        ("verdict", Arc::new(names)),
        ("hamming", Arc::new(hamming)),
        ("jaccard", ratios(|it| Share::new(it.all.shared, it.all.union()))),
        ("shared", counts(|it| it.all.shared)),
        ("union", counts(|it| it.all.union())),
        ("containment_a", ratios(|it| it.longest.containment_of_left())),
        ("containment_b", ratios(|it| it.longest.containment_of_right())),
        ("coverage_a", covered(Coverage::share, 0)),
        ("coverage_b", covered(Coverage::share, 1)),
        ("same_a", covered(Coverage::same, 0)),
        ("same_b", covered(Coverage::same, 1)),
        ("changed_a", covered(Coverage::changed, 0)),
        ("changed_b", covered(Coverage::changed, 1)),
    ];
    let is_nullable = |name: &str| !["verdict", "hamming", "shared", "union"].contains(&name);
    let field = |(name, values): &(&str, ArrayRef)| match *name {
        "a" | "b" => ids.field(name),
        name => Field::new(name, values.data_type().clone(), is_nullable(name)),
    };
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    let values = columns.into_iter().map(|(_, values)| values).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), values).map_err(raised)?;
    Ok(Table::new(schema, vec![batch]))
}

/// Returns the coverage of each pair; without shares if passages are not searched for.
fn coverage(corpus: &Corpus, found: &[(Pair, Verdict)], run: &Run) -> Vec<Coverage> {
    let recipe: &Recipe = &run.settings.recipe;
    if recipe.search == Search::Never {
        return vec![Coverage::default(); found.len()];
    }
    let of_pair = |(pair, _): &(Pair, Verdict)| {
        let matches = corpus.judge(pair).matches;
        matches.map_or_else(Coverage::default, |it| it.coverage)
    };
    parallel::map(run.threads, found, of_pair)
}
