//! How one part of an Office document names the others.

use super::super::archive::{Archive, resolve};
use super::super::xml::{Event, Reader, decode};
use super::Refusal;

/// The parts that a part refers to, by what they are to it.
pub(super) struct Relations(Vec<(String, String)>);

impl Relations {
    /// Reads the relations of a part; of the document as a whole for an empty name. Those
    /// that lead out of the document are left out.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where they are there and cannot be read. There may be none.
    pub(super) fn of(part: &str, archive: &mut Archive) -> Result<Self, Refusal> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{separator}_rels/{file}.rels");
        let mut relations = Vec::new();
        let Some(bytes) = archive.read(&name)? else { return Ok(Self(relations)) };
        let xml = decode(bytes, archive.kind(), &name)?;
        let mut reader = Reader::new(&xml, archive.kind(), &name);
        while let Some(event) = reader.next()? {
            let Event::Open(element) = event else { continue };
            let is_inside = element.attribute("TargetMode").as_deref() != Some("External");
            if let (Some(url), Some(target), true) =
                (element.attribute("Type"), element.attribute("Target"), is_inside)
                && let Some(target) = resolve(part, &target)
            {
                // The address before the last slash tells the standard from its strict form.
                let kind = url.rsplit_once('/').map_or(&*url, |(_, kind)| kind);
                relations.push((kind.to_owned(), target));
            }
        }
        Ok(Self(relations))
    }

    /// The first part that is of a kind: `styles`, `footnotes`.
    pub(super) fn target(&self, kind: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == kind).map(|(_, target)| target.as_str())
    }
}
