//! Any bytes: encodings, disguises, and file types that are detected by their first bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::text(bytes));
