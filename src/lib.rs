//! Decides whether two texts are near-duplicates, and shows the figures behind the answer.
//!
//! Two strings are compared like this:
//!
//! ```
//! use dedup_text::{Recipe, Text, Verdict, judge};
//!
//! let left = "A copper kettle, a wooden spoon, two tin cups and a blue jug stood on the shelf";
//! let right = "A copper kettle, a wooden spoon, two tin cups and a blue jug stood on the bench";
//! let judgement = judge(&Text::new("a", left)?, &Text::new("b", right)?, &Recipe::default())?;
//! assert_eq!(judgement.decision.verdict, Verdict::NearDuplicate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two files, with other limits than the default ones. Texts that are too short have no verdict:
//!
//! ```
//! use std::path::Path;
//! use dedup_text::{Limits, ReadOptions, Recipe, Text, Undecided, judge};
//!
//! let options = ReadOptions { max_bytes: Some(1 << 20), ..ReadOptions::default() };
//! let left = Text::open(Path::new("samples/edited_1.txt"), &options)?;
//! let right = Text::open(Path::new("samples/edited_2.txt"), &options)?;
//! let limits = Limits { hamming: None, ..Limits::default() };
//! let answer = match judge(&left, &right, &Recipe { limits, ..Recipe::default() }) {
//!     Ok(judgement) => judgement.decision.verdict.to_string(),
//!     Err(Undecided::TooShort { path, words, .. }) => format!("{}: {words} words", path.display()),
//!     Err(other) => other.to_string(),
//! };
//! assert_eq!(answer, "near-duplicate");
//! # Ok::<(), dedup_text::ReadTextError>(())
//! ```
//!
//! The pairs among many texts, without comparing each text with each other one:
//!
//! ```
//! use dedup_text::{CorpusBuilder, Recipe, Text, Verdict};
//!
//! let texts = [
//!     ("a", "The baker opened the shop at dawn and sold warm bread to the fishermen"),
//!     ("b", "Rain fell on the harbour all night, and the lighthouse keeper read a book"),
//!     ("c", "The baker opened the shop at dawn and sold warm bread to the fishermen!"),
//! ];
//! let texts = texts.map(|(name, content)| Text::new(name, content));
//! let recipe = Recipe::default();
//! let threads = std::thread::available_parallelism()?;
//! let mut builder = CorpusBuilder::new(&recipe, threads);
//! builder.add_texts(texts.into_iter().collect::<Result<_, _>>()?);
//! let corpus = builder.finish();
//! let pairs = corpus.pairs(Verdict::Partial, threads)?;
//! let name = |number: u32| corpus.documents[number as usize].text.path().to_str();
//! let named = pairs.iter().map(|(pair, verdict)| (name(pair.a), name(pair.b), *verdict));
//! assert_eq!(named.collect::<Vec<_>>(), [(Some("a"), Some("c"), Verdict::Identical)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stable
//!
//! The names that this page re-exports follow [semantic versioning](https://semver.org), and so do
//! their fields, variants and methods that the examples use. All other items may change in any
//! version. Only a minor version raises the minimum version of Rust. `docs/reliability.md` says
//! what is stable of the program: the JSON, the exit statuses and the answers.
//!
//! # Features
//!
//! `documents` reads Word, web pages and other documents, and `pdf` also reads PDF without other
//! programs. `cli`, `report` and `parquet` belong to the program: with `default-features = false`,
//! the library has none of its dependencies.
//!
//! # Modules
//!
//! The modules are listed in pipeline order, from bytes to verdict. Each uses only those before it;
//! [`pair`] combines them.

pub mod parallel;
pub mod forest;
pub mod text;
pub mod language;
pub mod tokens;
pub mod stopwords;
pub mod stems;
pub mod rabin;
pub mod interner;
pub mod jaccard;
pub mod shingles;
pub mod simhash;
pub mod hamming;
pub mod passages;
pub mod sketch;
pub mod verdict;
pub mod pair;
pub mod display;
pub mod record;
pub mod corpus;
pub mod calibration;

pub use corpus::{Corpus, CorpusBuilder};
pub use pair::{Judgement, Recipe, Undecided, judge};
pub use text::{ReadOptions, ReadTextError, Text};
pub use verdict::{Limits, Verdict};
