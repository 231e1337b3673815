//! The windows of stems, distributed to parts by the highest bits of their residues.

use super::group::{Grouping, Members, ResidueBuffer, Window};
use crate::interner::Check;

impl ResidueBuffer {
    /// The distinct ones, each with all its members.
    fn distinct(&self, grouping: &mut Grouping) -> Self {
        let mut distinct = Self::default();
        grouping.each_distinct(&[self], |residue, check, members| {
            distinct.windows.push(Window::new(residue, members.mark(check)));
        });
        distinct
    }
}

/// Windows that come together: those of one size that are composed together.
pub(super) const BLOCK: usize = 256;

/// Windows in parts: two at least, as many as a power of two, in the order of the highest bits
/// of their residues.
pub(super) struct Distributed {
    parts: Vec<ResidueBuffer>,
    /// With how many windows each part is looked through for equal ones.
    full: Vec<usize>,
    /// How far residues are shifted down to the number of their part.
    shift: u32,
    grouping: Grouping,
}

/// Windows that a part has at about, so that they fit into the processor's second cache.
const A_PART: usize = 1 << 13;

/// No more parts than this: of each the place that is written next should be in the nearest cache.
const MOST_PARTS: usize = 1 << 6;

/// Windows from which on equal ones are looked for, and go, before all are there.
const MANY: usize = 1 << 20;

impl Distributed {
    /// None, with room for so many, if they are not too many; in as many parts as so many take.
    pub(super) fn with_room_for(windows: usize) -> Self {
        let count = (windows / A_PART).next_power_of_two().clamp(2, MOST_PARTS);
        // Parts are hardly ever alike to the last one.
        let room = (windows / count + windows / count / 16 + 16).min(MANY / count);
        Self {
            parts: (0..count).map(|_| ResidueBuffer::with_capacity(room)).collect(),
            full: vec![MANY / count; count],
            shift: u64::BITS - count.ilog2(),
            grouping: Grouping::default(),
        }
    }

    /// Adds windows, all with these members.
    pub(super) fn add(&mut self, windows: &[u64], checks: &[Check], members: Members) {
        for (residue, check) in windows.iter().zip(checks) {
            let number = usize::try_from(residue >> self.shift).unwrap_or_default();
            self.parts[number].windows.push(Window::new(*residue, members.mark(check.bits())));
        }
        for (part, full) in self.parts.iter_mut().zip(&mut self.full) {
            if part.len() > *full {
                *part = part.distinct(&mut self.grouping);
                // Half of it is to be free, so that this is not done for each of a few.
                *full = (*full).max(2 * part.len());
            }
        }
    }

    pub(super) fn into_parts(self) -> Vec<ResidueBuffer> {
        self.parts
    }
}
