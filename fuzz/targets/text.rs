//! Any bytes: encodings, disguises, and kinds that are reported by their first bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::text(bytes));
