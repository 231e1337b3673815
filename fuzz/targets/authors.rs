//! What the author of a submission decides.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::authors(bytes));
