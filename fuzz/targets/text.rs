//! Any bytes: encodings, disguises, and kinds that are told by their first bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dedup_fuzz::check("fuzzed", bytes));
