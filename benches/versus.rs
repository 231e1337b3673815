//! Whole runs of `dedup` against programs that read the same bytes, in turn: the wall time of the
//! fastest of either, which a busy machine disturbs least, and the one over the other: `cargo bench --bench versus [-- LEFT RIGHT]`.
//!
//! Without files, the pairs are made up, with as many distinct words as English has; they stay in
//! `target/tmp/versus`. Programs that are not installed are left out. `DEDUP_PROGRAM` names another
//! build of `dedup` to be measured. No figure here is asserted: machines differ.

#[path = "prose/made.rs"]
mod made;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// How often each pair of commands is run.
const RUNS: usize = 31;

/// What the programs are called with; the two files follow.
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

/// A pair of files of so many bytes, one word in two hundred changed.
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

/// The least wall times in milliseconds, and the first over the second; none where the peer is not
/// there.
fn measured(flags: &str, peer: &str, files: &[PathBuf; 2]) -> anyhow::Result<Option<[f64; 3]>> {
    let other = std::env::var("DEDUP_PROGRAM");
    let ours = format!("{} {flags}", other.as_deref().unwrap_or(env!("CARGO_BIN_EXE_dedup")));
    if once(peer, files).is_err() {
        return Ok(None);
    }
    once(&ours, files)?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (least, command) in least.iter_mut().zip([ours.as_str(), peer]) {
            *least = least.min(once(command, files)?.as_secs_f64() * 1e3);
        }
    }
    let [dedup, peer] = least;
    Ok(Some([dedup, peer, dedup / peer]))
}

/// One whole run, from its start to its end.
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
