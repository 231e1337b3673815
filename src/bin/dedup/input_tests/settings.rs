//! Invariants of settings files.

use std::path::Path;

use toml::de::DeTable;

use super::check;
use crate::diagnostics;
use crate::dispatch;
use crate::dispatch::tree::Request;

#[test]
fn printed_settings_are_read_back() {
    check("settings", 8, settings);
}

/// Checks that the printed form of a settings file is a settings file with the same settings. An
/// error must name the file and have a hint.
fn settings(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("dedup.toml");
    let Some(first) = page(&file, bytes) else { return };
    let second = page(&file, first.as_bytes()).expect("what was printed is read");
    assert_eq!(plain(&first), plain(&second));
}

/// Returns the printed settings of a file. `None` if the file has an error.
fn page(file: &Path, content: &[u8]) -> Option<String> {
    std::fs::write(file, content).expect("written");
    let name = file.to_str().expect("UTF-8");
    let line = ["dedup", "config", "--config", name];
    match dispatch::read(line.map(Into::into)) {
        Ok(Request::Config(flags)) => Some(flags.page),
        Ok(_) => panic!("settings are printed"),
        Err(error) => {
            let rendered = format!("{error:#}");
            let hint = diagnostics::hint(&error).expect("what to do");
            assert!(rendered.contains(name) || hint.contains(name), "{rendered}: {hint}");
            None
        }
    }
}

/// Returns the keys and values of a page, without its comments, which say where each setting comes
/// from.
fn plain(page: &str) -> Vec<(String, &str)> {
    let table = DeTable::parse(page).expect("TOML").into_inner();
    table.iter().map(|(key, value)| (key.get_ref().to_string(), &page[value.span()])).collect()
}
