//! Checks for flags of a corpus that contradict each other.

use std::ffi::OsStr;
use std::path::{self, Path};

use dedup_text::text::display_path;
use dedup_text::text::formats::Kind;

use super::CorpusFlags;
use crate::args::values::Limit;
use crate::args::{check_conflicts, check_standard_input, usage_error};
use crate::diagnostics::{Diagnostic, Flag, as_argument};
use crate::exports::Format;
use crate::io::output::{self, OutputFiles, check_folder, check_key};

impl CorpusFlags {
    /// Checks that the flags can be combined, and that the report can be written.
    ///
    /// # Errors
    ///
    /// Returns an error if no text is named, if flags contradict each other, if a report is
    /// requested of a build without reports, if an output would overwrite an input, or if the
    /// report or its key would replace anything but an earlier one.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if let Some(folder) = self.report.folder().filter(|_| !self.list) {
            check_is_no_document(folder)?;
            check_folder(folder)?;
            self.check_outside(folder)?;
        }
        if let Some(key) = self.report.key().filter(|_| !self.list) {
            check_key(&key)?;
        }
        Ok(self.check_usage()?)
    }

    /// Same as [`Self::check`], for `--against` without a command. At most one text is allowed: two
    /// would be compared with the old ones, but not with each other.
    pub(crate) fn check_against(&self) -> anyhow::Result<()> {
        if let [left, right, ..] = self.inputs.paths.as_slice()
            && !self.settings.sets("paths")
        {
            let shown = [left, right].map(|path| display_path(path)).join(", ");
            let [left, right] = [left, right].map(as_argument);
            return Ok(usage_error(
                ["against"],
                &format!("{shown} and --against together, expected only one text"),
                &format!(
                    "dedup corpus {left} {right} --against … compares both with the old texts"
                ),
            )?);
        }
        self.check()
    }

    fn check_usage(&self) -> Result<(), Diagnostic> {
        let Self { inputs, comparing, .. } = self;
        if inputs.is_empty() {
            return usage_error(
                ["files-from", "jsonl", "csv", "parquet"],
                "no input given, expected files or folders, --files-from, --jsonl, --csv or \
                 --parquet",
                &format!(
                    "dedup {} essays compares all texts in a folder; paths = [\"essays\"] in \
                     dedup.toml makes it the default",
                    self.command_name()
                ),
            );
        }
        let others = comparing.files().map(|(_, path)| path);
        check_standard_input(inputs.files().chain(others))?;
        self.check_has_records()?;
        inputs.check_records()?;
        let kept_by = self.keeping.keep.as_ref().and_then(|keep| keep.field());
        if let Some(field) = kept_by.filter(|field| inputs.has_records() && *field == inputs.text())
        {
            return usage_error(
                ["keep", "text"],
                &format!("--keep by {field} and --text {field}, expected two fields"),
                "--keep longest prefers long texts",
            );
        }
        if self.keeping.keep.as_ref().is_some_and(|keep| keep.field().is_some())
            && !inputs.has_records()
        {
            return usage_error(
                ["keep", "jsonl", "csv", "parquet"],
                "--keep by a field without --jsonl, --csv or --parquet, expected records with that \
                 field",
                "--keep first and --keep longest also work with files",
            );
        }
        self.check_clean()?;
        self.formats.check(self.answering.quiet)?;
        self.baseline.check(comparing.evidence.passages)?;
        self.check_ignored()?;
        let export = self.formats.exports().next();
        let format = export.map(|export| export.name).unwrap_or_default();
        let keeps = self.keeping.keep.is_some();
        check_conflicts(&[
            (
                export.is_some() && (keeps || self.clusters),
                Flag::new(if keeps { "keep" } else { "clusters" }),
                Flag::with("format", format),
                &format!("{format} lists pairs; text, json, jsonl and paths show the rest"),
            ),
            (
                self.report.file().is_some() && comparing.evidence.has_no_passages(),
                Flag::with("passages", "off"),
                Flag::new("report"),
                "the report shows the passages that the texts of a pair share",
            ),
            (
                self.since.is_some() && inputs.has_records(),
                Flag::new("since"),
                Flag::new(inputs.flag_of_records()),
                "--against OLD.jsonl compares new records with existing ones",
            ),
            (
                self.since.is_some() && comparing.evidence.has_no_passages(),
                Flag::new("since"),
                Flag::with("passages", "off"),
                "--since compares passages; leave out --passages off",
            ),
        ])?;
        self.check_save_common()?;
        let mut files = self.formats.written().chain(self.clean.written());
        files.try_for_each(|(flag, path)| output::check_file(&flag, &path))?;
        let outputs = self.outputs()?;
        let texts = inputs.paths.iter().chain(inputs.old());
        texts.clone().try_for_each(|path| outputs.check(output::text(path), path))?;
        self.other_inputs().try_for_each(|(what, path)| outputs.check(what, path))
    }

    /// Checks that the file of `--save-common` is new and is read as plain text, and that there is
    /// something to write.
    fn check_save_common(&self) -> Result<(), Diagnostic> {
        let Some(path) = &self.save_common else { return Ok(()) };
        let flag = Flag::with("save-common", display_path(path));
        output::check_file(&flag, path)?;
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_plain = Kind::from_ending(ending).is_none_or(|kind| kind == Kind::Plain);
        let (what, hint) = match () {
            () if self.template_share == Some(Limit(None)) => {
                ("--template-share off sets nothing aside", "leave out one of the two")
            }
            () if path.exists() || output::is_output(path) => {
                ("expected a new file", "nothing is overwritten; name another file")
            }
            () if !is_plain => ("expected a plain text file", "name it common.txt"),
            () => return Ok(()),
        };
        usage_error(flag.names(), &format!("{flag}: {what}"), hint)
    }

    /// Returns an error if a flag that applies to records is given and no records are read. Flags
    /// that the settings file sets are not reported, since they may be meant for other runs.
    fn check_has_records(&self) -> Result<(), Diagnostic> {
        let clean = &self.clean;
        let output = clean.written().map(|(flag, _)| flag);
        let fields = self.inputs.of_records().into_iter();
        let fields = fields.filter_map(|(flag, field)| Some(Flag::with(flag, field?)));
        let flags = fields.chain(output).chain(clean.dry_run.then(|| Flag::new("dry-run")));
        let mut typed = flags.filter(|flag| !flag.names().any(|name| self.settings.sets(name)));
        match typed.next().filter(|_| !self.inputs.has_records()) {
            Some(flag) => usage_error(
                flag.names().chain(["jsonl", "csv", "parquet"]),
                &format!("{flag} without --jsonl, --csv or --parquet, expected records"),
                "--jsonl FILE, --csv FILE and --parquet FILE read records",
            ),
            None => Ok(()),
        }
    }

    /// Returns an error if an output is in the folder of the report, which a later run would not
    /// replace because of it.
    fn check_outside(&self, report: &Path) -> Result<(), Diagnostic> {
        let place = |path: &Path| path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let report = place(report);
        let written =
            self.formats.written().chain(self.baseline.written()).chain(self.clean.written());
        match { written }.find(|(_, file)| place(file).starts_with(&report)) {
            Some((flag, _)) => usage_error(
                flag.names().chain(["report"]),
                &format!("{flag}: in the folder of --report, expected a file outside"),
                "a report is replaced only if its folder has no other files; name another folder",
            ),
            None => Ok(()),
        }
    }

    /// Returns the files to be written.
    pub(crate) fn outputs(&self) -> Result<OutputFiles, Diagnostic> {
        let key = || Flag::of(&["anonymous"], "the key of --anonymous");
        OutputFiles::new(
            (self.formats.written())
                .chain(self.report.written())
                .chain(self.report.key().map(|path| (key(), path)))
                .chain(self.baseline.written())
                .chain(self.clean.written())
                .chain(
                    self.save_common
                        .iter()
                        .map(|path| (Flag::with("save-common", display_path(path)), path.clone())),
                )
                .chain(self.formats.written_summary()),
        )
    }

    /// Returns the files that are read in addition to the texts, each with its description for
    /// messages.
    pub(crate) fn other_inputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let lists = self.inputs.files_from.iter().chain(&self.inputs.files0_from);
        let lists = lists.map(|path| ("the list of files", path.as_path()));
        let records = self.inputs.records().map(|(path, _)| ("a file of records", path));
        let names = self.inputs.names.iter().map(|path| ("a list of persons", path.as_path()));
        let review = self.reviewed.iter().map(|path| ("a review", path.as_path()));
        let all = lists.chain(records).chain(names).chain(review);
        all.chain(self.comparing.files()).chain(self.settings.read())
    }
}

/// Returns an error if a report that would be a new folder has the name of a document.
fn check_is_no_document(report: &Path) -> Result<(), Diagnostic> {
    /// The endings of other files that a report might be meant to be.
    const FILES: [&str; 7] = ["json", "jsonl", "csv", "tsv", "xml", "sarif", "zip"];
    let ending = report.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_of_file = || FILES.iter().any(|it| ending.eq_ignore_ascii_case(it));
    if report.exists() || Kind::from_ending(ending).is_none() && !is_of_file() {
        return Ok(());
    }
    let path = display_path(report);
    let what = format!("--report {path}: a document, expected a folder or FILE.html");
    let hint = "a report is one web page if its name ends in .html, otherwise a folder; \
                --format F=FILE writes other formats";
    Err(Diagnostic::new(what).hint(hint).flags(["report"]))
}

impl CorpusFlags {
    /// Checks that `--each-against` is not combined with a flag that it would ignore. `printed` is
    /// the format of the printed answer.
    pub(crate) fn check_each_against(&self, printed: Option<Format>) -> Result<(), Diagnostic> {
        let mut formats = self.formats.files().map(|(format, _)| format).chain(printed);
        let of_items = [Format::Text, Format::Json, Format::Jsonl];
        let format = formats.find(|format| !of_items.contains(format));
        let (is_asked, flag) = (self.clean.each_against, || Flag::new("each-against"));
        check_conflicts(&[
            (
                is_asked && self.comparing.evidence.has_no_passages(),
                flag(),
                Flag::with("passages", "off"),
                "it shows where the passages are",
            ),
            (
                is_asked && format.is_some(),
                flag(),
                Flag::with("format", format.map(Format::name).unwrap_or_default()),
                "text, json and jsonl show what is found for each text",
            ),
        ])
    }

    /// Checks that no flag would be ignored.
    pub(crate) fn check_ignored(&self) -> Result<(), Diagnostic> {
        let is_used = |flag: &str| flag == "min-match" && self.template_share.is_some();
        self.comparing.check_ignored(|flag| !self.settings.sets(flag) && !is_used(flag))
    }
}
