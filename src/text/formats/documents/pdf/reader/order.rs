//! Puts the pieces of a line that are read from the right in the order in which they are read.
//!
//! Input: the letters of a line from left to right, as they are seen. Output: the same in logical
//! order. Numbers and words of other scripts keep their own order. The rules are the reverse of the
//! bidirectional algorithm (UAX #9) without embeddings, which a page does not show.

/// The direction in which a piece is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Direction {
    Right,
    Left,
    Number,
    /// That of a number that it is within: `3,14`.
    Separator,
    /// That of what is around it.
    Neutral,
}

impl Direction {
    /// Returns the direction of the lines of a text: from the right if a good part of its letters
    /// is read so, since these quote other scripts more than the other way round.
    pub(super) fn of_text<'t>(text: impl Iterator<Item = &'t str>) -> Self {
        const SHARE: usize = 4;
        let (mut leftwards, mut rightwards) = (0, 0);
        for letter in text.flat_map(str::chars) {
            match direction(letter) {
                Self::Left => leftwards += 1,
                Self::Right => rightwards += 1,
                Self::Number | Self::Separator | Self::Neutral => {}
            }
        }
        if leftwards > 0 && leftwards * SHARE >= rightwards { Self::Left } else { Self::Right }
    }
}

/// Returns pieces, which are given as they stand from left to right, in logical order. The base is
/// the direction of the text.
pub(super) fn in_logical_order(pieces: Vec<String>, base: Direction) -> Vec<String> {
    let mut directions: Vec<Direction> = pieces.iter().map(|it| direction_of(it)).collect();
    if !directions.contains(&Direction::Left) {
        return pieces;
    }
    // In Arabic, a hyphen is no part of a number (UAX #9, W2 and W4).
    let is_arabic = |letter| matches!(letter, '\u{600}'..='\u{7ff}' | '\u{fb50}'..='\u{fefc}');
    if pieces.iter().any(|piece| piece.contains(is_arabic)) {
        for (piece, direction) in pieces.iter().zip(&mut directions) {
            if matches!(piece.as_str(), "-" | "+") {
                *direction = Direction::Neutral;
            }
        }
    }
    resolve(&mut directions, base);
    // Runs from left to right, each with whether it is read from the right.
    let mut runs: Vec<(Direction, Vec<String>)> = Vec::new();
    for (piece, direction) in pieces.into_iter().zip(directions) {
        match runs.last_mut() {
            Some((last, run)) if *last == direction => run.push(piece),
            _ => runs.push((direction, vec![piece])),
        }
    }
    if base == Direction::Left {
        runs.reverse();
    }
    for (direction, run) in &mut runs {
        if *direction == Direction::Left {
            run.reverse();
        }
    }
    runs.into_iter().flat_map(|(_, run)| run).collect()
}

/// Gives each piece a direction, left or right.
fn resolve(directions: &mut [Direction], base: Direction) {
    let mut at = 0;
    while at < directions.len() {
        let is_weak = |it: &&Direction| matches!(it, Direction::Neutral | Direction::Separator);
        let is_separator = directions[at] == Direction::Separator;
        let length = directions[at..].iter().take_while(is_weak).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let (before, after) =
            (at.checked_sub(1).map(|at| directions[at]), directions.get(at + length).copied());
        let own = match (before, after) {
            (Some(Direction::Number), Some(Direction::Number)) if length == 1 && is_separator => {
                Direction::Number
            }
            (Some(Direction::Right), Some(Direction::Right | Direction::Number))
            | (Some(Direction::Number), Some(Direction::Right)) => Direction::Right,
            (Some(Direction::Left), Some(Direction::Left)) => Direction::Left,
            _ => base,
        };
        directions[at..at + length].fill(own);
        at += length;
    }
    for direction in directions {
        if *direction == Direction::Number {
            *direction = Direction::Right;
        }
    }
}

/// Returns the direction of the first letter of a piece that has one.
fn direction_of(piece: &str) -> Direction {
    let mut directions = piece.chars().map(direction);
    directions.find(|it| *it != Direction::Neutral).unwrap_or(Direction::Neutral)
}

fn direction(letter: char) -> Direction {
    match letter {
        '0'..='9' | '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' => Direction::Number,
        '\u{590}'..='\u{8ff}'
        | '\u{200f}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}' => Direction::Left,
        '.' | ',' | ':' | '/' | '-' | '+' => Direction::Separator,
        _ if letter.is_alphabetic() => Direction::Right,
        _ => Direction::Neutral,
    }
}

/// Reports whether a line is read from the right.
pub(super) fn is_leftwards(line: &str) -> bool {
    Direction::of_text(std::iter::once(line)) == Direction::Left
}
