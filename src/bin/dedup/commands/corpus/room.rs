//! How many pairs an answer may have, and that it has no more.

use dedup_text::corpus::join::Pair;
use dedup_text::verdict::Verdict;

use crate::args::CorpusFlags;
use crate::diagnostics::Diagnostic;
use crate::words::{counted, or_closer};

/// The most pairs that are told one by one, unless it is said: of 1.4 kB each as JSON.
const TOLD: usize = 1_000_000;

/// The most pairs that are held to find what hangs together, or whether there is one, unless it
/// is said: of 32 bytes each. Texts with the same shingles are one of them.
const HELD: usize = 100_000_000;

/// Room for the pairs of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// None where there is no limit.
    most: Option<usize>,
    /// Whether each pair is told by itself.
    is_told: bool,
}

impl Room {
    pub(crate) fn of(flags: &CorpusFlags, is_told: bool) -> Self {
        let usual = if is_told { TOLD } else { HELD };
        let most = flags.max_pairs.map_or(Some(usual), Option::from);
        Self { most, is_told }
    }

    /// Where so many pairs of each text are told as somebody asks for, there is no limit unless
    /// it is given.
    pub(crate) fn of_nearest(flags: &CorpusFlags) -> Self {
        Self { most: flags.max_pairs.and_then(Option::from), is_told: true }
    }

    /// The most pairs.
    pub(crate) fn most(self) -> usize {
        self.most.unwrap_or(usize::MAX)
    }

    /// What it is when there are more.
    pub(crate) fn trouble(self, level: Verdict) -> Diagnostic {
        let (pairs, level) = (counted(self.most(), "pair"), or_closer(level));
        Diagnostic::new(format!("more than {pairs} {level}, wanted as many at most")).hint(
            if self.is_told {
                "--clusters or --keep tells what hangs together, --nearest N the nearest of each \
                 text; --max-pairs off lifts the limit"
            } else {
                "a closer level has fewer; --max-pairs off lifts the limit"
            },
        )
    }

    /// Checks that of the pairs that were found no more are told than there is room for. It takes
    /// some nanoseconds a pair; only where there may be more is any of them judged.
    pub(crate) fn check<P: Iterator<Item = Pair>>(
        self,
        pairs: impl Fn() -> P,
        counts: impl Fn(&Pair) -> bool,
        level: Verdict,
    ) -> Result<(), Diagnostic> {
        let Some(most) = self.most.filter(|_| self.is_told) else { return Ok(()) };
        let is_beyond = pairs().nth(most).is_some() && pairs().filter(counts).nth(most).is_some();
        if is_beyond { Err(self.trouble(level)) } else { Ok(()) }
    }

    /// Checks a number of pairs, whatever their verdicts.
    pub(crate) fn check_count(self, pairs: usize) -> Result<(), Diagnostic> {
        if pairs > self.most() { Err(self.trouble(Verdict::Different)) } else { Ok(()) }
    }
}
