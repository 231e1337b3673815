//! A union-find structure (Galler and Fischer 1964).

/// A forest of disjoint sets of numbers. The root of each tree is its smallest number.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// Returns the numbers below `numbers`, each in a set of its own.
    pub fn new(numbers: u32) -> Self {
        Self { parents: (0..numbers).collect() }
    }

    /// Returns the smallest number of a tree, and halves the path to it.
    ///
    /// # Panics
    ///
    /// If the number does not exist.
    pub fn root(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let above = self.parents[number as usize];
            self.parents[number as usize] = self.parents[above as usize];
            number = above;
        }
        number
    }

    /// Merges the trees of two numbers; returns `false` if they are in one tree already.
    ///
    /// # Panics
    ///
    /// If either number does not exist.
    pub fn unite(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other) as usize] = one.min(other);
        one != other
    }

    /// Returns the trees of at least two numbers, each increasing, sorted by their first numbers.
    pub fn trees(&mut self) -> Vec<Vec<u32>> {
        let numbers = 0..u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        let mut trees: Vec<Vec<u32>> = Vec::new();
        let mut tree_of = vec![usize::MAX; self.parents.len()];
        for number in numbers {
            let root = self.root(number);
            if root == number {
                continue;
            }
            let tree = &mut tree_of[root as usize];
            if *tree == usize::MAX {
                *tree = trees.len();
                trees.push(vec![root]);
            }
            trees[*tree].push(number);
        }
        trees.sort_unstable_by_key(|tree| tree[0]);
        trees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_recognized_by_their_first() {
        let mut forest = Forest::new(6);
        let united = [(4, 5), (1, 3), (3, 0), (0, 1), (5, 4)].map(|(a, b)| forest.unite(a, b));
        assert_eq!(united, [true, true, true, false, false]);
        assert_eq!(forest.trees(), [vec![0, 1, 3], vec![4, 5]]);
        assert_eq!(Forest::new(0).trees(), Vec::<Vec<u32>>::new());
    }
}
