//! Decides whether two texts are near-duplicates, and shows the figures behind the answer.
//!
//! The modules are listed in pipeline order, from bytes to verdict. Each uses only those before it;
//! [`pair`] combines them.
//!
//! ```
//! use std::path::Path;
//! use dedup_text::{pair, pair::Recipe, text::Text, verdict::Verdict};
//!
//! let left = b"A copper kettle, a wooden spoon, two tin cups and a blue jug stood on the shelf";
//! let right = b"A copper kettle, a wooden spoon, two tin cups and a blue jug stood on the bench";
//! let left = Text::from_bytes(Path::new("a"), left.to_vec())?;
//! let right = Text::from_bytes(Path::new("b"), right.to_vec())?;
//! let judgement = pair::judge(&left, &right, &Recipe::default())?;
//! assert_eq!(judgement.decision.verdict, Verdict::NearDuplicate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod parallel;
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
pub mod sketch;
pub mod passages;
pub mod verdict;
pub mod pair;
pub mod display;
pub mod record;
pub mod corpus;
pub mod calibration;
