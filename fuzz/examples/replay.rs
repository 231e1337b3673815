//! Runs each target on its stored inputs, then on mutations of them for some seconds.
//!
//! CI runs `replay SECONDS [TARGET…]`. It does not need libFuzzer, and the mutations are the same
//! each time; only how many of them are run depends on the machine. A panic is reported with the
//! input that caused it, and so is an input that takes longer than [`SLOW`].

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dedup_fuzz::entry_points::ENTRY_POINTS;

/// The longest time that an input of a few kilobytes may take, on a machine that is busy as well.
const SLOW: Duration = Duration::from_secs(20);

/// The largest size of a mutated input, in bytes.
const MOST: usize = 4096;

/// One of this many inputs of the `large` targets makes a document of any size. The others have one
/// of the smallest sizes, because a megabyte takes seconds without optimisation.
const LARGE_IN: usize = 64;

/// The number of sizes that count as small: 4 and 16 kilobytes.
const SMALL_SIZES: usize = 2;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|typed| typed.parse().ok()).unwrap_or(5);
    let only: Vec<String> = arguments.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, door) in ENTRY_POINTS {
        if !only.is_empty() && !only.iter().any(|one| one == name) {
            continue;
        }
        let kept = inputs(&folder.join(name));
        assert!(!kept.is_empty(), "no input is kept for {name}");
        let mut run = Run { name, door, done: 0 };
        kept.iter().for_each(|input| run.take(input));
        let mut mutator =
            Mutator { state: 1, makes_large: name.starts_with("large_"), kept: &kept };
        let end = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < end {
            run.take(&mutator.next());
        }
        println!("{name}: {} kept, {} in all", kept.len(), run.done);
    }
    ExitCode::SUCCESS
}

/// Returns the contents of the files of a folder, sorted by name.
#[expect(clippy::disallowed_methods, reason = "no texts of a user")]
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder of inputs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("an input")).collect()
}

/// An entry point, and the number of inputs that it has been run on.
struct Run {
    name: &'static str,
    door: fn(&[u8]),
    done: u64,
}

impl Run {
    fn take(&mut self, input: &[u8]) {
        let begun = Instant::now();
        let door = self.door;
        let taken = std::panic::catch_unwind(|| door(input));
        let shown = || input.escape_ascii();
        assert!(taken.is_ok(), "{}: {}", self.name, shown());
        assert!(begun.elapsed() < SLOW, "{} is slow: {}", self.name, shown());
        self.done += 1;
    }
}

/// A generator of inputs that mutates the stored ones.
struct Mutator<'k> {
    state: u64,
    /// Whether a few bytes of input make a large document.
    makes_large: bool,
    kept: &'k [Vec<u8>],
}

impl Mutator<'_> {
    /// Returns a number below `limit`, or 0 if `limit` is 0. The numbers are those of SplitMix64.
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % limit.max(1) as u64).unwrap_or_default()
    }

    /// Returns a random range of an input, of at most 64 bytes.
    fn part(&mut self, of: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(of.len() + 1);
        start..start + self.below((of.len() - start).min(64) + 1)
    }

    fn next(&mut self) -> Vec<u8> {
        let kept = self.kept;
        let mut input = kept[self.below(kept.len())].clone();
        for _ in 0..=self.below(4) {
            let part = self.part(&input);
            match self.below(5) {
                0 => drop(input.drain(part)),
                1 => {
                    let copy = input[part].to_vec();
                    let at = self.below(input.len() + 1);
                    input.splice(at..at, copy);
                }
                2 => {
                    let other = &kept[self.below(kept.len())];
                    let with = other[self.part(other)].to_vec();
                    input.splice(part, with);
                }
                3 if !input.is_empty() => {
                    let at = self.below(input.len());
                    input[at] ^= 1 << self.below(8);
                }
                _ => {
                    let byte = u8::try_from(self.below(256)).unwrap_or_default();
                    input.insert(part.start, byte);
                }
            }
        }
        input.truncate(MOST);
        if self.makes_large && self.below(LARGE_IN) > 0 {
            let size = u8::try_from(self.below(SMALL_SIZES)).unwrap_or_default();
            if let Some(first) = input.first_mut() {
                *first = size;
            }
        }
        input
    }
}
