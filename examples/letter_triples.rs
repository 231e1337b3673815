//! Prints `src/text/letter_triples.txt`, and measures what `text::recognized` finds with it.
//!
//! `cargo run --release --example letter_triples -- table FOLDER > src/text/letter_triples.txt`
//! reads the texts of `FOLDER/LANGUAGE`. A line of a word and a number stands for as many words. The
//! table in the repository was made of texts in 151 languages, without tags and formats:
//!
//! * the lists of the 50,000 most frequent words in `content/2018` of hermitdave/FrequencyWords at
//!   525f9b5, from subtitles, but for those of Chinese, Japanese, Korean and Thai, and for that of
//!   Georgian, whose words are not Georgian;
//! * the 46 translations of the New Testament in `bibles` of christos-c/bible-corpus at 44e5fca that
//!   are smaller than 4 MiB;
//! * the translated messages of programs of Debian 12, with `msgunfmt`.
//!
//! `… -- measure PATH…` prints the share of changed texts that are found, and how many of the texts
//! as they are. The first PATH has none of those texts in it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use dedup_text::text::recognized::{ALPHABETS, sign, sign_count, unrecognized};
use unicode_normalization::char::is_combining_mark;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let usage = "expected table FOLDER, or measure PATH…";
    let (command, paths) = arguments.split_first().context(usage)?;
    let output = match (command.to_str(), paths) {
        (Some("table"), [folder]) => table(folder)?,
        (Some("measure"), [_, ..]) => measure(paths)?,
        _ => anyhow::bail!(usage),
    };
    Ok(std::io::stdout().lock().write_all(output.as_bytes())?)
}

/// Returns the files of a folder and its folders, sorted by their paths.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths.iter().map(|path| files(path)).collect::<Result<Vec<_>, _>>()?.concat())
}

#[expect(clippy::disallowed_methods, reason = "no trick may be undone in these texts")]
fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The number of triples of an alphabet: of three signs of five bits.
const TRIPLES: usize = 1 << 15;

/// The smallest number of triples that show which ones are frequent in a language.
const ENOUGH: u64 = 5_000;

/// The most frequent triples of a language that make up the first share of a text, in thousandths,
/// are frequent. So are those that make up the second one in one of so many languages of an alphabet.
const SHARES: [u64; 2] = [850, 960];
const LANGUAGES: usize = 30;

fn table(folder: &Path) -> anyhow::Result<String> {
    let mut ranks = vec![vec![]; ALPHABETS.len() * TRIPLES];
    let mut languages = vec![0_usize; ALPHABETS.len()];
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let counts = counts(&entry?.path())?;
        let all: u64 = counts.iter().sum();
        for (alphabet, counts) in counts.chunks(TRIPLES).enumerate() {
            let total: u64 = counts.iter().sum();
            if total < ENOUGH || 2 * total <= all {
                continue;
            }
            languages[alphabet] += 1;
            let mut triples: Vec<usize> = (0..TRIPLES).filter(|it| counts[*it] > 0).collect();
            triples.sort_by_key(|triple| std::cmp::Reverse(counts[*triple]));
            let mut before = 0;
            for triple in triples {
                ranks[alphabet * TRIPLES + triple].push(before * 1000 / total);
                before += counts[triple];
            }
        }
    }
    let mut lines = String::new();
    for (alphabet, languages) in languages.iter().enumerate() {
        let signs = sign_count(alphabet);
        for pair in 0..signs * signs {
            let mut bits = 0_u32;
            for third in (0..signs).filter(|_| pair % signs > 0) {
                let triple = ((pair / signs) << 5 | (pair % signs)) << 5 | third;
                let ranks = &mut ranks[alphabet * TRIPLES + triple];
                ranks.sort_unstable();
                let is_below = |at: usize, share| ranks.get(at).is_some_and(|rank| *rank < share);
                let others = languages.div_ceil(LANGUAGES).max(1) - 1;
                let is_frequent = is_below(0, SHARES[0]) || is_below(others, SHARES[1]);
                bits |= u32::from(is_frequent) << third;
            }
            lines.extend(
                (0..5).rev().map(|digit| char::from(b'?' + (bits >> (6 * digit) & 63) as u8)),
            );
            if pair % signs == signs - 1 {
                lines.push('\n');
            }
        }
    }
    Ok(lines)
}

/// Counts the triples in the texts of a language, for each alphabet.
fn counts(folder: &Path) -> anyhow::Result<Vec<u64>> {
    let mut counts = vec![0; ALPHABETS.len() * TRIPLES];
    for path in files(folder)? {
        for line in read(&path)?.lines() {
            let listed = line.rsplit_once(' ').filter(|(word, _)| !word.contains(' '));
            let number = listed.and_then(|(word, number)| Some((word, number.parse().ok()?)));
            let (words, number): (_, u64) = number.unwrap_or((line, 1));
            let mut last = [0; 2];
            for letter in
                words.chars().filter(|it| !is_combining_mark(*it) || sign(*it) > 0).chain([' '])
            {
                let next = sign(letter);
                if last[1] > 0 {
                    let within = |sign: u8| {
                        if sign >> 5 == last[1] >> 5 { usize::from(sign & 31) } else { 0 }
                    };
                    let [first, second, third] = [last[0], last[1], next].map(within);
                    let alphabet = usize::from(last[1] >> 5);
                    counts[alphabet * TRIPLES + (first << 10 | second << 5 | third)] += number;
                }
                last = [last[1], next];
            }
        }
    }
    Ok(counts)
}

/// A trick: its name, and what it makes of a word, given the letters of the text.
type Trick = (&'static str, fn(&str, &[char]) -> String);

const TRICKS: [Trick; 16] = [
    ("as it is", |word, _| word.to_owned()),
    ("each letter is the next one", |word, letters| shifted(word, letters, 1)),
    ("each letter is the third next", |word, letters| shifted(word, letters, 3)),
    ("ROT13, or half of any alphabet", |word, letters| shifted(word, letters, letters.len() / 2)),
    ("one letter replaced by a rare one (e → q)", |word, _| {
        replaced(word, "eаοاוाაա", "qщψظץठჟֆ")
    }),
    ("a rare letter behind each second one", |word, _| inserted(word, 2)),
    ("a rare letter behind each third one", |word, _| inserted(word, 3)),
    ("words reversed", |word, _| word.chars().rev().collect()),
    ("words reversed but for their ends", |word, _| {
        let mut letters: Vec<char> = word.chars().collect();
        if let [_, inner @ .., _] = &mut *letters {
            inner.reverse();
        }
        letters.into_iter().collect()
    }),
    ("letters of another alphabet", |word, _| {
        replaced(word, "aeocpxiаеосрхіοαν", "аеосрхіaeocpxioav")
    }),
    ("small capitals", |word, _| {
        replaced(word, "abcdefghijklmnopqrstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ")
    }),
    ("a thin space in words", |word, _| halves(word, "\u{200a}")),
    ("a bullet in words", |word, _| halves(word, "•")),
    ("words split in two", |word, _| halves(word, " ")),
    ("a space behind each letter", |word, _| {
        word.chars().flat_map(|letter| [letter, ' ']).collect()
    }),
    ("words glued", |word, _| word.to_owned()),
];

fn shifted(word: &str, letters: &[char], by: usize) -> String {
    let shift = |letter: char| {
        let at = letters.iter().position(|it| letter.to_lowercase().eq([*it]));
        let Some(at) = at else { return letter };
        let next = letters[(at + by) % letters.len()];
        if letter.is_uppercase() { next.to_uppercase().next().unwrap_or(next) } else { next }
    };
    word.chars().map(shift).collect()
}

fn replaced(word: &str, from: &str, to: &str) -> String {
    let replace =
        |letter| from.chars().zip(to.chars()).find(|it| it.0 == letter).map_or(letter, |it| it.1);
    word.chars().map(replace).collect()
}

fn inserted(word: &str, behind: usize) -> String {
    const RARE: [char; ALPHABETS.len()] = ['z', 'ф', 'ψ', 'ט', 'ظ', 'ठ', 'ჟ', 'ձ'];
    let mut longer = String::new();
    for (at, letter) in word.chars().enumerate() {
        longer.push(letter);
        if at % behind == behind - 1 {
            longer.push(RARE[usize::from(sign(letter) >> 5)]);
        }
    }
    longer
}

fn halves(word: &str, between: &str) -> String {
    let middle = word.char_indices().map(|(at, _)| at).nth(word.chars().count() / 2).unwrap_or(0);
    if middle == 0 { word.to_owned() } else { [&word[..middle], between, &word[middle..]].concat() }
}

/// Changes each word of a text.
fn changed(text: &str, (name, change): Trick, letters: &[char]) -> String {
    let is_letter = |letter: &char| letter.is_alphabetic() || is_combining_mark(*letter);
    let (mut changed, mut word) = (String::new(), String::new());
    for letter in text.chars().chain(['\0']) {
        if is_letter(&letter) {
            word.push(letter);
            continue;
        }
        changed += &change(&std::mem::take(&mut word), letters);
        if letter != '\0' && (name != "words glued" || letter != ' ') {
            changed.push(letter);
        }
    }
    changed
}

/// The number of words of a paragraph, and of paragraphs of a text.
const PARAGRAPH: usize = 60;
const TEXT: usize = 10;

/// Returns the texts of a file that are changed: their paragraphs, of prose in one of the alphabets.
fn paragraphs(text: &str) -> Vec<Vec<String>> {
    let mut paragraphs = vec![String::new()];
    for block in text.split("\n\n").map(|block| block.split_whitespace().collect::<Vec<_>>()) {
        let letters = || block.iter().flat_map(|word| word.chars()).filter(|it| it.is_alphabetic());
        let is_known = letters().filter(|it| sign(*it) > 0).count() * 20 >= letters().count() * 19;
        let is_code = block.iter().any(|word| word.contains(['{', '`', '|']));
        if block.len() < 8 || is_code || !is_known {
            continue;
        }
        let last = paragraphs.last_mut().expect("there is one at least");
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(&block.join(" "));
        if last.split(' ').count() >= PARAGRAPH {
            paragraphs.push(String::new());
        }
    }
    paragraphs.pop();
    paragraphs.chunks_exact(TEXT).map(<[String]>::to_vec).collect()
}

/// Returns the alphabet of a text, and its letters, each with at least one in a thousand.
fn alphabet(text: &str) -> (usize, Vec<char>) {
    let (mut counts, mut signs) = (BTreeMap::<char, usize>::new(), [0; ALPHABETS.len()]);
    for letter in text.to_lowercase().chars().filter(|letter| sign(*letter) > 0) {
        *counts.entry(letter).or_default() += 1;
        signs[usize::from(sign(letter) >> 5)] += 1;
    }
    let all: usize = signs.iter().sum();
    let alphabet = (0..signs.len()).max_by_key(|it| signs[*it]).unwrap_or(0);
    let is_own = |letter: &char| usize::from(sign(*letter) >> 5) == alphabet;
    counts.retain(|letter, count| *count * 1000 >= all && is_own(letter));
    (alphabet, counts.into_keys().collect())
}

fn measure(paths: &[PathBuf]) -> anyhow::Result<String> {
    let mut output = "| texts as they are | number | warnings |\n|---|---|---|\n".to_owned();
    // For each trick and alphabet: texts, those found, and those found with one paragraph changed.
    let mut found = [[[0; 3]; ALPHABETS.len()]; TRICKS.len()];
    for path in paths {
        let files = files(path)?;
        let mut warnings = 0;
        for file in &files {
            let text = read(file)?;
            warnings += usize::from(unrecognized(&text).is_some());
            let texts = paragraphs(&text);
            for paragraphs in texts.iter().step_by(texts.len().div_ceil(10).max(1)) {
                let text = paragraphs.join("\n\n");
                let (alphabet, letters) = alphabet(&text);
                for (trick, found) in TRICKS.into_iter().zip(&mut found) {
                    let whole = changed(&text, trick, &letters);
                    let words = whole.split_whitespace().zip(text.split_whitespace());
                    if trick.0 != "as it is"
                        && 2 * words.filter(|(new, old)| new == old).count() > TEXT * PARAGRAPH
                    {
                        continue;
                    }
                    let mut one = paragraphs.clone();
                    one[TEXT / 2] = changed(&one[TEXT / 2], trick, &letters);
                    let [texts, all, some] = &mut found[alphabet];
                    *texts += 1;
                    *all += usize::from(unrecognized(&whole).is_some());
                    *some += usize::from(unrecognized(&one.join("\n\n")).is_some());
                }
            }
        }
        writeln!(output, "| {} | {} | {warnings} |", path.display(), files.len())?;
    }
    let names = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Indic", "Georgian", "Armenian"];
    let used: Vec<usize> = (0..names.len()).filter(|it| found[0][*it][0] > 0).collect();
    output += "\n| found of changed texts, and with one paragraph in ten changed |";
    for it in &used {
        write!(output, " {} ({}) |", names[*it], found[0][*it][0])?;
    }
    writeln!(output, "\n|---|{}", "---|".repeat(used.len()))?;
    for ((name, _), found) in TRICKS.iter().zip(&found) {
        write!(output, "| {name} |")?;
        for [texts, all, some] in used.iter().map(|it| found[*it]) {
            match (100 * all).checked_div(texts).zip((100 * some).checked_div(texts)) {
                Some((all, some)) => write!(output, " {all} %, {some} % |")?,
                None => output.push_str(" – |"),
            }
        }
        output.push('\n');
    }
    Ok(output)
}
