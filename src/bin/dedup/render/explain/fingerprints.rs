//! Votes and fingerprints as pictures: bit 63 stands at the left.

use std::fmt::Write;

use dedup_text::simhash::{Fingerprint, Votes};

/// Eighths of a bar, from one to eight.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Where a picture begins, in characters.
const INDENT: usize = 15;

/// The sums of the votes: a bar for each bit, above zero in the upper row and below
/// it in the lower, then the numbers.
pub(super) fn votes(votes: &Votes) -> String {
    let greatest = votes.0.iter().map(|sum| sum.unsigned_abs()).max().unwrap_or(0);
    let row = |sign: i64| -> String {
        let bars = votes.0.iter().map(|&sum| bar((sum * sign).max(0).unsigned_abs(), greatest));
        bars.collect()
    };
    let mut picture = format!("{:>INDENT$}{}|\n", "1 |", row(1));
    let _ = writeln!(picture, "{:>INDENT$}{}| a full bar is {greatest}", "0 |", row(-1));
    for (row, sums) in (0..8).zip(votes.0.chunks(8)) {
        let bit = 63 - 8 * row;
        let sums = sums.iter().fold(String::new(), |line, sum| format!("{line}{sum:>8}"));
        let _ = writeln!(picture, "{:>INDENT$}{sums}", format!("bit {bit} "));
    }
    picture
}

/// A bar of a sum that is not negative; a space where it is 0.
fn bar(sum: u64, greatest: u64) -> char {
    let eighths = (sum * 8).checked_div(greatest).unwrap_or(0);
    match usize::try_from(eighths) {
        _ if sum == 0 => ' ',
        Ok(eighths) => BARS[eighths.clamp(1, 8) - 1],
        Err(_) => ' ',
    }
}

/// Both fingerprints, bit by bit, with the differing bits marked.
pub(super) fn render(left: Option<Fingerprint>, right: Option<Fingerprint>) -> String {
    let (Some(left), Some(right)) = (left, right) else {
        return "FINGERPRINTS  not compared: a text has no shingles\n\n".to_owned();
    };
    let differing = left.0 ^ right.0;
    let marks =
        format!("         {}", grouped(differing, |differs| if differs { '^' } else { ' ' }));
    let bits = |bits: u64| grouped(bits, |bit| if bit { '1' } else { '0' });
    format!(
        "FINGERPRINTS  a bit is 1 where its votes are above zero; {} of 64 differ\n\
         {:INDENT$}left   {left}\n{:INDENT$}right  {right}\n  left   {}\n  right  {}\n{}\n\n",
        differing.count_ones(),
        "",
        "",
        bits(left.0),
        bits(right.0),
        marks.trim_end(),
    )
}

/// 64 marks in groups of eight, bit 63 first.
fn grouped(bits: u64, mark: fn(bool) -> char) -> String {
    let bytes = bits.to_be_bytes();
    let groups = bytes
        .iter()
        .map(|byte| -> String { (0..8).rev().map(|bit| mark((byte >> bit) & 1 == 1)).collect() });
    groups.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_sum() {
        #[rustfmt::skip]
        let table = [
            ("nothing",        0,  80, ' '),
            ("the least",      1,  80, '▁'),
            ("a half",         40, 80, '▄'),
            ("all",            80, 80, '█'),
            ("no votes",       0,  0,  ' '),
        ];
        for (why, sum, greatest, want) in table {
            assert_eq!(bar(sum, greatest), want, "{why}");
        }
    }

    #[test]
    fn differing_bits_are_marked() {
        let picture = render(Some(Fingerprint(1 << 63 | 1)), Some(Fingerprint(1)));
        let lines: Vec<&str> = picture.lines().collect();
        assert!(lines[0].ends_with("1 of 64 differ"));
        assert!(lines[3].starts_with("  left   10000000 00000000"));
        assert!(lines[4].starts_with("  right  00000000 00000000"));
        assert_eq!(lines[5], "         ^");
    }
}
