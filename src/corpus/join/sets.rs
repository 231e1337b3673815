//! Sets of residues.

/// Sets of residues. Eight bytes a residue and twelve a set.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// Where each set starts among the residues, in any order.
    starts: Vec<usize>,
    sizes: Vec<u32>,
    residues: Vec<u64>,
}

impl PartialEq for Sets {
    fn eq(&self, other: &Self) -> bool {
        self.sizes == other.sizes && self.each().eq(other.each())
    }
}

impl Eq for Sets {}

impl Sets {
    pub(super) fn new() -> Self {
        Self { starts: Vec::new(), sizes: Vec::new(), residues: Vec::new() }
    }

    pub(super) fn push(&mut self, set: &[u64]) {
        self.starts.push(self.residues.len());
        // No text has 2³² shingles: they would take 32 GiB, and its words more.
        self.sizes.push(u32::try_from(set.len()).unwrap_or(u32::MAX));
        self.residues.extend_from_slice(set);
    }

    pub(super) fn append(&mut self, other: &Self) {
        let before = self.residues.len();
        self.residues.extend_from_slice(&other.residues);
        self.starts.extend(other.starts.iter().map(|start| before + start));
        self.sizes.extend_from_slice(&other.sizes);
    }

    /// The sets in another order, as their numbers are there. The residues stay where they are.
    pub(super) fn reordered(self, order: &[u32]) -> Self {
        Self {
            starts: order.iter().map(|text| self.starts[*text as usize]).collect(),
            sizes: order.iter().map(|text| self.sizes[*text as usize]).collect(),
            residues: self.residues,
        }
    }

    fn each(&self) -> impl Iterator<Item = &[u64]> {
        let set = |(start, size): (&usize, &u32)| &self.residues[*start..*start + *size as usize];
        self.starts.iter().zip(&self.sizes).map(set)
    }

    /// A set: increasing, distinct residues.
    pub(super) fn get(&self, text: u32) -> &[u64] {
        let start = self.starts[text as usize];
        &self.residues[start..start + self.size(text) as usize]
    }

    /// The size of a set.
    pub(super) fn size(&self, text: u32) -> u32 {
        self.sizes[text as usize]
    }
}
