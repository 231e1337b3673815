//! Rich Text Format.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dedup_fuzz::check("fuzzed", &[b"{\\rtf1", bytes].concat()));
