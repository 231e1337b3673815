//! Small cases worked out by hand.
