//! Two texts in which a word stands for another with the same residue.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dedup_fuzz::entry_points::collisions(bytes));
