//! Lists of files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::doors::file_lists(bytes));
