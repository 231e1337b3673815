//! Runs of words that occur at two or more places.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::spans(bytes));
