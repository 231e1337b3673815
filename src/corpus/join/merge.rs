//! Whether two sets share enough, no further than needed.

use super::rarity::Row;

/// Whether it is soon known that two sets share less than so much. So many of what both have
/// were met, not less than all that have at least `rest` behind them in either.
///
/// All else that both have comes behind the first in either that has less than `rest` behind it:
/// from there on tokens are merged, rarest first, as far as there are any, and what is frequent
/// need not be looked at. Two sets of which that is not soon known may share enough or not.
pub(super) fn fall_short([left, right]: [Row; 2], (met, rest): (u32, u32), least: u32) -> bool {
    let behind = left.rest(left.tokens.len()).min(right.rest(right.tokens.len()));
    let (mut l, mut r) = (left.kept(rest).len(), right.kept(rest).len());
    let (Some(of_left), Some(of_right)) = (left.tokens.get(l), right.tokens.get(r)) else {
        return false;
    };
    l = left.tokens[..l].partition_point(|token| token < of_right);
    r = right.tokens[..r].partition_point(|token| token < of_left);
    let mut shared = met;
    // Once so much is shared, all that is behind the tokens may make up for the rest.
    while shared + behind < least {
        let most = shared + left.rest(l).min(right.rest(r));
        if most < least {
            return true;
        }
        let to_come = (left.tokens.len() - l).min(right.tokens.len() - r);
        if to_come == 0 {
            return false;
        }
        let stride = to_come.min((most - least) as usize + 1);
        for _ in 0..stride {
            let (a, b) = (left.tokens[l], right.tokens[r]);
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
