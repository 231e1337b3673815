//! Whole runs of `dedup` against programs that read the same bytes, in turn, and the
//! median of the ratio of their wall times: `cargo bench --bench versus [-- LEFT RIGHT]`.
//!
//! Without files, the pair is made of the samples. Programs that are not installed are
//! left out. No figure here is asserted: machines differ.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// How often each pair of commands is run.
const RUNS: usize = 15;

/// What the programs are called with; the two files follow.
const PEERS: [&str; 6] = ["wc -w", "cmp", "sha256sum", "ssdeep", "simhash", "md5sum"];

fn main() -> anyhow::Result<()> {
    let given: Vec<PathBuf> =
        std::env::args_os().skip(1).filter(|name| name != "--bench").map(PathBuf::from).collect();
    let mut pairs: Vec<(String, [PathBuf; 2])> = Vec::new();
    match given.as_slice() {
        [] => {
            for (name, times) in [("4 kB", 1), ("200 kB", 50), ("9 MB", 2_250)] {
                pairs.push((name.to_owned(), made(name, times)?));
            }
        }
        [left, right] => pairs.push(("given".to_owned(), [left.clone(), right.clone()])),
        others => anyhow::bail!("{} files, wanted LEFT and RIGHT or none", others.len()),
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

/// A pair of files of about 4 kB times `times`, one word in two hundred changed.
fn made(name: &str, times: usize) -> anyhow::Result<[PathBuf; 2]> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("versus");
    fs::create_dir_all(&folder)?;
    let text = concat!(
        include_str!("../samples/one_in_hundred_1.txt"),
        include_str!("../samples/layout_1.txt")
    )
    .repeat(times);
    let edited = |(at, word)| if at % 200 == 0 { "edited" } else { word };
    let twin: Vec<&str> = text.split(' ').enumerate().map(edited).collect();
    let files = ["left", "right"].map(|side| folder.join(format!("{name} {side}.txt")));
    fs::write(&files[0], &text)?;
    fs::write(&files[1], twin.join(" "))?;
    Ok(files)
}

/// The median wall times in milliseconds, and the median of their ratio; none where the
/// peer is not there.
fn measured(flags: &str, peer: &str, files: &[PathBuf; 2]) -> anyhow::Result<Option<[f64; 3]>> {
    let ours = format!("{} {flags}", env!("CARGO_BIN_EXE_dedup"));
    if once(peer, files).is_err() {
        return Ok(None);
    }
    once(&ours, files)?;
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..RUNS {
        let (a, b) = (once(&ours, files)?.as_secs_f64(), once(peer, files)?.as_secs_f64());
        for (list, time) in times.iter_mut().zip([a * 1e3, b * 1e3, a / b]) {
            list.push(time);
        }
    }
    Ok(Some(times.map(|mut list| {
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    })))
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
