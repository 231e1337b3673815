//! Markdown.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    dedup_fuzz::check("fuzzed.md", source.as_bytes());
    dedup_fuzz::check_markdown(source);
});
