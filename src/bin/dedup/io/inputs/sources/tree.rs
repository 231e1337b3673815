//! Finds the files that the command line names in a commit.
//!
//! The files are selected as in the work tree: hidden files, links, globs, `.gitignore` files
//! (those of the commit) and files that are not texts of this run are treated the same. Nothing is
//! read from the work tree, except the content of a Git LFS file that the repository does not
//! store.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use data_encoding::HEXLOWER;
use dedup_text::display::visible;
use dedup_text::text::display_path;
use ignore::gitignore::{Gitignore as Rules, GitignoreBuilder};
use ignore::overrides::Override;
use sha2::{Digest, Sha256};

use super::Sources;
use super::named::{ExcludedFiles, List, Named};
use super::walk::{Entry, IgnoreRules, bytes_of, in_order, list_of};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{self, FileId, canonical};
use crate::io::git::{Commit, Kind, TreeEntry};
use crate::io::inputs::source::{Discovery, File, FileContent, Folder, Source};
use crate::io::inputs::{Inputs, archives};
use crate::model::found::{Age, is_hidden};

impl Sources {
    /// Same as [`new`](Self::new), but for a commit with these files.
    ///
    /// # Errors
    ///
    /// Returns an error if a path is outside the repository, or if the commit cannot be read.
    pub(crate) fn of_commit(
        inputs: &Inputs,
        (commit, files): (Commit, Vec<TreeEntry>),
    ) -> anyhow::Result<Self> {
        let max_bytes = inputs.max_bytes.unwrap_or(u64::MAX);
        let files = files.into_iter().map(|object| (object.path.clone(), object)).collect();
        let tree = Tree { commit, texts: BTreeSet::new(), max_bytes };
        let mut finder = Finder { inputs, tree, files, rules: IgnoreRules::default() };
        let mut all = Vec::new();
        let new = inputs.paths.iter().chain(&inputs.listed).map(|path| (path, Age::New));
        for (path, age) in new.chain(inputs.old.iter().map(|path| (path, Age::Old))) {
            all.extend(finder.name(path, age)?);
        }
        let others = ExcludedFiles::new(&inputs.outputs, &[], None);
        let (gitignore, globs, named) = (inputs.gitignore, &inputs.globs, HashSet::new());
        let list = List { gitignore, globs, others, named, all };
        Self::listed(list.distinct(), inputs, Some(finder.tree))
    }

    /// Sets the texts of the work tree. The content of a Git LFS file that is not one of them may
    /// be missing.
    pub(crate) fn with_texts(mut self, texts: BTreeSet<PathBuf>) -> Self {
        if let Some(tree) = &mut self.tree {
            tree.texts = texts;
        }
        self
    }
}

/// Finds the named files in a commit.
struct Finder<'i> {
    inputs: &'i Inputs,
    tree: Tree,
    /// The files, by their paths in the work tree.
    files: BTreeMap<PathBuf, TreeEntry>,
    rules: IgnoreRules,
}

impl Finder<'_> {
    /// Returns the named file, or all files in the named folder.
    fn name(&mut self, path: &Path, age: Age) -> Result<Vec<Named>, Diagnostic> {
        let place = canonical(path);
        if path == Path::new("-") || !place.starts_with(self.tree.commit.root()) {
            let (path, name) = (display_path(path), visible(&self.tree.commit.name));
            let what =
                if path == "-" { "is standard input" } else { "is outside of the repository" };
            return Err(Diagnostic::new(format!(
                "--since {name}: {path} {what}, expected files and folders in it"
            ))
            .hint("run dedup in the repository of the files, or leave out --since")
            .flags(["since"]));
        }
        let globs = self.inputs.globs.of_folder(path)?;
        self.open_submodules(path, &place, &globs.with_lists)?;
        if let Some(object) = self.files.get(&place).filter(|object| object.kind == Kind::File) {
            let folder = archives::is_archive(path).then(|| Arc::new(Folder::new(path, globs)));
            let named = Named::new(Entry::File(path.to_owned()), Discovery::Named, age, folder);
            return Ok(vec![Named { object: Some(object.clone()), ..named }]);
        }
        let folder = Arc::new(Folder::new(path, globs.clone()));
        let others = self.inputs.settings.as_deref();
        let others = ExcludedFiles::new(&self.inputs.outputs, &self.inputs.others, others);
        let mut all = Vec::new();
        for object in self.within(&place) {
            let is_kept = object.kind == Kind::File
                && self.keeps(path, &place, &object, &globs.with_lists)?;
            if !is_kept || others.has(&FileId::new(&object.path)) {
                continue;
            }
            let inner = object.path.strip_prefix(&place).unwrap_or(&object.path);
            let (entry, folder) = (Entry::File(path.join(inner)), Some(Arc::clone(&folder)));
            let named = Named::new(entry, Discovery::Walked, age, folder);
            all.push(Named { object: Some(object), ..named });
        }
        all.sort_by(|one, other| {
            let [one, other] = [one, other].map(|named| bytes_of(named.entry.path()));
            in_order(one, other, MAIN_SEPARATOR)
        });
        Ok(all)
    }

    /// Returns everything at or below a path.
    fn within(&self, place: &Path) -> Vec<TreeEntry> {
        let from_there = self.files.range(place.to_owned()..);
        let within = from_there.take_while(|(path, _)| path.starts_with(place));
        within.map(|(_, object)| object.clone()).collect()
    }

    /// Replaces the submodules at, above or below a path with their files, unless the walk skips
    /// them.
    fn open_submodules(
        &mut self,
        path: &Path,
        place: &Path,
        globs: &Override,
    ) -> Result<(), Diagnostic> {
        loop {
            let around = place.ancestors().filter_map(|it| self.files.get(it)).cloned();
            let all: Vec<TreeEntry> = around.chain(self.within(place)).collect();
            let mut is_any = false;
            for object in all.iter().filter(|object| object.kind == Kind::Submodule) {
                let is_within = object.path.starts_with(place);
                if is_within && !self.keeps(path, place, object, globs)? {
                    continue;
                }
                self.files.remove(&object.path);
                let inner = self.tree.commit.inner(object)?;
                is_any |= !inner.is_empty();
                self.files.extend(inner.into_iter().map(|it| (it.path.clone(), it)));
            }
            if !is_any {
                return Ok(());
            }
        }
    }

    /// Reports whether a walk from a folder would reach a file or the folder of a submodule.
    fn keeps(
        &mut self,
        path: &Path,
        place: &Path,
        object: &TreeEntry,
        globs: &Override,
    ) -> Result<bool, Diagnostic> {
        let inner = object.path.strip_prefix(place).unwrap_or(&object.path);
        let (mut shown, mut at) = (path.to_owned(), place.to_owned());
        let mut parts = inner.components().peekable();
        while let Some(part) = parts.next() {
            shown.push(part);
            at.push(part);
            let is_folder = parts.peek().is_some() || object.kind == Kind::Submodule;
            if is_hidden(&part.as_os_str().to_string_lossy()) {
                return Ok(false);
            }
            let by_globs = globs.matched(shown.strip_prefix("./").unwrap_or(&shown), is_folder);
            if by_globs.is_ignore() || by_globs.is_none() && self.is_ignored(&at, is_folder)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reports whether a `.gitignore` file above the path excludes it. The innermost file with a
    /// matching rule decides.
    fn is_ignored(&mut self, place: &Path, is_folder: bool) -> Result<bool, Diagnostic> {
        if !self.inputs.gitignore {
            return Ok(false);
        }
        let Self { tree, files, rules, .. } = self;
        rules.exclude(place, is_folder, |folder| rules_of(folder, tree, files))
    }
}

/// Reads the rules of a folder: from the commit, or from disk if the folder is above the repository.
fn rules_of(
    folder: &Path,
    tree: &mut Tree,
    files: &BTreeMap<PathBuf, TreeEntry>,
) -> Result<Rules, Diagnostic> {
    let file = list_of(folder);
    if !folder.starts_with(tree.commit.root()) {
        return Ok(Rules::new(file).0);
    }
    let Some(object) = files.get(&file).filter(|it| it.kind == Kind::File) else {
        return Ok(Rules::empty());
    };
    let Some(bytes) = tree.commit.read(object, u64::MAX)? else {
        return Ok(Rules::empty());
    };
    let mut rules = GitignoreBuilder::new(folder);
    for line in String::from_utf8_lossy(&bytes).lines() {
        // Git ignores a line that is not a valid glob in the work tree as well.
        let _ = rules.add_line(None, line);
    }
    Ok(rules.build().unwrap_or_else(|_| Rules::empty()))
}

/// The commit that files are read from.
pub(super) struct Tree {
    commit: Commit,
    /// The texts of the work tree.
    texts: BTreeSet<PathBuf>,
    /// The largest number of bytes of a file.
    max_bytes: u64,
}

impl Tree {
    /// Returns a source with its bytes; `None` if it is not a text.
    pub(super) fn filled(&mut self, source: Source) -> Result<Option<Source>, Diagnostic> {
        match source {
            Source::File(file) => Ok(self.file(file)?.map(Source::File)),
            Source::Unit(mut unit) => {
                let mut files = Vec::new();
                for source in unit.files {
                    files.extend(self.filled(source)?);
                }
                unit.files = files;
                Ok((!unit.files.is_empty()).then_some(Source::Unit(unit)))
            }
            source => Ok(Some(source)),
        }
    }

    fn file(&mut self, file: File) -> Result<Option<File>, Diagnostic> {
        let FileContent::Object(object) = &file.content else { return Ok(Some(file)) };
        // A file that was too large at the commit is skipped: a text that fails there is not an
        // error.
        let Some(bytes) = self.commit.read(object, self.max_bytes)? else { return Ok(None) };
        let bytes = match lfs_digest(&bytes) {
            None => bytes,
            Some(digest) => match self.lfs_content(&file.path, &object.path, bytes, &digest)? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
        };
        let size = Some(bytes.len() as u64);
        Ok(Some(File { content: FileContent::Read(bytes), bytes: size, ..file }))
    }

    /// Returns the bytes of a list; empty if it cannot be read.
    pub(super) fn bytes(&mut self, object: &TreeEntry) -> Vec<u8> {
        self.commit.read(object, self.max_bytes).ok().flatten().unwrap_or_default()
    }

    /// Returns the content that a Git LFS pointer refers to, from the work tree if the file is the
    /// same there, otherwise from the store of the repository. If the work tree also has a pointer,
    /// the pointer itself is the text. `None` if the content is missing and the file is not a text
    /// of the work tree.
    fn lfs_content(
        &self,
        path: &Path,
        place: &Path,
        pointer: Vec<u8>,
        digest: &str,
    ) -> Result<Option<Vec<u8>>, Diagnostic> {
        let now = disk::head(place, self.max_bytes).unwrap_or_default();
        if lfs_digest(&now).is_some() {
            return Ok(Some(pointer));
        }
        let is_it = |bytes: &[u8]| HEXLOWER.encode(&Sha256::digest(bytes)) == digest;
        if is_it(&now) {
            return Ok(Some(now));
        }
        let kept = self.commit.common_folder().map(|folder| {
            folder.join("lfs/objects").join(&digest[..2]).join(&digest[2..4]).join(digest)
        });
        let kept = kept.and_then(|kept| disk::head(&kept, self.max_bytes).ok());
        if let Some(bytes) = kept.filter(|bytes| is_it(bytes)) {
            return Ok(Some(bytes));
        }
        if !self.texts.contains(path) {
            return Ok(None);
        }
        let (path, name) = (display_path(path), visible(&self.commit.name));
        Err(Diagnostic::new(format!(
            "{path}: its content at {name} is in Git LFS and was not fetched, expected the file"
        ))
        .hint(format!("git lfs fetch origin {name}")))
    }
}

/// The first line of a Git LFS pointer.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// The size that a Git LFS pointer stays below, in bytes.
const MAX_POINTER_LENGTH: usize = 1024;

/// Returns the SHA-256 digest that a Git LFS pointer contains; `None` if the bytes are not a
/// pointer.
fn lfs_digest(bytes: &[u8]) -> Option<String> {
    let lines = bytes.strip_prefix(LFS).filter(|_| bytes.len() < MAX_POINTER_LENGTH)?;
    let mut lines = str::from_utf8(lines).ok()?.lines();
    let digest = lines.find_map(|line| line.strip_prefix("oid sha256:"))?;
    let is_hex = digest.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it));
    (digest.len() == 64 && is_hex).then(|| digest.to_owned())
}
