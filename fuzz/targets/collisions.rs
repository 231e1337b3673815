//! Two texts that differ in a word, where both words have the same residue.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::collisions(bytes));
