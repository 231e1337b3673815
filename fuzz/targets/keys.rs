//! Texts, and the keys and blocks by which parts of a corpus are joined.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::keys(bytes));
