//! Notebooks.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    dedup_fuzz::check("fuzzed", &[b"{\"nbformat\": 4, \"cells\": [", bytes].concat());
});
