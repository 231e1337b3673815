//! The keys and blocks of texts that join the parts of a corpus.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::keys(bytes));
