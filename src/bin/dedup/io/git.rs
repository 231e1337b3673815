//! Reads the files of a commit of the repository of the working folder, using the program `git`.
//!
//! Nothing is checked out, fetched or written, and no hook, pager or prompt runs. The only commands
//! are `rev-parse`, `ls-tree` and `cat-file`.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use dedup_text::display::visible;
use dedup_text::text::display_path;

use super::disk::canonical;
use crate::diagnostics::{Diagnostic, as_argument};

/// The environment variables that select a repository. They are removed for calls in a submodule.
const OF_REPOSITORY: [&str; 4] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"];

/// A commit, and the repositories that its files come from.
#[derive(Debug)]
pub(crate) struct Commit {
    /// The name of the commit on the command line.
    pub(crate) name: String,
    /// The repository of the working folder, followed by its submodules.
    repositories: Vec<Repository>,
}

/// A repository from which objects are read.
#[derive(Debug)]
struct Repository {
    /// The top folder of its work tree.
    root: PathBuf,
    /// Whether the repository is a submodule.
    is_inner: bool,
    /// The process that returns objects; `None` until the first object is requested.
    objects: Option<Objects>,
}

/// An entry of the tree of a commit.
#[derive(Clone, Debug)]
pub(crate) struct TreeEntry {
    /// The absolute path that the file has in the work tree.
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    id: String,
    /// The index of its repository in [`Commit::repositories`].
    repository: usize,
}

/// The type of an entry of a tree.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    File,
    Link,
    /// The commit of another repository, whose files are also in the work tree.
    Submodule,
}

impl Commit {
    /// Finds a commit in the repository of the working folder. Returns the commit and its files.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if `git` cannot be run, or if there is no repository with a work
    /// tree or no such commit.
    pub(crate) fn find(name: &str) -> Result<(Self, Vec<TreeEntry>), Diagnostic> {
        let shown = visible(name);
        // The name must not be taken for an option of git, or for the commits without it (`^`). No
        // branch or tag has a name that is empty or begins so.
        if name.is_empty() || name.starts_with(['-', '^']) {
            let what = format!("--since {shown}: not the name of a commit, expected one");
            return Err(Diagnostic::new(what).hint(NO_COMMIT).flags(["since"]));
        }
        let top = command(None).args(["rev-parse", "--show-toplevel"]).output();
        let top = top.map_err(not_run)?;
        if !top.status.success() {
            return Err(
                failed(&format!("--since {shown}: git rev-parse"), &top).hint(NO_REPOSITORY)
            );
        }
        let root = top.stdout.strip_suffix(b"\n").unwrap_or(&top.stdout);
        let root = canonical(&super::path_of_bytes(root).map_err(|_| {
            Diagnostic::new(format!("--since {shown}: the path of the repository is not UTF-8"))
                .flags(["since"])
        })?);
        let repository = Repository { root, is_inner: false, objects: None };
        let commit = Self { name: name.to_owned(), repositories: vec![repository] };
        let tree = commit.tree(0, name)?.map_err(|found| {
            failed(&format!("--since {shown}: no commit of this repository"), &found)
                .hint(NO_COMMIT)
        })?;
        let files = commit.list(0, &tree)?;
        Ok((commit, files))
    }

    /// Returns the top folder of the work tree.
    pub(crate) fn root(&self) -> &Path {
        &self.repositories[0].root
    }

    /// Returns the files of a submodule at this commit, or an empty vector if the submodule is not
    /// in the work tree.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if the commit of the submodule is not in its repository, or if
    /// `git` fails.
    pub(crate) fn inner(&mut self, submodule: &TreeEntry) -> Result<Vec<TreeEntry>, Diagnostic> {
        if !submodule.path.join(".git").exists() {
            return Ok(Vec::new());
        }
        let root = submodule.path.clone();
        self.repositories.push(Repository { root, is_inner: true, objects: None });
        let number = self.repositories.len() - 1;
        let Ok(tree) = self.tree(number, &submodule.id)? else {
            let (path, id) = (display_path(&submodule.path), &submodule.id);
            return Err(Diagnostic::new(format!(
                "{path}: commit {id} of this submodule is missing, expected its files at {}",
                visible(&self.name)
            ))
            .hint(format!("git -C {} fetch origin {id}", as_argument(&submodule.path))));
        };
        self.list(number, &tree)
    }

    /// Returns the id of the tree of a commit, or what git says if there is no such commit.
    fn tree(&self, repository: usize, name: &str) -> Result<Result<String, Output>, Diagnostic> {
        let tree = format!("{name}^{{tree}}");
        let found = self.run(repository, ["rev-parse", "--verify", &tree])?;
        let id = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        Ok(if found.status.success() { Ok(id) } else { Err(found) })
    }

    /// Lists all files below a tree, in the order of their paths.
    fn list(&self, repository: usize, tree: &str) -> Result<Vec<TreeEntry>, Diagnostic> {
        let listed = self.run(repository, ["ls-tree", "-r", "-z", "--full-tree", tree])?;
        if !listed.status.success() {
            let name = visible(&self.name);
            return Err(failed(&format!("--since {name}: git ls-tree"), &listed).hint(INCOMPLETE));
        }
        let entries = listed.stdout.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
        entries.filter_map(|entry| self.object(repository, entry).transpose()).collect()
    }

    /// Parses an entry of `ls-tree`: `mode type id TAB path`. Returns `None` if the path cannot
    /// exist in a work tree on this platform.
    fn object(&self, repository: usize, entry: &[u8]) -> Result<Option<TreeEntry>, Diagnostic> {
        let unexpected = || {
            let entry = visible(&String::from_utf8_lossy(entry));
            Diagnostic::new(format!("git ls-tree wrote {entry}, expected mode, type, id and path"))
        };
        let tab = memchr::memchr(b'\t', entry).ok_or_else(unexpected)?;
        let head = str::from_utf8(&entry[..tab]).map_err(|_| unexpected())?;
        let mut fields = head.split(' ');
        let (Some(mode), Some(_), Some(id)) = (fields.next(), fields.next(), fields.next()) else {
            return Err(unexpected());
        };
        let kind = match mode {
            "120000" => Kind::Link,
            "160000" => Kind::Submodule,
            _ => Kind::File,
        };
        // On Windows, a path that is not UTF-8 cannot be in a work tree.
        let Ok(inner) = super::path_of_bytes(&entry[tab + 1..]) else { return Ok(None) };
        let path = self.repositories[repository].root.join(inner);
        Ok(Some(TreeEntry { path, kind, id: id.to_owned(), repository }))
    }

    /// Reads a file; `None` if it has more than `max_bytes` bytes.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if this clone does not contain the object, or if git has ended.
    pub(crate) fn read(
        &mut self,
        object: &TreeEntry,
        max_bytes: u64,
    ) -> Result<Option<Vec<u8>>, Diagnostic> {
        let read = self.objects(object.repository)?.read(&object.id, max_bytes);
        read.map_err(|source| {
            let (path, name) = (display_path(&object.path), visible(&self.name));
            if source.kind() != ErrorKind::NotFound {
                let what = format!("{path}: git cat-file ended before it was read");
                return Diagnostic::new(what).source(source);
            }
            Diagnostic::new(format!(
                "{path}: its content at {name} is not in this clone, expected the complete commit"
            ))
            .hint(INCOMPLETE)
        })
    }

    /// Returns the process that reads the objects of a repository. Starts it at the first call.
    fn objects(&mut self, repository: usize) -> Result<&mut Objects, Diagnostic> {
        let started = if let Some(objects) = self.repositories[repository].objects.take() {
            objects
        } else {
            let mut command = self.command(repository);
            command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stderr(Stdio::null());
            Objects::start(&mut command).map_err(not_run)?
        };
        Ok(self.repositories[repository].objects.insert(started))
    }

    /// Returns the folder of the repository itself (`.git`), which all its work trees share; `None`
    /// if git cannot find it.
    pub(crate) fn common_folder(&self) -> Option<PathBuf> {
        let found = self.run(0, ["rev-parse", "--git-common-dir"]).ok()?;
        let path = found.stdout.strip_suffix(b"\n").filter(|_| found.status.success())?;
        super::path_of_bytes(path).ok()
    }

    fn command(&self, repository: usize) -> Command {
        let Repository { root, is_inner, .. } = &self.repositories[repository];
        command(is_inner.then_some(root))
    }

    fn run<A: AsRef<OsStr>>(
        &self,
        repository: usize,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Output, Diagnostic> {
        self.command(repository).args(arguments).output().map_err(not_run)
    }
}

/// The hint for a name that is not that of one commit.
const NO_COMMIT: &str = "name a commit, a branch or a tag that this clone has: git fetch origin NAME adds \
                         one, and in GitHub Actions fetch-depth: 0 of actions/checkout adds all";

/// The hint where there is no repository with a work tree.
const NO_REPOSITORY: &str = "run it where git finds the files of a repository; without one, --baseline \
                             FILE keeps what was accepted";

/// The hint for a clone that lacks objects.
const INCOMPLETE: &str = "this clone was made with --filter, and dedup fetches nothing: git fetch \
                          --refetch --no-filter origin";

/// Returns a call of `git` in the repository of `folder`, or of the working folder if it is `None`.
fn command(folder: Option<&PathBuf>) -> Command {
    let mut command = Command::new("git");
    if let Some(folder) = folder {
        command.current_dir(folder);
        for name in OF_REPOSITORY {
            command.env_remove(name);
        }
    }
    command
        .arg("--no-pager")
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        // A partial clone must not fetch missing objects; a missing object is an error. Versions
        // before 2.44 obey only the second variable.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

fn not_run(error: io::Error) -> Diagnostic {
    if error.kind() == ErrorKind::NotFound {
        return Diagnostic::new(
            "git: not found, expected it on the search path, as --since needs it",
        )
        .hint("install git, or keep what was accepted in a file: --baseline FILE")
        .flags(["since"]);
    }
    Diagnostic::new("git: cannot be run, expected it to read a commit").source(error)
}

/// Returns an error with the first line that git printed on standard error.
fn failed(what: &str, output: &Output) -> Diagnostic {
    let complaints = String::from_utf8_lossy(&output.stderr);
    let first = complaints.lines().find(|line| !line.trim().is_empty()).unwrap_or("it failed");
    let first = first.strip_prefix("fatal: ").unwrap_or(first);
    Diagnostic::new(format!("{what}: {}", visible(first))).flags(["since"])
}

/// A running `git cat-file --batch`.
#[derive(Debug)]
struct Objects {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Objects {
    fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("no pipe"))?;
        Ok(Self { child, input, output: BufReader::with_capacity(1 << 16, output) })
    }

    /// Reads an object; `None` if it has more than `max_bytes` bytes.
    fn read(&mut self, id: &str, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
        self.input.write_all(format!("{id}\n").as_bytes())?;
        let mut head = String::new();
        self.output.read_line(&mut head)?;
        let mut fields = head.trim_end().split(' ').skip(1);
        let size: u64 = match (fields.next(), fields.next()) {
            (Some("missing"), None) => return Err(ErrorKind::NotFound.into()),
            (Some(_), Some(size)) => size.parse().map_err(io::Error::other)?,
            _ => return Err(ErrorKind::UnexpectedEof.into()),
        };
        let mut content = (&mut self.output).take(size);
        let mut bytes = (size <= max_bytes).then(Vec::new);
        match &mut bytes {
            Some(bytes) => content.read_to_end(bytes).map(|_| ())?,
            None => io::copy(&mut content, &mut io::sink()).map(|_| ())?,
        }
        self.output.read_exact(&mut [0])?; // the line feed behind it
        Ok(bytes)
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // Both calls can fail only if the process has ended, which is the aim.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
