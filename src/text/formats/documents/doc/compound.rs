//! Reads the streams of an OLE compound file, the container of documents of Word 97 to 2003.
//!
//! Input: the bytes of the file. Output: the contents of a stream of its root storage, by name.
//! Format: Microsoft, *\[MS-CFB\]: Compound File Binary File Format*. A chain of sectors that leaves
//! the file or is longer than it ends there, so that a file that was cut is still read in part.

use crate::text::formats::kind::OLE;

/// The number of the first sectors of the allocation table that the header itself lists.
const LISTED: usize = 109;

/// The size of an entry of the directory, in bytes.
const ENTRY: usize = 128;

/// A compound file whose tables have been read.
pub(super) struct Compound<'b> {
    bytes: &'b [u8],
    /// The binary logarithm of the size of a sector.
    shift: u32,
    /// The sector that follows each sector.
    next: Vec<u32>,
    /// The same for the short sectors, in which short streams are stored.
    next_short: Vec<u32>,
    /// The short sectors themselves.
    short: Vec<u8>,
    directory: Vec<u8>,
}

impl<'b> Compound<'b> {
    /// Reads the tables of a file; `None` if it is not a compound file. Linear in its length.
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let shift = u32::from(u16_at(bytes, 30)?);
        if !bytes.starts_with(OLE) || !(7..=16).contains(&shift) {
            return None;
        }
        let (next_short, short) = (Vec::new(), Vec::new());
        let mut file =
            Self { bytes, shift, next: Vec::new(), next_short, short, directory: Vec::new() };
        file.next = file.allocation_table()?;
        file.directory = file.chain(u32_at(bytes, 48)?);
        file.next_short = numbers(&file.chain(u32_at(bytes, 60)?)).collect();
        file.short = file.chain(u32_at(&file.directory, 116)?);
        Some(file)
    }

    /// Reads the allocation table from the sectors that the header and its continuations list.
    fn allocation_table(&self) -> Option<Vec<u32>> {
        let mut listed: Vec<u32> = numbers(self.bytes.get(76..)?).take(LISTED).collect();
        let mut more = u32_at(self.bytes, 68)?;
        let most = self.bytes.len() >> self.shift;
        while let Some(sector) = self.sector(more).filter(|_| listed.len() <= most) {
            listed.extend(numbers(sector));
            more = listed.pop()?;
        }
        let sectors = listed.into_iter().take(most).filter_map(|it| self.sector(it));
        Some(sectors.flat_map(numbers).take(most).collect())
    }

    /// Returns a sector, which the end of the file may cut; `None` behind it.
    fn sector(&self, number: u32) -> Option<&'b [u8]> {
        let begin = (usize::try_from(number).ok()?.checked_add(1)?).checked_mul(1 << self.shift)?;
        let rest = self.bytes.get(begin..).filter(|rest| !rest.is_empty())?;
        Some(&rest[..rest.len().min(1 << self.shift)])
    }

    /// Returns the contents of a chain of sectors, at most as many bytes as the file has.
    fn chain(&self, first: u32) -> Vec<u8> {
        let numbers = follow(&self.next, first);
        numbers.map_while(|number| self.sector(number)).flatten().copied().collect()
    }

    /// Returns the contents of a stream of the root storage, by its name in any case.
    pub(super) fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entry(name)?;
        let first = u32_at(entry, 116)?;
        let size = usize::try_from(u32_at(entry, 120)?).ok()?;
        let mut contents = if size < usize::try_from(u32_at(self.bytes, 56)?).ok()? {
            let parts = follow(&self.next_short, first).map_while(|number| {
                let begin = usize::try_from(number).ok()?.checked_mul(64)?;
                let rest = self.short.get(begin..)?;
                Some(&rest[..rest.len().min(64)])
            });
            parts.flatten().copied().take(size).collect()
        } else {
            self.chain(first)
        };
        contents.truncate(size);
        Some(contents)
    }

    /// Returns the entry of a stream in the tree of the root storage. Documents that are embedded
    /// have streams of the same names in other storages.
    fn entry(&self, name: &str) -> Option<&[u8]> {
        let entries = self.directory.len() / ENTRY;
        let mut open = vec![u32_at(&self.directory, 76)?];
        for _ in 0..=2 * entries {
            let Ok(at) = usize::try_from(open.pop()?) else { continue };
            let Some(entry) = self.directory.chunks_exact(ENTRY).nth(at) else { continue };
            if name_of(entry).eq_ignore_ascii_case(name) {
                return Some(entry);
            }
            open.extend([u32_at(entry, 68)?, u32_at(entry, 72)?]);
        }
        None
    }
}

/// Returns the sectors of a chain; at most as many as the table has, in case the chain is a ring.
fn follow(next: &[u32], first: u32) -> impl Iterator<Item = u32> {
    let mut after = Some(first);
    std::iter::from_fn(move || {
        let number = after?;
        after = next.get(usize::try_from(number).ok()?).copied();
        after.map(|_| number)
    })
    .take(next.len())
}

fn name_of(entry: &[u8]) -> String {
    let length = usize::from(u16_at(entry, 64).unwrap_or(0)).clamp(2, 64) - 2;
    String::from_utf16_lossy(&units(&entry[..length]).collect::<Vec<_>>())
}

/// Returns an offset or a length that a file states.
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns the two-byte numbers that bytes represent.
pub(super) fn units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(|it| u16::from_le_bytes([it[0], it[1]]))
}

/// Returns the four-byte numbers that bytes represent.
pub(super) fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]]))
}

/// Returns the two-byte number at an offset; `None` if it lies behind the end.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    units(bytes.get(at..)?).next()
}

/// Returns the four-byte number at an offset; `None` if it lies behind the end.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    numbers(bytes.get(at..)?).next()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const SECTOR: usize = 512;
    const END: u32 = 0xffff_fffe;

    /// Returns a compound file with these streams, each padded to 4096 bytes, the least length of one
    /// that is not stored in short sectors.
    pub(in super::super) fn compound(streams: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut next: Vec<u32> = vec![0xffff_fffd, 2, END];
        let (mut contents, mut directory) = (Vec::new(), vec![0; 2 * SECTOR]);
        for (at, (name, stream)) in streams.iter().enumerate() {
            let size = stream.len().max(4096).next_multiple_of(SECTOR);
            let first = u32::try_from(next.len()).unwrap();
            let entry = &mut directory[ENTRY * (at + 1)..][..ENTRY];
            for (unit, bytes) in name.encode_utf16().zip(entry.chunks_exact_mut(2)) {
                bytes.copy_from_slice(&unit.to_le_bytes());
            }
            entry[64] = u8::try_from(2 * name.len() + 2).unwrap();
            // The streams are a chain of right siblings, below the root.
            let sibling =
                if at + 1 < streams.len() { u32::try_from(at + 2).unwrap() } else { u32::MAX };
            entry[68..72].copy_from_slice(&u32::MAX.to_le_bytes());
            entry[72..76].copy_from_slice(&sibling.to_le_bytes());
            entry[116..120].copy_from_slice(&first.to_le_bytes());
            entry[120..124].copy_from_slice(&u32::try_from(size).unwrap().to_le_bytes());
            contents.extend_from_slice(stream);
            contents.resize(contents.len() - stream.len() + size, 0);
            next.extend((1..).take(size / SECTOR).map(|it| first + it));
            *next.last_mut().unwrap() = END;
        }
        directory[76] = 1;
        directory[116..120].copy_from_slice(&END.to_le_bytes());
        let mut header = [OLE, &[0; 504]].concat();
        header[30] = 9;
        header[48] = 1;
        header[57] = 0x10;
        for at in [60, 68] {
            header[at..at + 4].copy_from_slice(&END.to_le_bytes());
        }
        header[80..].fill(0xff);
        let mut next: Vec<u8> = next.iter().flat_map(|it| it.to_le_bytes()).collect();
        next.resize(SECTOR, 0xff);
        [header, next, directory, contents].concat()
    }

    #[test]
    fn streams_are_found_by_name() {
        let file = compound(&[("One", vec![1; 5000]), ("Two", vec![2; 10])]);
        let file = Compound::new(&file).unwrap();
        assert_eq!(file.stream("one").unwrap()[..5000], [1; 5000]);
        assert_eq!(file.stream("Two").unwrap().len(), 4096);
        assert_eq!((file.stream("Three"), file.stream("")), (None, None));
    }

    #[test]
    fn damage_ends_a_stream_early() {
        let sound = compound(&[("One", vec![1; 4096])]);
        let stream =
            |bytes: &[u8]| Compound::new(bytes).and_then(|it| it.stream("One")).map(|it| it.len());
        let changed = |at: usize, value: u32| {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            stream(&bytes)
        };
        // The allocation table begins at 512, the entry of the stream at 1024 + 128.
        #[rustfmt::skip]
        let table = [
            ("none",               stream(&sound),                   Some(4096)),
            ("the file is cut",    stream(&sound[..2800]),           Some(752)),
            ("no directory",       stream(&sound[..900]),            None),
            ("a ring of sectors",  changed(512 + 4 * 5, 3),          Some(4096)),
            ("a sector too far",   changed(512 + 4 * 5, 99),         Some(1536)),
            ("too long",           changed(1024 + 128 + 120, 1 << 30), Some(4096)),
            ("its own sibling",    changed(1024 + 128 + 72, 1),      Some(4096)),
            ("no sibling",         changed(1024 + 76, 77),           None),
            ("sectors of no size", changed(30, 0),                   None),
            ("no signature",       changed(0, 0),                    None),
        ];
        for (why, found, want) in table {
            assert_eq!(found, want, "{why}");
        }
    }
}
