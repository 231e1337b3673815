//! How long it takes to find the pairs of many texts that share a passage:
//! `cargo run --release --example excerpts -- TEXTS.jsonl [all|apart] [MIN_MATCH]`.
//!
//! Each line of the file is a record with a `text`. Without `all`, what more than a tenth of the
//! texts have makes no pair by itself. Prints how long each step took, candidates and pairs.

use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use dedup_text::lexicon::Lexicon;
use dedup_text::passages::many::{Counting, Index, Texts, least_texts};
use dedup_text::passages::{Least, Sequence};
use dedup_text::stems::Stems;
use dedup_text::threads::Advance;
use dedup_text::tokens::Tokens;

/// A text of a corpus.
#[derive(serde::Deserialize)]
struct Record {
    text: String,
}

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = args.first().context("no name, wanted TEXTS.jsonl")?;
    let is_apart = args.get(1).is_none_or(|way| way == "apart");
    let least = args.get(2).map_or(Ok(12), |words| words.parse())?;
    let least = Least::new(least).context("a passage has 3 words at least")?;
    let threads = std::thread::available_parallelism()?;
    let mut out = std::io::stdout().lock();

    let mut begun = Instant::now();
    let mut told = |out: &mut dyn Write, what: &str| {
        let seconds = begun.elapsed().as_secs_f64();
        begun = Instant::now();
        writeln!(out, "{seconds:7.2} s  {what}")
    };
    let words = |words: Tokens, _: &str| words.0.iter().map(|it| &*it.word).collect::<Stems>();
    let mut lexicon = Lexicon::growing(1 << 25, words);
    let mut readings = Vec::new();
    #[expect(clippy::disallowed_methods, reason = "records, no text")]
    for line in BufReader::new(std::fs::File::open(path)?).lines() {
        readings.push(lexicon.read(&serde_json::from_str::<Record>(&line?)?.text));
    }
    let distinct = Arc::new(lexicon.into_stems());
    let sequences: Vec<Sequence> = readings
        .into_iter()
        .map(|it| Sequence { words: it.stems, distinct: Arc::clone(&distinct), breaks: it.breaks })
        .collect();
    told(&mut out, "read")?;
    let texts = Texts::of(sequences);
    told(&mut out, &format!("{} texts, {} words numbered", texts.len(), texts.words()))?;
    let mut index = Index::of(&texts, least, threads);
    told(&mut out, "index")?;
    let widespread = is_apart.then(|| index.widespread(&[], least_texts(texts.len()), threads));
    if let Some(widespread) = &widespread {
        if !widespread.listed.is_empty() {
            index = index.apart_from(widespread);
        }
        told(&mut out, &format!("{} widespread stretches", widespread.listed.len()))?;
    }
    let candidates: usize = index.candidates(threads).iter().map(Vec::len).sum();
    told(&mut out, &format!("{candidates} candidates"))?;
    let counting = Counting { widespread: widespread.as_ref(), least: None };
    let watched = (threads, &Advance::default());
    let found =
        index.shared(counting, |_, _| true, |shared| Some(shared.texts), usize::MAX, watched);
    let pairs = found.map_or(0, |found| found.len());
    told(&mut out, &format!("{pairs} pairs, candidates counted again"))?;
    Ok(())
}
