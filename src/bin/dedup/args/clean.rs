//! The flags that write a clean corpus.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use dedup_text::corpus::preference::Keep;
use dedup_text::text::display_path;

use super::CorpusFlags;
use super::conflicts::usage_error;
use crate::diagnostics::Diagnostic;
use crate::io::disk::Packing;
use crate::io::output;
use crate::model::Format;

/// Which files are written of the records that are kept, and of the others.
#[derive(Args, Debug)]
pub(crate) struct CleanFlags {
    /// Write the records that are kept: a clean corpus
    ///
    /// Lines of --jsonl or rows of --csv, byte for byte and in their order, or rows of --parquet with
    /// all their columns; - is standard output. It goes with --keep, or with --against: then what is
    /// like an old text is left out. The files are whole or not there, and nothing is written where a
    /// line cannot be read.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write a line for each record that is removed
    ///
    /// JSON Lines, or CSV or Parquet where the records are: its id, the id of the record that stands
    /// for it, verdict, Jaccard index, and the share of its words in passages of that record: null
    /// where passages are not looked for.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) removed: Option<PathBuf>,

    /// Keep all records, and add a field with the id that each is a duplicate of
    ///
    /// To --output. It is null, or empty in CSV, in records that are kept.
    #[arg(long, value_name = "FIELD", requires = "output")]
    pub(crate) annotate: Option<String>,

    /// Count what would be kept, and write no clean corpus
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Report by text of --against which texts have it
    ///
    /// Each with how much of either stands in the other, and the places of the passages, in bytes
    /// of both texts.
    #[arg(long, requires = "against")]
    pub(crate) each_against: bool,
}

impl CleanFlags {
    /// Whether a clean corpus is asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.output.is_some() || self.removed.is_some() || self.dry_run
    }

    /// The files that are written, each with its flag.
    pub(super) fn written(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let both = [("--output", &self.output), ("--removed", &self.removed)];
        both.into_iter().filter_map(|(flag, path)| {
            let path = path.clone()?;
            Some((format!("{flag} {}", display_path(&path)), path))
        })
    }

    /// Whether one of the files is standard output.
    pub(crate) fn is_printed(&self) -> bool {
        let mut files = self.output.iter().chain(&self.removed);
        !self.dry_run && files.any(|path| output::is_output(path))
    }
}

impl CorpusFlags {
    /// Which text of several is kept; none where that is not asked for.
    pub(crate) fn kept(&self) -> Option<&Keep> {
        self.keep.as_ref().or(self.clean.is_asked().then_some(&Keep::First))
    }

    /// What cannot be meant of a clean corpus, though each flag alone can.
    pub(super) fn check_clean(&self) -> Result<(), Diagnostic> {
        let CleanFlags { output, removed, dry_run, each_against, .. } = &self.clean;
        let flags = [
            ("--output", output.is_some()),
            ("--removed", removed.is_some()),
            ("--dry-run", *dry_run),
        ];
        let asked = flags.into_iter().find(|(_, is_there)| *is_there).map(|(flag, _)| flag);
        if *each_against {
            let others = [
                (asked, "it lists what --against finds; leave one of them out"),
                (self.keep.as_ref().map(|_| "--keep"), "it removes nothing"),
                (self.clusters.then_some("--clusters"), "it is of pairs with old texts"),
                (self.nearest.map(|_| "--nearest"), "it is of pairs that reach the level"),
                (self.report.file().map(|_| "--report"), "the report is made of pairs"),
                (self.baseline.file().map(|_| "--baseline"), "a baseline is made of pairs"),
                (
                    self.comparing.evidence.has_no_passages().then_some("--passages off"),
                    "it says where they stand",
                ),
            ];
            for (flag, hint) in others {
                let Some(flag) = flag else { continue };
                return usage_error(
                    &format!("--each-against and {flag} together, expected one of them"),
                    hint,
                );
            }
        }
        let printed = (!self.answering.quiet).then(|| self.formats.printed());
        let mut formats = self.formats.files().map(|(format, _)| format).chain(printed);
        let of_items = [Format::Text, Format::Json, Format::Jsonl];
        if let Some(format) = formats.find(|it| *each_against && !of_items.contains(it)) {
            return usage_error(
                &format!(
                    "--each-against and --format {} together, expected one of them",
                    format.name()
                ),
                "text, json and jsonl show what is found of each text",
            );
        }
        if let Some(format) = printed.filter(|it| self.clean.is_printed() && *it != Format::Text) {
            return usage_error(
                &format!(
                    "standard output for records and for --format {}, expected one of them",
                    format.name()
                ),
                "--output FILE writes the records to a file",
            );
        }
        let Some(flag) = asked else { return Ok(()) };
        if self.keep.is_none() && self.inputs.against.is_empty() {
            return usage_error(
                &format!("{flag} and neither --keep nor --against, expected what is to be removed"),
                "--keep first keeps the first of records that are near-duplicates",
            );
        }
        let lists = self.inputs.files_from.iter().chain(&self.inputs.files0_from);
        if let Some(path) = self.inputs.paths.iter().chain(lists).next() {
            return usage_error(
                &format!("{flag} and {} together, expected records alone", display_path(path)),
                "a clean corpus is made of records of --jsonl, --csv or --parquet; --keep first --format paths0 lists files",
            );
        }
        for (flag, path) in self.clean.written() {
            if let Some(packing) = Packing::of_name(&path).filter(|it| *it != Packing::Gzip) {
                let (name, ending) = (packing.name(), packing.ending());
                return usage_error(
                    &format!("{flag}: {name} cannot be written, expected .gz or an unpacked file"),
                    &format!("--output - prints the records, for a program that writes .{ending}"),
                );
            }
        }
        let id = self.inputs.id();
        let text = self.inputs.text();
        if let Some(field) = self.clean.annotate.as_deref().filter(|it| [id, text].contains(it)) {
            return usage_error(
                &format!("--annotate {field}, expected a field that no record has"),
                "name another field, such as duplicate_of",
            );
        }
        Ok(())
    }
}
