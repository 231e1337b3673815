//! Large Markdown documents, generated from choices.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::large_markdown(bytes));
