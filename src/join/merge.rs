//! Whether two sets share enough, no further than needed.

use super::index::kept;
use super::rarity::Token;

/// Whether it is soon known that two sets share less than so much. So many of what both have
/// were met, not less than all that have at least `rest` behind them in either.
///
/// All else that both have comes behind the first in either that has less than `rest` behind it:
/// from there on tokens are merged, rarest first, as far as there are any, and what is frequent
/// need not be looked at. Two sets of which that is not soon known may share enough or not.
pub(super) fn fall_short(
    [left, right]: [&[Token]; 2],
    (met, rest): (u32, u32),
    least: u32,
) -> bool {
    let (mut l, mut r) = (kept(left, rest).len(), kept(right, rest).len());
    let (Some(first_left), Some(first_right)) = (left.get(l), right.get(r)) else { return false };
    let (Some(last_left), Some(last_right)) = (left.last(), right.last()) else { return false };
    let (of_left, of_right) = (first_left.order(), first_right.order());
    l = left[..l].partition_point(|token| token.order() < of_right);
    r = right[..r].partition_point(|token| token.order() < of_left);
    let mut shared = met;
    // As far as there are tokens of both, no more than this can be missing.
    while shared + last_left.rest.min(last_right.rest) < least {
        let (Some(of_left), Some(of_right)) = (left.get(l), right.get(r)) else { return false };
        let most = shared + of_left.rest.min(of_right.rest);
        if most < least {
            return true;
        }
        let to_come = (left.len() - l).min(right.len() - r);
        for _ in 0..to_come.min((most - least) as usize + 1) {
            let (a, b) = (left[l].order(), right[r].order());
            shared += u32::from(a == b);
            l += usize::from(a <= b);
            r += usize::from(b <= a);
        }
    }
    false
}

/// Whether two increasing, distinct runs share at least so much; no further than needed.
pub(super) fn share(left: &[u64], right: &[u64], least: u32) -> bool {
    /// Steps between two looks at what is left.
    const STRIDE: usize = 16;
    let least = least as usize;
    let (mut l, mut r, mut shared) = (0, 0, 0);
    while shared < least {
        let room = (left.len() - l).min(right.len() - r);
        if shared + room < least {
            return false;
        }
        for _ in 0..STRIDE.min(room) {
            let (a, b) = (left[l], right[r]);
            shared += usize::from(a == b);
            l += usize::from(a <= b);
            r += usize::from(b <= a);
        }
    }
    true
}
