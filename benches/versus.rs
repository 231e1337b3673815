//! Compares the run time of `dedup` with that of other programs that read the same bytes:
//! `cargo bench --bench versus [-- LEFT RIGHT]`.
//!
//! The two programs run alternately. The table shows the wall time of the fastest run of each,
//! which is the one that other load on the machine disturbs least, and the ratio of the two.
//!
//! Without LEFT and RIGHT, the pairs are generated, with as many distinct words as English has.
//! They are kept in `target/tmp/versus`. Programs that are not installed are skipped. The
//! environment variable `DEDUP_PROGRAM` names another build of `dedup` to measure. The figures are
//! not asserted, because machines differ.

#[path = "prose/made.rs"]
mod made;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// The number of times that each pair of commands is run.
const RUNS: usize = 31;

/// The commands to compare with; the paths of the two files are appended.
const PEERS: [&str; 6] = ["wc -w", "cmp", "sha256sum", "ssdeep", "simhash", "md5sum"];

fn main() -> anyhow::Result<()> {
    let given: Vec<PathBuf> =
        std::env::args_os().skip(1).filter(|name| name != "--bench").map(PathBuf::from).collect();
    let mut pairs: Vec<(String, [PathBuf; 2])> = Vec::new();
    match given.as_slice() {
        [] => {
            for (name, bytes) in [("4 kB", 4_000), ("200 kB", 200_000), ("9 MB", 9_000_000)] {
                pairs.push((name.to_owned(), pair(name, bytes)?));
            }
        }
        [left, right] => pairs.push(("given".to_owned(), [left.clone(), right.clone()])),
        others => anyhow::bail!("{} files, expected LEFT and RIGHT or none", others.len()),
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "| pair | flags | against | dedup | peer | ratio |\n|---|---|---|---|---|---|")?;
    for (name, files) in &pairs {
        for flags in ["--max 3 --min 3 --quiet", "--quiet"] {
            for peer in PEERS {
                let Some([ours, theirs, ratio]) = measured(flags, peer, files)? else { continue };
                writeln!(
                    out,
                    "| {name} | `{flags}` | `{peer}` | {ours:.2} ms | {theirs:.2} ms | {ratio:.2} |"
                )?;
            }
        }
    }
    Ok(())
}

/// Writes a pair of files of at least `bytes` bytes each, in which one word in two hundred differs.
fn pair(name: &str, bytes: usize) -> anyhow::Result<[PathBuf; 2]> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("versus");
    fs::create_dir_all(&folder)?;
    let text = made::text(bytes);
    let edited = |(at, word)| if at % 200 == 0 { "edited" } else { word };
    let twin: Vec<&str> = text.split(' ').enumerate().map(edited).collect();
    let files = ["left", "right"].map(|side| folder.join(format!("{name} {side}.txt")));
    fs::write(&files[0], &text)?;
    fs::write(&files[1], twin.join(" "))?;
    Ok(files)
}

/// Returns the shortest wall times of `dedup` and of the peer, in milliseconds, and the ratio of
/// the first to the second.
///
/// `None` if a first run of the peer fails, for example because it is not installed.
fn measured(flags: &str, peer: &str, files: &[PathBuf; 2]) -> anyhow::Result<Option<[f64; 3]>> {
    let other = std::env::var("DEDUP_PROGRAM");
    let ours = format!("{} {flags}", other.as_deref().unwrap_or(env!("CARGO_BIN_EXE_dedup")));
    if once(peer, files).is_err() {
        return Ok(None);
    }
    once(&ours, files)?;
    let mut min_match = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (min_match, command) in min_match.iter_mut().zip([ours.as_str(), peer]) {
            *min_match = min_match.min(once(command, files)?.as_secs_f64() * 1e3);
        }
    }
    let [dedup, peer] = min_match;
    Ok(Some([dedup, peer, dedup / peer]))
}

/// Runs a command once and returns its wall time, from start to exit.
fn once(command: &str, files: &[PathBuf; 2]) -> anyhow::Result<Duration> {
    let mut words = command.split(' ');
    let program = words.next().context("a command has a name")?;
    let mut run = Command::new(program);
    run.args(words).args(files).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = run.status().with_context(|| program.to_owned())?;
    let time = start.elapsed();
    ensure!(matches!(status.code(), Some(0 | 1)), "{command}: {status}");
    Ok(time)
}
