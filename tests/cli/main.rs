//! Tests of the built binary, its samples, its documents, and its module structure.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod authors;
mod baseline;
mod check;
mod common;
mod transcript;
mod course;
mod layers;
mod twins;
mod collisions;
mod samples;
mod golden;
mod screen;
mod usage;
mod errors;
mod corpus_inputs;
mod common_passages;
mod corpus_answers;
mod one_answer;
mod rows;
mod share;
mod share_twin;
#[cfg(unix)]
mod progress;
mod encodings;
mod earlier;
mod exclusions;
mod exports;
mod max_pairs;
mod index;
mod memory;
#[cfg(unix)]
mod faults;
mod focus;
mod formats;
mod outputs;
mod keeping;
mod clean;
#[cfg(unix)]
mod packed;
mod parquet;
mod ignored;
#[cfg(target_os = "linux")]
mod bounds;
mod logs;
mod spans;
mod submissions;
mod tables;
mod units;
mod names;
mod templates;
mod ligatures;
mod corpus;
mod calibrate;
mod kinds;
mod pages;
mod disguises;
mod records;
mod report;
mod settings;
mod completions;
mod manual;
#[cfg(unix)]
mod web;
mod marked;
mod documents;
mod figures;
mod findings;
mod passages;
mod metamorphic;
mod metamorphic_runs;
mod properties;
