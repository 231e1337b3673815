//! Extracts the text of an EPUB book.
//!
//! Input: an EPUB of version 2 or 3, and a function that reads one page of it. Output: the text of
//! its pages in the order of its spine. Tables of contents, and pages outside that order, are left
//! out. The module knows nothing of what a page contains.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::archive::{Archive, resolve};
use super::xml::Element;
use super::{Bounds, ExtractError, Extracted, hex_byte};
use crate::text::display_path;
use crate::text::formats::is_html;

const KIND: &str = "epub";

/// Extracts the text of a book; `page` extracts that of one of its pages from its bytes.
///
/// # Errors
///
/// Returns an [`ExtractError`] if the text of the book or of one of its pages cannot be extracted.
pub(crate) fn text(
    bytes: &[u8],
    bounds: &Bounds,
    page: &dyn Fn(&[u8]) -> Result<Extracted, ExtractError>,
) -> Result<Extracted, ExtractError> {
    let mut archive = Archive::open(bytes, KIND, bounds)?;
    let package = package(&mut archive)?;
    let encrypted_parts = encrypted_parts(&mut archive)?;
    let mut book = Extracted::default();
    let mut unread = Vec::new();
    for (name, is_text) in pages(&mut archive, &package)? {
        if encrypted_parts.contains(&name) {
            return Err(ExtractError::Locked { kind: KIND });
        }
        let bytes = archive.read_required(&name)?;
        if !is_text && !is_html(&bytes) {
            unread.push(name);
            continue;
        }
        book.append(page(&bytes)?);
    }
    if let Some(first) = unread.first() {
        let others = unread.len() - 1;
        let others = if others == 0 { String::new() } else { format!(" and {others} more") };
        book.unread = Some(format!(
            "{}{others}: a page of the book that was not read",
            display_path(Path::new(first))
        ));
    }
    Ok(book)
}

/// Returns the name of the package document, which lists all other parts.
fn package(archive: &mut Archive) -> Result<String, ExtractError> {
    let name = "META-INF/container.xml";
    let mut package = None;
    archive.for_each_element(name, |element| {
        if element.name() == "rootfile" && package.is_none() {
            package = element.attribute("full-path").and_then(|path| resolve("", &path));
        }
    })?;
    package.ok_or_else(|| archive.damaged(format!("{name}: does not refer to a book")))
}

/// Returns the names of the encrypted parts. A book may have encrypted fonts but readable pages.
fn encrypted_parts(archive: &mut Archive) -> Result<BTreeSet<String>, ExtractError> {
    let mut encrypted_parts = BTreeSet::new();
    let name = "META-INF/encryption.xml";
    if archive.has(name) {
        archive.for_each_element(name, |element| {
            if element.name() == "CipherReference" {
                encrypted_parts.extend(element.attribute("URI").and_then(|uri| path("", &uri)));
            }
        })?;
    }
    Ok(encrypted_parts)
}

/// Returns the names of the pages in reading order, each once, without tables of contents; and whether
/// the media type of each is that of a page of text. Others may be one, too.
fn pages(archive: &mut Archive, package: &str) -> Result<Vec<(String, bool)>, ExtractError> {
    let mut manifest = BTreeMap::new();
    let mut spine = Vec::new();
    archive.for_each_element(package, |element| match element.name() {
        "item" => {
            let (id, href) = (element.attribute("id"), element.attribute("href"));
            if let (Some(id), Some(href)) = (id, href) {
                let page = (!is_contents(element)).then(|| (href.into_owned(), is_text(element)));
                manifest.insert(id.into_owned(), page);
            }
        }
        "itemref" if element.attribute("linear").as_deref() != Some("no") => {
            spine.extend(element.attribute("idref").map(std::borrow::Cow::into_owned));
        }
        _ => {}
    })?;
    let mut pages = Vec::new();
    for id in spine {
        // Removed from the manifest, so that a page counts once even if the spine lists it twice.
        let Some(Some((href, is_text))) = manifest.remove(&id) else { continue };
        match path(package, &href) {
            Some(name) => pages.push((name, is_text)),
            None => return Err(archive.damaged(format!("{package}: {href} is not in the book"))),
        }
    }
    Ok(pages)
}

/// Reports whether an item of the manifest is a table of contents.
fn is_contents(item: &Element) -> bool {
    let properties = item.attribute("properties").unwrap_or_default();
    properties.split_ascii_whitespace().any(|property| property == "nav")
}

/// Reports whether the media type of an item of the manifest is that of a page of text.
fn is_text(item: &Element) -> bool {
    let kind = item.attribute("media-type").unwrap_or_default().to_ascii_lowercase();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    matches!(kind, "application/xhtml+xml" | "text/html" | "text/x-oeb1-document")
}

/// Resolves a reference from one part to the name of another; `None` if it leads out of the book.
fn path(part: &str, reference: &str) -> Option<String> {
    let reference = reference.split('#').next().unwrap_or_default();
    let is_remote = reference.split('/').next().is_some_and(|first| first.contains(':'));
    if is_remote || reference.starts_with("//") {
        return None;
    }
    resolve(part, &percent_decoded(reference))
}

/// Decodes a percent-encoded reference, with `%20` as a space. Returns it unchanged if the result
/// is not UTF-8.
fn percent_decoded(reference: &str) -> String {
    let mut parts = reference.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.as_bytes().first_chunk().copied().and_then(hex_byte) {
            Some(byte) => bytes.extend([&[byte], &part.as_bytes()[2..]].concat()),
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| reference.to_owned())
}

#[cfg(test)]
mod tests;
