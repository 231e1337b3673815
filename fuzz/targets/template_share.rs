//! Corpora without their common stretches.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::template_share(bytes));
