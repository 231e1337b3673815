//! Invariants of the file of a stored index (`dedup index`).

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs::File;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;

use dedup_text::corpus::index::{Index, IndexError, IndexWriter, NewText};
use dedup_text::corpus::join::Side;
use dedup_text::corpus::{ComparedIndex, CorpusBuilder, IndexedTexts, Opened};
use dedup_text::interner;
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::parallel::Advance;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

/// The largest number of texts that are stored.
const MOST: usize = 6;

/// The largest number of changes of an input. Each is made separately.
const MOST_CHANGES: usize = 6;

/// The kinds of changes that need not be detected as damage: bytes that are copied within the file,
/// and bytes whose checksums are updated.
const COPIED: usize = 2;
const CRAFTED: usize = 4;

/// The offsets of the two slots of the header, and the size of a slot, in bytes.
const SLOTS: [usize; 2] = [512, 1024];
const SLOT: usize = 40;

/// Checks that a file that is changed anywhere is reported as damaged, and that each query on it
/// returns an error or the same answer as before. After a copy within the file, it may be one of
/// its earlier states. If the checksums are updated, readers and writers must read or reject the
/// file without a panic.
///
/// The first byte chooses whether languages are detected. NULs separate the texts that are stored,
/// one per line, a new text, and the changes.
pub fn index(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let given = if first & 1 == 0 { Given::As(None) } else { Given::Detect };
    let languages = Choice { left: given, right: given };
    let recipe = Recipe { languages, ..Recipe::default() };
    let mut parts = rest.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let stored: Vec<String> =
        String::from_utf8_lossy(part()).lines().take(MOST).map(str::to_owned).collect();
    let new = String::from_utf8_lossy(part()).into_owned();
    let mut choices = Choices(part());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("e.dedup");
    let states = states(&path, &recipe, &stored);
    let asked = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        (Index::open(&path).and_then(|index| index.check()), answers(&path, &recipe, &new))
    };
    let sound: Vec<Vec<String>> = states
        .iter()
        .map(|state| {
            let (checked, answers) = asked(state);
            checked.expect("what was written");
            answers.into_iter().map(|answer| answer.expect("what was written")).collect()
        })
        .collect();
    let whole = states.last().expect("two states");
    for _ in 0..MOST_CHANGES {
        if choices.0.is_empty() {
            break;
        }
        let mut changed = whole.clone();
        let place = place(&mut choices, whole.len());
        let kind = choices.below(5);
        match kind {
            0 => changed.truncate(place),
            1 => changed[place] ^= choices.byte().max(1),
            COPIED => {
                let to = place..(place + choices.below(64)).min(whole.len());
                let from = self::place(&mut choices, whole.len() - to.len() + 1);
                changed.copy_within(from..from + to.len(), to.start);
            }
            3 => {
                let zeros = place..(place + 2 * usize::from(choices.byte())).min(whole.len());
                changed[zeros].fill(0);
            }
            _ => craft(&mut changed, &mut choices),
        }
        if changed == *whole {
            continue;
        }
        let (checked, answers) = asked(&changed);
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            assert!(error.to_string().starts_with(path.to_str().expect("UTF-8")), "{error}");
        }
        if kind == CRAFTED {
            change(&path);
            continue;
        }
        let is_as = |state: &[String]| {
            let mut pairs = answers.iter().zip(state);
            pairs.all(|(answer, sound)| answer.as_ref().map_or(checked.is_err(), |it| it == sound))
        };
        match checked {
            // One slot of the header was copied over the other.
            Ok(()) => assert!(kind == COPIED && sound.iter().any(|it| is_as(it)), "believed"),
            Err(_) => assert!(sound.last().is_some_and(|it| is_as(it)), "believed: {answers:?}"),
        }
    }
}

/// Returns an offset below `length`, or 0 if `length` is 0.
fn place(choices: &mut Choices, length: usize) -> usize {
    (usize::from(choices.byte()) << 8 | usize::from(choices.byte())) % length.max(1)
}

/// Returns two states of an index file: with the first half of the texts, and after a second
/// commit, with all texts but the first.
fn states(path: &Path, recipe: &Recipe, stored: &[String]) -> [Vec<u8>; 2] {
    let file = File::options().read(true).write(true).create_new(true).open(path);
    let file = file.expect("a new file");
    let mut texts = IndexedTexts::new(recipe, NonZeroUsize::MIN, true);
    let mut sketch = |part: Range<usize>| -> Vec<NewText> {
        let open = |number: usize| Ok::<_, Infallible>((opened(number, &stored[number]), ()));
        let mut new = Vec::new();
        texts.sketch(part.collect(), open, |text, ()| {
            new.push(text.expect("no defect"));
            Ok(())
        });
        new
    };
    let half = stored.len().div_ceil(2);
    let stored_whole = (interner::salt(), true);
    let first = IndexWriter::create(path, file, "--min 1".to_owned(), stored_whole);
    let mut first = first.expect("an empty file");
    for text in sketch(0..half) {
        first.add(text).expect("added");
    }
    first.commit().expect("written");
    let before = content(path);
    let mut second = IndexWriter::open(path).expect("what was written");
    for text in sketch(half..stored.len()) {
        second.add(text).expect("added");
    }
    second.remove_one("0").expect("what was written");
    second.commit().expect("written");
    [before, content(path)]
}

fn opened(number: usize, content: &str) -> Opened {
    let path = number.to_string();
    let text = Text::from_bytes(Path::new(&path), content.as_bytes().to_vec());
    let group = (number % 3 == 2).then(|| "group".to_owned());
    Opened { text: text.expect("UTF-8"), group, side: Side::Old, is_read_once: true }
}

/// Returns the answers to every kind of query on an index. Each query is made separately.
fn answers(path: &Path, recipe: &Recipe, new: &str) -> Vec<Result<String, IndexError>> {
    let index = match Index::open(path) {
        Ok(index) => index,
        Err(error) => return vec![Err(error)],
    };
    let known = format!(
        "{} {} {} {:?} {:?}",
        index.len(),
        index.segments(),
        index.generation(),
        index.settings(),
        index.languages()
    );
    let names = || {
        let mut texts = Vec::new();
        index.each_text(|text| {
            texts.push(format!("{text:?}"));
            Ok::<_, IndexError>(())
        })?;
        Ok(texts.concat())
    };
    let found = || {
        let names = index.names()?;
        let found = ["0", "1", "5", "none"].map(|name| names.find(name));
        let found: Vec<_> = found.into_iter().collect::<Result<_, _>>()?;
        Ok(format!("{found:?}"))
    };
    let related = |level| {
        let mut builder = CorpusBuilder::new(recipe, NonZeroUsize::MIN);
        let open = |content: &str| {
            let text = Text::from_bytes(Path::new("new"), content.as_bytes().to_vec());
            let text = text.expect("UTF-8");
            let opened = Opened { text, group: None, side: Side::New, is_read_once: true };
            Ok::<_, Infallible>((opened, ()))
        };
        builder.add(vec![new], open, |()| Ok(()));
        let earlier = ComparedIndex { index: &index, level, replaced: &BTreeSet::new() };
        let corpus = builder.finish_against(&earlier, &Advance::default())?;
        Ok(format!("{:?} {:?}", corpus.documents, corpus.short))
    };
    let levels = [Verdict::NearDuplicate, Verdict::Identical, Verdict::Excerpt].map(related);
    [Ok(known), names(), found()].into_iter().chain(levels).collect()
}

/// Changes bytes of the root, and updates its checksum and that of the slot.
fn craft(changed: &mut [u8], choices: &mut Choices) {
    let number = |bytes: &[u8], at: usize, length: usize| {
        let number = bytes[at..at + length].iter().rev();
        number.fold(0, |number, byte| number << 8 | usize::from(*byte))
    };
    let [one, other] = SLOTS;
    let slot = if number(changed, other, 8) > number(changed, one, 8) { other } else { one };
    let (offset, length) = (number(changed, slot + 8, 8), number(changed, slot + 16, 4));
    for _ in 0..=choices.below(3) {
        let at = offset + place(choices, length);
        changed[at] = match choices.below(4) {
            0 => changed[at].wrapping_add(1),
            1 => changed[at].wrapping_sub(1),
            _ => choices.byte(),
        };
    }
    let checksum = crc32fast::hash(&changed[offset..offset + length]).to_le_bytes();
    changed[slot + 20..slot + 24].copy_from_slice(&checksum);
    let checksum = crc32fast::hash(&changed[slot..slot + SLOT - 8]).to_le_bytes();
    changed[slot + 32..slot + 36].copy_from_slice(&checksum);
}

/// Compacts an index and removes texts from it, if it can be opened. Either may fail.
fn change(path: &Path) {
    if let Ok(writer) = IndexWriter::open(path) {
        let new = path.with_extension("new");
        let _ = writer.compact(File::create(new).expect("a new file"));
    }
    if let Ok(mut writer) = IndexWriter::open(path) {
        let _ = writer.remove(|name| name != "1").map(|_| writer.commit());
    }
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn content(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("read")
}

/// The remaining bytes of the input, which choose what is changed. After the last one, every choice
/// is zero.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    /// Returns the next byte, or zero if none is left.
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns a number below `limit`, which must be at most 256.
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }
}
