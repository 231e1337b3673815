//! Corpora whose common stretches are left out.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::doors::template_share(bytes));
