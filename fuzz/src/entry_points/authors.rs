//! Invariants of what the author of a submission decides: names, files and bytes.

use std::fmt::Write;
use std::path::Path;

use dedup_text::text::Text;

use super::told::{FORMATS, covered, has_note};
use crate::choices::Choices;
use crate::dispatch;

/// The lines of the text that is copied.
const LINES: [&str; 8] = [
    "The harbour of the old town was closed after the storm of last winter.",
    "Most of the boats had been moved into the river, where they were safe.",
    "Nobody asked the teacher why she had painted the bridge in such colours.",
    "A market of that size needs at least forty stalls and a good supply of water.",
    "When the engine stopped, the passengers walked the last mile through the gardens.",
    "The letter did not say who would pay for the new roof of the village hall.",
    "Every question of the council was answered in writing within seven days.",
    "In the end the painter sold his house and went to live near the station.",
];

const OTHER: &str = "Copper is found in rocks of many kinds, and it was among the first metals that people \
                     melted. Its price depends on how much electricity a mine can buy.\n";

/// What stands between two lines of the copy, or before it; otherwise some of the next bytes do.
const PIECES: [&str; 8] = [
    "",
    "\n",
    "dedup: ignore-start\n",
    "dedup: ignore-end\n",
    "“",
    "”",
    "References\n\n",
    "# dedup baseline 2\n",
];

const NAMES: [&str; 8] = [
    "essay.txt",
    "essay",
    ".essay.txt",
    ".git/essay",
    ".gitignore",
    "dedup.toml",
    "course.csv",
    "a.png",
];

/// Checks that a submission that has a copy is in a pair with the original, or has a note in every
/// output.
pub fn authors(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let folder = tempfile::tempdir().expect("a folder");
    let class = folder.path().join("class");
    let write = |name: &str, text: &[u8]| {
        let path = class.join(name);
        let is_made = path.parent().is_some_and(|parent| std::fs::create_dir_all(parent).is_ok());
        is_made && !path.exists() && std::fs::write(path, text).is_ok()
    };
    assert!(write("anna/essay.txt", LINES.map(|line| format!("{line}\n")).concat().as_bytes()));
    assert!(write("cleo/essay.txt", OTHER.as_bytes()));
    let ignore = choices.pick(&["short", "marked", "quotes,bibliography"]);
    let mut is_copied = false;
    for number in 0..=choices.below(3) {
        let name = match choices.below(NAMES.len() + 1) {
            0 => plain_name(&choices.text()),
            known => NAMES[known - 1].to_owned(),
        };
        // The first file has the copy.
        let lines = if number == 0 { &LINES[..] } else { &[] };
        let mut text = piece(&mut choices);
        for line in lines {
            let _ = write!(text, "{line}\n{}", piece(&mut choices));
        }
        // What documents hide is looked for by the targets of their formats.
        let read = Text::from_bytes(Path::new(&name), text.clone().into_bytes());
        if read.is_ok_and(|read| !read.kind().is_shown_as_stored()) {
            return;
        }
        is_copied |= write(&format!("ben/{name}"), text.as_bytes()) && number == 0;
    }
    if !is_copied {
        return;
    }
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let mut words = vec!["dedup".to_owned(), "check".to_owned(), path("class")];
    words.extend(
        ["--no-config", "--quiet", "--fail-on", "excerpt", "--ignore", ignore].map(Into::into),
    );
    let formats = &FORMATS[1..FORMATS.len() - 1];
    for format in formats {
        words.extend(["--format".to_owned(), format!("{format}={}", path(format))]);
    }
    let request = dispatch::read(words.into_iter().map(Into::into)).expect("sound flags");
    if let Err(error) = dispatch::answer(&request) {
        assert!(format!("{error:#}").contains("ben"), "{error:#}");
        return;
    }
    let read = |format: &str| {
        String::from_utf8(std::fs::read(path(format)).expect("written")).expect("UTF-8")
    };
    if covered(&read("json")) < 0.6 {
        for format in formats {
            assert!(has_note(format, &read(format)), "{format}: {}", read(format));
        }
    }
}

fn piece(choices: &mut Choices) -> String {
    match choices.below(PIECES.len() + 1) {
        0 => choices.text(),
        known => PIECES[known - 1].to_owned(),
    }
}

/// Makes a name of a file in a folder from any text.
fn plain_name(text: &str) -> String {
    let parts = text.split('/').filter(|part| !part.is_empty() && ![".", ".."].contains(part));
    let name = parts.collect::<Vec<_>>().join("/");
    if name.is_empty() { "essay".to_owned() } else { name }
}
