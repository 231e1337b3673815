//! Decides whether two texts are near-duplicates, and shows the figures behind the
//! answer.
//!
//! The modules stand in the order of the line from bytes to verdict; each stage knows
//! only the types before it, and they meet in [`pipeline`].
//!
//! ```
//! use std::path::Path;
//! use dedup_text::{pipeline, recipe::Recipe, text::Text, verdict::Verdict};
//!
//! let left = Text::from_bytes(Path::new("a"), b"A copper kettle, a wooden spoon".to_vec())?;
//! let right = Text::from_bytes(Path::new("b"), b"a copper kettle and a wooden spoon".to_vec())?;
//! let judgement = pipeline::judge(&left, &right, &Recipe::default())?;
//! assert_eq!(judgement.decision.verdict, Verdict::NearDuplicate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod pipeline;
pub mod recipe;
pub mod threads;
pub mod defect;
pub mod letters;
pub mod excerpt;
pub mod extract;
pub mod disguises;
pub mod text;
pub mod language;
pub mod tokens;
pub mod exclusions;
pub mod chunks;
pub mod alike;
pub mod elision;
pub mod stopwords;
pub mod stems;
pub mod rabin;
pub mod lexicon;
pub mod shingles;
pub mod simhash;
pub mod hamming;
pub mod jaccard;
pub mod sketch;
pub mod passages;
pub mod comparison;
pub mod ratio;
pub mod verdict;
pub mod join;
pub mod calibration;
pub mod warnings;
pub mod undecided;
