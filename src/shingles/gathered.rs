//! The residues of windows, gathered by halves: those with the highest bit 0, and those with it 1.

use std::mem::take;

use super::{Ngrams, Shingles, distinct};

/// The residues of windows, in any order; equal ones may be there more than once.
#[derive(Debug, Default)]
pub struct Residues {
    /// Of all sizes but the greatest.
    shorter: Vec<u64>,
    /// Of the greatest.
    longest: Vec<u64>,
}

impl Residues {
    /// Those with the highest bit 0, and those with it 1.
    pub(super) fn halves(shorter: Gathered, longest: Gathered) -> [Self; 2] {
        let ([low_shorter, high_shorter], [low, high]) = (shorter.halves, longest.halves);
        [Self { shorter: low_shorter, longest: low }, Self { shorter: high_shorter, longest: high }]
    }

    /// Adds others, of windows of the same sizes.
    pub fn add(&mut self, others: Self) {
        for (own, others) in
            [(&mut self.shorter, others.shorter), (&mut self.longest, others.longest)]
        {
            if own.is_empty() {
                *own = others;
            } else {
                own.extend_from_slice(&others);
            }
        }
    }

    /// The distinct ones.
    pub fn shingles(self, ngrams: Ngrams) -> Shingles {
        if ngrams.min == ngrams.max {
            return Shingles::of_one_size(self.longest);
        }
        Shingles::of_sizes(self.shorter, self.longest)
    }
}

/// Residues that come together: those of windows of one size that are composed together.
pub(super) const BLOCK: usize = 256;

/// Residues in any order, those with the highest bit 0 and those with it 1; equal ones may be
/// there more than once.
pub(super) struct Gathered {
    halves: [Vec<u64>; 2],
    /// With how many each is looked through for equal ones.
    full: [usize; 2],
    /// How many of a half are to come at most, unless it has more than its share.
    most: usize,
    /// What a block deals out.
    dealt: [[u64; BLOCK]; 2],
}

/// Residues of a half from which on equal ones are looked for, and go, before all are there.
const MANY: usize = 1 << 18;

impl Gathered {
    /// None, with room for so many, if they are not too many.
    pub(super) fn with_room_for(residues: usize) -> Self {
        // Halves are hardly ever alike to the last one.
        let most = residues / 2 + residues / 32;
        let room = most.min(2 * MANY);
        let halves = [Vec::with_capacity(room), Vec::with_capacity(room)];
        Self { halves, full: [MANY; 2], most, dealt: [[0; BLOCK]; 2] }
    }

    /// Adds residues, at most as many as a block has.
    pub(super) fn add(&mut self, residues: &[u64]) {
        let [low, high] = &mut self.dealt;
        let (mut lows, mut highs) = (0, 0);
        // Which half is next cannot be foreseen: both are written, without a branch on which.
        for residue in residues {
            let is_high = usize::from(residue >> 63 == 1);
            low[lows % BLOCK] = *residue;
            high[highs % BLOCK] = *residue;
            lows += 1 - is_high;
            highs += is_high;
        }
        for (half, dealt) in
            [&self.dealt[0][..lows], &self.dealt[1][..highs]].into_iter().enumerate()
        {
            let (run, full) = (&mut self.halves[half], &mut self.full[half]);
            if run.len() + dealt.len() > *full {
                *run = distinct(take(run));
                // Half of it is to be free, so that this is not done for each of a few.
                *full = MANY.max(2 * run.len());
                let room = if run.len() + BLOCK <= self.most { self.most } else { *full };
                run.reserve_exact(room.min(*full).saturating_sub(run.len()));
            }
            run.extend_from_slice(dealt);
        }
    }
}
