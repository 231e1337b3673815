//! Large documents that are archives, generated from choices.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::large_office(bytes));
