//! How a part of an Office document refers to others (ECMA-376, part 2, 9.3), and the properties of
//! the document, which such a part has.

use std::collections::{BTreeMap, BTreeSet};

use super::ExtractError;
use super::archive::{Archive, resolve};
use crate::text::Properties;

/// The relations of a part to others.
pub(super) struct Relations(Vec<Relation>);

/// The relation of a part to another.
struct Relation {
    /// The id by which the part refers to it.
    id: String,
    kind: String,
    target: String,
}

impl Relations {
    /// Reads the relations of a part; those of the document itself if `part` is empty. Relations
    /// that lead out of the document are skipped. A part may have no relations.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if it has relations and they cannot be read.
    pub(super) fn new(part: &str, archive: &mut Archive) -> Result<Self, ExtractError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{separator}_rels/{file}.rels");
        let mut relations = Vec::new();
        if !archive.has(&name) {
            return Ok(Self(relations));
        }
        archive.for_each_element(&name, |element| {
            let is_inside = element.attribute("TargetMode").as_deref() != Some("External");
            if let (Some(url), Some(target), true) =
                (element.attribute("Type"), element.attribute("Target"), is_inside)
                && let Some(target) = resolve(part, &target)
            {
                // The URL before the last slash is that of the transitional or of the strict
                // standard.
                let kind = url.rsplit_once('/').map_or(&*url, |(_, kind)| kind);
                let id = element.attribute("Id").unwrap_or_default().into_owned();
                relations.push(Relation { id, kind: kind.to_owned(), target });
            }
        })?;
        Ok(Self(relations))
    }

    /// Returns all parts of this relation type, in the order in which they are listed.
    pub(super) fn targets<'r>(&'r self, kind: &'r str) -> impl Iterator<Item = &'r str> {
        self.with_ids(kind).map(|(_, target)| target)
    }

    /// Returns the id and the part of each relation of this type.
    pub(super) fn with_ids<'r>(
        &'r self,
        kind: &'r str,
    ) -> impl Iterator<Item = (&'r str, &'r str)> {
        let of_kind = self.0.iter().filter(move |relation| relation.kind == kind);
        of_kind.map(|relation| (relation.id.as_str(), relation.target.as_str()))
    }

    /// Returns all parts of this relation type, each once: first those with these ids, in the order
    /// of the ids, then the others, in the order in which they are listed.
    pub(super) fn ordered<'r>(&'r self, kind: &'r str, ids: &[String]) -> Vec<&'r str> {
        let by_id: BTreeMap<&str, &str> = self.with_ids(kind).collect();
        let called = ids.iter().filter_map(|id| by_id.get(&**id).copied());
        let mut seen = BTreeSet::new();
        called.chain(self.targets(kind)).filter(|target| seen.insert(*target)).collect()
    }

    /// Returns the first part of this relation type: `styles`, `footnotes`.
    pub(super) fn target<'r>(&'r self, kind: &'r str) -> Option<&'r str> {
        self.targets(kind).next()
    }
}

/// Returns the author, the last editor and the creation time of an Office document; empty if it has
/// no part for them, or if that part cannot be decoded.
pub(super) fn properties_of(
    archive: &mut Archive,
    top: &Relations,
) -> Result<Properties, ExtractError> {
    let name = top.target("core-properties").unwrap_or("docProps/core.xml");
    archive.properties(name, ["creator", "lastModifiedBy", "created"])
}
