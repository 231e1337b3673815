//! `dedup web`: where the page that compares texts in a browser is, and a copy of it.
//!
//! The page has the program in it, so that the program cannot have the page in itself: a release ships
//! both, the page beside the program, or in `share/dedup` beside its folder.

use std::path::{Path, PathBuf};

use dedup_text::text::display_path;
use dedup_text::words::visible;

use crate::args::WebFlags;
use crate::diagnostics::{self, Diagnostic};
use crate::exit::Exit;
use crate::io::{disk, output};

/// Where the page may be, from the folder of the program.
const PLACES: [&str; 2] = ["dedup.html", "../share/dedup/dedup.html"];

const VERSION: &str = env!("CARGO_PKG_VERSION");

const HINT: &str = concat!(
    "dedup.html is among the files of release ",
    env!("CARGO_PKG_VERSION"),
    "; web/build makes it in the sources"
);

/// Bytes that its version stands in.
const HEAD: usize = 1 << 12;

/// The most bytes that it has; it is to have six million at most.
const MOST: u64 = 64 << 20;

pub(crate) fn answer(flags: &WebFlags) -> anyhow::Result<Exit> {
    let (path, page) = page()?;
    let Some(file) = &flags.output else {
        return super::print(&format!("{}\n", display_path(&path)));
    };
    output::check_page(file)?;
    output::write_file_by(file, |written| written.write_all(&page))?;
    if !output::is_output(file) {
        diagnostics::note(&visible(&format!("page: {}", display_path(file))));
    }
    Ok(Exit::Success)
}

/// The page of this version that was installed with the program, and what is in it.
fn page() -> Result<(PathBuf, Vec<u8>), Diagnostic> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let folder = program.ok().and_then(|program| program.parent().map(Path::to_owned));
    let places = folder.iter().flat_map(|folder| {
        // Of a folder that is not there, the name is put together.
        PLACES.map(|place| match place.strip_prefix("../") {
            Some(place) => folder.parent().unwrap_or(folder).join(place),
            None => folder.join(place),
        })
    });
    let mut found = Vec::new();
    for place in places {
        let name = display_path(&place).into_owned();
        if !place.is_file() {
            found.push(format!("no {name}"));
            continue;
        }
        let page = match disk::head(&place, MOST) {
            Ok(page) => page,
            Err(error) => {
                found.push(error.to_string());
                continue;
            }
        };
        match output::page_version(&String::from_utf8_lossy(&page[..page.len().min(HEAD)])) {
            Some(VERSION) => return Ok((place, page)),
            Some(version) => found.push(format!("{name} is of dedup {version}")),
            None => found.push(format!("{name} is another page")),
        }
    }
    if found.is_empty() {
        found.push("the folder of this program is not known".to_owned());
    }
    let message = format!("the page of dedup {VERSION} is not here: {}", found.join(", "));
    Err(Diagnostic::new(message).hint(HINT))
}
