//! What the command line names → the same files as a commit has them.
//!
//! They are found as those in the work tree are: hidden files, links, globs, `.gitignore` files (those of
//! the commit), and what is no text of this run. Nothing is read from the work tree but the content of a
//! Git LFS file that the repository does not keep.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use data_encoding::HEXLOWER;
use dedup_text::text::display_path;
use dedup_text::words::visible;
use ignore::gitignore::{Gitignore as Rules, GitignoreBuilder};
use ignore::overrides::Override;
use sha2::{Digest, Sha256};

use super::{Entry, Gitignore, List, MAIN_SEPARATOR, Named, Others, Sources, bytes_of, in_order};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{self, FileId, canonical};
use crate::io::git::{Commit, Content, Kind, Object};
use crate::io::inputs::source::{Age, File, FileContent, Folder, Found, Source};
use crate::io::inputs::{Inputs, archives};
use crate::io::output::begins_with_mark;

impl Sources {
    /// The same as [`new`](Self::new), of a commit with these files.
    ///
    /// # Errors
    ///
    /// Where a path is outside of the repository, or the commit cannot be read.
    pub(crate) fn of_commit(
        inputs: &Inputs,
        (commit, files): (Commit, Vec<Object>),
    ) -> anyhow::Result<Self> {
        let most = inputs.max_bytes.unwrap_or(u64::MAX);
        let files = files.into_iter().map(|object| (object.path.clone(), object)).collect();
        let tree = Tree { commit, texts: BTreeSet::new(), most, ahead: 0 };
        let mut finder = Finder { inputs, tree, files, rules: BTreeMap::new() };
        let mut all = Vec::new();
        let new = inputs.paths.iter().chain(&inputs.listed).map(|path| (path, Age::New));
        for (path, age) in new.chain(inputs.against.iter().map(|path| (path, Age::Old))) {
            all.extend(finder.name(path, age)?);
        }
        let others = Others::new(&inputs.outputs, &[], None);
        let list = List { gitignore: inputs.gitignore, globs: &inputs.globs, others, all };
        Self::listed(list.distinct(), inputs, Some(finder.tree))
    }

    /// The same where the texts of the work tree are known: what is none of them need not be here of
    /// what Git LFS keeps.
    pub(crate) fn with_texts(mut self, texts: BTreeSet<PathBuf>) -> Self {
        if let Some(tree) = &mut self.tree {
            tree.texts = texts;
        }
        self
    }
}

/// Finds what is named in a commit.
struct Finder<'i> {
    inputs: &'i Inputs,
    tree: Tree,
    /// By where they would lie in the work tree.
    files: BTreeMap<PathBuf, Object>,
    /// The rules of the `.gitignore` of each folder that was asked for.
    rules: BTreeMap<PathBuf, Rules>,
}

impl Finder<'_> {
    /// The file of a name, or all files in a folder.
    fn name(&mut self, path: &Path, age: Age) -> Result<Vec<Named>, Diagnostic> {
        let place = canonical(path);
        if path == Path::new("-") || !place.starts_with(self.tree.commit.root()) {
            let (path, name) = (display_path(path), visible(self.tree.commit.name()));
            let what =
                if path == "-" { "is standard input" } else { "is outside of the repository" };
            return Err(Diagnostic::new(format!(
                "--since {name}: {path} {what}, expected files and folders in it"
            ))
            .hint("run it in the repository of what is compared, or leave --since out"));
        }
        let globs = self.inputs.globs.of_folder(path)?;
        self.open_submodules(path, &place, &globs)?;
        if let Some(object) = self.files.get(&place).filter(|object| object.kind == Kind::File) {
            let (entry, object) = (Entry::File(path.to_owned()), Some(object.clone()));
            let folder = archives::is_archive(path).then(|| Arc::new(Folder::new(path, globs)));
            return Ok(vec![Named {
                entry,
                known: None,
                object,
                found: Found::Named,
                age,
                folder,
            }]);
        }
        let folder = Arc::new(Folder::new(path, globs.clone()));
        let others = self.inputs.settings.as_deref();
        let others = Others::new(&self.inputs.outputs, &self.inputs.others, others);
        let mut all = Vec::new();
        for object in self.within(&place) {
            let is_kept = object.kind == Kind::File && self.keeps(path, &place, &object, &globs)?;
            if !is_kept || others.has(&FileId::new(&object.path)) {
                continue;
            }
            let inner = object.path.strip_prefix(&place).unwrap_or(&object.path);
            let (entry, folder) = (Entry::File(path.join(inner)), Some(Arc::clone(&folder)));
            let (known, object) = (None, Some(object));
            all.push(Named { entry, known, object, found: Found::Walked, age, folder });
        }
        all.sort_by(|one, other| {
            let [one, other] = [one, other].map(|named| bytes_of(named.entry.path()));
            in_order(one, other, MAIN_SEPARATOR)
        });
        Ok(all)
    }

    /// What is in a folder, and itself.
    fn within(&self, place: &Path) -> Vec<Object> {
        let from_there = self.files.range(place.to_owned()..);
        let within = from_there.take_while(|(path, _)| path.starts_with(place));
        within.map(|(_, object)| object.clone()).collect()
    }

    /// Puts the files of submodules in the place of these, as far as they may be compared.
    fn open_submodules(
        &mut self,
        path: &Path,
        place: &Path,
        globs: &Override,
    ) -> Result<(), Diagnostic> {
        loop {
            let around = place.ancestors().filter_map(|it| self.files.get(it)).cloned();
            let all: Vec<Object> = around.chain(self.within(place)).collect();
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

    /// Whether a walk from a folder would come by a file, or by the folder of a submodule.
    fn keeps(
        &mut self,
        path: &Path,
        place: &Path,
        object: &Object,
        globs: &Override,
    ) -> Result<bool, Diagnostic> {
        let inner = object.path.strip_prefix(place).unwrap_or(&object.path);
        let (mut shown, mut at) = (path.to_owned(), place.to_owned());
        let mut parts = inner.components().peekable();
        while let Some(part) = parts.next() {
            shown.push(part);
            at.push(part);
            let is_folder = parts.peek().is_some() || object.kind == Kind::Submodule;
            if part.as_os_str().as_encoded_bytes().starts_with(b".") {
                return Ok(false);
            }
            let by_globs = globs.matched(shown.strip_prefix("./").unwrap_or(&shown), is_folder);
            if by_globs.is_ignore() || by_globs.is_none() && self.is_ignored(&at, is_folder)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a `.gitignore` in a folder around says so: the innermost that says something counts.
    fn is_ignored(&mut self, place: &Path, is_folder: bool) -> Result<bool, Diagnostic> {
        if self.inputs.gitignore == Gitignore::Unheeded {
            return Ok(false);
        }
        for folder in place.ancestors().skip(1) {
            if !self.rules.contains_key(folder) {
                let rules = self.rules_of(folder)?;
                self.rules.insert(folder.to_owned(), rules);
            }
            let rule = self.rules.get(folder).map(|rules| rules.matched(place, is_folder));
            match rule {
                Some(rule) if !rule.is_none() => return Ok(rule.is_ignore()),
                _ => {}
            }
        }
        Ok(false)
    }

    /// The rules of a folder: those of the commit, or above the repository those on disk.
    fn rules_of(&mut self, folder: &Path) -> Result<Rules, Diagnostic> {
        let file = folder.join(".gitignore");
        if !folder.starts_with(self.tree.commit.root()) {
            return Ok(Rules::new(file).0);
        }
        let Some(object) = self.files.get(&file).filter(|it| it.kind == Kind::File) else {
            return Ok(Rules::empty());
        };
        let Content::Bytes(bytes) = self.tree.commit.read(object, u64::MAX)? else {
            return Ok(Rules::empty());
        };
        let mut rules = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&bytes).lines() {
            // A line that is no glob is none in the work tree either.
            let _ = rules.add_line(None, line);
        }
        Ok(rules.build().unwrap_or_else(|_| Rules::empty()))
    }
}

/// What the files of a commit are read from.
pub(super) struct Tree {
    commit: Commit,
    /// The texts of the work tree.
    texts: BTreeSet<PathBuf>,
    /// The most bytes of a file.
    most: u64,
    /// How many sources come before the next are to be asked for.
    ahead: usize,
}

/// Files that are asked for at once: their names fit into the buffer of a pipe on every system.
const AHEAD: usize = 96;

impl Tree {
    /// Asks for the first of some files, unless others are asked for already.
    pub(super) fn ask(&mut self, sources: &[Source]) -> Result<(), Diagnostic> {
        if self.ahead > 0 {
            self.ahead -= 1;
            return Ok(());
        }
        let sources = sources.get(..AHEAD).unwrap_or(sources);
        self.ahead = sources.len().saturating_sub(1);
        let objects = sources.iter().filter_map(|source| match source {
            Source::File(File { content: FileContent::Object(object), .. }) => Some(object),
            _ => None,
        });
        self.commit.ask(objects)
    }

    /// A source with its bytes; none where it is no text.
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
        // What is too large now was too large then.
        let Content::Bytes(bytes) = self.commit.read(object, self.most)? else { return Ok(None) };
        let bytes = match lfs_digest(&bytes) {
            None => bytes,
            Some(digest) => match self.lfs_content(&file.path, &object.path, bytes, &digest)? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
        };
        if file.found == Found::Walked && begins_with_mark(&file.path, &bytes) {
            return Ok(None);
        }
        let size = Some(bytes.len() as u64);
        Ok(Some(File { content: FileContent::Read(bytes), bytes: size, ..file }))
    }

    /// The bytes of a list; none where it cannot be read.
    pub(super) fn bytes(&mut self, object: &Object) -> Vec<u8> {
        match self.commit.read(object, self.most) {
            Ok(Content::Bytes(bytes)) => bytes,
            _ => Vec::new(),
        }
    }

    /// What a Git LFS pointer stands for: what the repository keeps, or the file in the work tree
    /// where it is the same. Where the work tree has pointers too, they are the texts. None where
    /// it is no text now.
    fn lfs_content(
        &self,
        path: &Path,
        place: &Path,
        pointer: Vec<u8>,
        digest: &str,
    ) -> Result<Option<Vec<u8>>, Diagnostic> {
        let now = disk::head(place, self.most).unwrap_or_default();
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
        let kept = kept.and_then(|kept| disk::head(&kept, self.most).ok());
        if let Some(bytes) = kept.filter(|bytes| is_it(bytes)) {
            return Ok(Some(bytes));
        }
        if !self.texts.contains(path) {
            return Ok(None);
        }
        let (path, name) = (display_path(path), visible(self.commit.name()));
        Err(Diagnostic::new(format!(
            "{path}: its content at {name} is in Git LFS and not here, expected what it was then"
        ))
        .hint(format!("git lfs fetch origin {name}")))
    }
}

/// How a Git LFS pointer begins.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// The most bytes of a pointer.
const LONGEST_POINTER: usize = 1024;

/// The SHA-256 of what a Git LFS pointer stands for; none of what is no pointer.
fn lfs_digest(bytes: &[u8]) -> Option<String> {
    let lines = bytes.strip_prefix(LFS).filter(|_| bytes.len() < LONGEST_POINTER)?;
    let mut lines = str::from_utf8(lines).ok()?.lines();
    let digest = lines.find_map(|line| line.strip_prefix("oid sha256:"))?;
    let is_hex = digest.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it));
    (digest.len() == 64 && is_hex).then(|| digest.to_owned())
}
