//! Tests of the passages that two texts share, as JSON.

use serde_json::{Value, json};

use crate::common::{dedup, in_folder};

/// A copied sentence, and the text around it.
const COPIED: &str =
    "nobody on the island knew who had lit the lamp before the storm came in from the west";
const BEFORE: &str = "Bread is baked in the morning.";
const AFTER: &str = "Then the bakers sleep until noon.";

/// A text, and what somebody made of it who knew how to.
pub(crate) const SOURCE: &str = "\
    The lighthouse at Carrow Point was built of granite in 1868 by a company of masons from the \
    mainland. It replaced a wooden beacon that had burned down twice. Its lamp was lit with \
    paraffin, and the keeper wound a clockwork every four hours so that the lens went on \
    turning. In thick fog he fired a cannon from the gallery, once in ten minutes. The keepers \
    and their families lived in three cottages below the tower, with a garden, two goats and a \
    well that ran dry in August. Supplies were brought by a cutter from Port Ellis on the first \
    Monday of the month, if the swell allowed her to land at the steps. When electric light was \
    laid on in 1931 two of the families moved away, and the third stayed for the sake of the \
    foghorn. The last keeper left in 1984, and since then the tower has looked after itself. \
    Visitors climb its hundred and twelve steps on summer weekends. From the gallery they see \
    seals on the skerries, and far in the west the oil platforms.";
pub(crate) const REWORDED: &str = "\
    Everybody on the island can tell a story of Carrow Point. Masons who came over from the \
    mainland set the granite of its lighthouse in 1868, after the beacon, which was wooden, had \
    twice burned to the ground. Paraffin fed the lamp. A clockwork kept the lens turning, \
    provided that somebody wound it, which the keeper did every four hours; and from the gallery \
    a cannon was fired into the fog. My grandmother was born in one of the three cottages. Each \
    family had a share in the garden and in the goats, she said, and carried water up from the \
    harbour in August because the well had run dry. On the first Monday of a month people \
    watched for the cutter out of Port Ellis with her supplies, and were glad when the swell \
    left the steps alone. She never saw the electric light, and I have never seen the place \
    without it. My children call it the candle.";

/// Compares two files, and returns the record.
fn record(test: &str, files: [(&str, &[u8]); 2], flags: &str) -> Value {
    let line = format!("{} {} --format json {flags}", files[0].0, files[1].0);
    let run = in_folder(&format!("passages_{test}"), &files, &line);
    serde_json::from_str(&run.output).unwrap_or_else(|_| panic!("{}", run.errors))
}

/// Returns the place of the passage in the right file, and the bytes at that place.
fn on_right(test: &str, name: &str, right: &[u8], flags: &str) -> (Value, Vec<u8>) {
    let left = format!("{COPIED}\nand nothing else");
    let record = record(test, [("left.txt", left.as_bytes()), (name, right)], flags);
    let matches = record["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 1, "{test}: {matches:?}");
    assert_eq!(
        matches[0]["a"],
        json!({"byte": [0, 85], "line": [1, 1], "column": [1, 86], "word": [0, 18]}),
        "{test}"
    );
    let place = matches[0]["b"].clone();
    let ends = [0, 1].map(|end| usize::try_from(place["byte"][end].as_u64().unwrap()).unwrap());
    let there = right.get(ends[0]..ends[1]).unwrap_or_default().to_vec();
    (place, there)
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_passage_is_reported_in_full() {
    let left = format!("{BEFORE}\n{COPIED}.\n{AFTER}\n");
    let right = format!("{}! More of it.", COPIED.replace("the storm", "a storm"));
    let record =
        record("full", [("a.txt", left.as_bytes()), ("b.txt", right.as_bytes())], "--min-match 11");
    let fingerprint = record["matches"][0]["fingerprint"].as_str().unwrap();
    let aligned = COPIED.replace("the storm", "storm");
    let residue = dedup_text::rabin::residue(aligned.as_bytes());
    assert_eq!(fingerprint, format!("{residue:016x}"));
    assert_eq!(
        record["matches"],
        json!([{
            "id": 1, "words": 17, "changed_words": 1, "kind": "edited",
            "a": {"byte": [31, 116], "line": [2, 2], "column": [1, 86], "word": [6, 24]},
            "b": {"byte": [0, 83], "line": [1, 1], "column": [1, 84], "word": [0, 18]},
            "fingerprint": fingerprint,
        }])
    );
    let want = json!({
        "words_a": 18, "words_b": 18, "share_a": 18.0 / 30.0, "share_b": 18.0 / 21.0,
        "same_a": 17.0 / 30.0, "same_b": 17.0 / 21.0, "changed_a": 1.0 / 30.0, "changed_b": 1.0 / 21.0,
        "longest": 17
    });
    assert_eq!(record["coverage"], want);
}

/// Checks that a text which repeats a passage is covered by it in each place.
#[test]
fn what_a_text_repeats_is_listed_with_the_passage() {
    let left = format!("{COPIED}\n{AFTER}\n");
    let right = format!("{COPIED}\nin between\n{COPIED}\n\n{COPIED}\n");
    let files = [("a.txt", left.as_bytes()), ("b.txt", right.as_bytes())];
    let record = record("repeated", files, "");
    let found = record["matches"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["b"]["word"], json!([0, 18]));
    assert_eq!(
        found[0]["repeats_b"],
        json!([
            {"byte": [97, 182], "line": [3, 3], "column": [1, 86], "word": [20, 38]},
            {"byte": [184, 269], "line": [5, 5], "column": [1, 86], "word": [38, 56]},
        ])
    );
    assert_eq!(found[0].get("repeats_a"), None);
    assert_eq!([&record["coverage"]["words_a"], &record["coverage"]["words_b"]], [18, 54]);
    let run = in_folder("passages_repeated_text", &files, "a.txt b.txt");
    let want = "\n  again in b.txt: line 3, line 5\n";
    assert!(run.output.contains(want), "{}", run.output);
    assert!(run.output.contains("passage 1    18 words, word for word, repeated 2 times\n"));
}

#[test]
fn reworded_sentences_are_a_passage_of_words_that_are_the_same_and_changed() {
    let files = [("a.txt", SOURCE.as_bytes()), ("b.txt", REWORDED.as_bytes())];
    let record = record("reworded", files, "");
    let found = &record["matches"][0];
    assert_eq!(record["matches"].as_array().unwrap().len(), 1);
    assert_eq!([&found["kind"], &found["words"]], [&json!("reworded"), &json!(47)]);
    // The last sentences of each text are its own.
    let text = |side: &str, text: &'static str| {
        let ends = [0, 1].map(|end| found[side]["byte"][end].as_u64().unwrap());
        &text[usize::try_from(ends[0]).unwrap()..usize::try_from(ends[1]).unwrap()]
    };
    assert!(text("a", SOURCE).starts_with("The lighthouse"));
    assert!(text("a", SOURCE).ends_with("to land at the steps"));
    assert!(text("b", REWORDED).ends_with("left the steps alone"));
    let words = ["words_a", "words_b", "longest"].map(|name| record["coverage"][name].clone());
    assert_eq!(
        words,
        [102, 114, 47].map(|words| json!(words)),
        "those of a sentence between are its own"
    );
    let shares =
        ["same_a", "changed_a", "same_b", "changed_b"].map(|name| record["coverage"][name].clone());
    assert_eq!(
        shares,
        [47.0 / 182.0, 55.0 / 182.0, 47.0 / 160.0, 67.0 / 160.0].map(|it| json!(it))
    );
}

#[test]
fn reworded_sentences_stand_side_by_side() {
    let files = [("a.txt", SOURCE.as_bytes()), ("b.txt", REWORDED.as_bytes())];
    let shown = in_folder("passages_reworded_shown", &files, "a.txt b.txt");
    assert!(
        shown
            .output
            .contains("passage 1    114 words, 47 of them the same, 25 other words among them")
    );
    assert!(shown.output.contains("masons from the mainland"), "{}", shown.output);
    let page = in_folder("passages_reworded_page", &files, "a.txt b.txt --quiet --report -");
    assert!(page.output.contains(" reworded\" data-n=\"1\""));
    assert!(page.output.contains("<span class=\"reworded\">"));
}

#[test]
fn places_are_those_of_the_file() {
    let line = |copied: &str| format!("{BEFORE}\r\n\r\n{copied}, says he.\r\n{AFTER}");
    let disguised = COPIED.replace("lamp", "l\u{430}mp").replace("storm", "st\u{43e}rm");
    let marked = COPIED.replace("lit the lamp", "**lit** the [lamp](https://lamps.example)");
    let wrapped = COPIED.replace(" before", "\r\nbefore");
    let latin = line(COPIED).replace("Bread", "Br\u{e9}ad");
    let one_byte: Vec<u8> = latin.chars().map(|letter| u8::try_from(letter).unwrap()).collect();
    let table: &[(&str, &str, Vec<u8>, &str, Vec<u8>, [[u64; 2]; 3])] = &[
        ("crlf", "b.txt", line(COPIED).into(), "", COPIED.into(), [[34, 119], [3, 3], [1, 86]]),
        (
            "wrapped",
            "b.txt",
            line(&wrapped).into(),
            "",
            wrapped.clone().into(),
            [[34, 120], [3, 4], [1, 39]],
        ),
        (
            "mark",
            "b.txt",
            format!("\u{feff}{}", line(COPIED)).into(),
            "",
            COPIED.into(),
            [[37, 122], [3, 3], [1, 86]],
        ),
        (
            "latin",
            "b.txt",
            one_byte,
            "--encoding right=latin1",
            COPIED.into(),
            [[34, 119], [3, 3], [1, 86]],
        ),
        (
            "utf16",
            "b.txt",
            utf_16(&format!("\u{feff}{}", line(COPIED))),
            "",
            utf_16(COPIED),
            [[70, 240], [3, 3], [1, 86]],
        ),
        (
            "disguised",
            "b.txt",
            line(&disguised).into(),
            "",
            disguised.clone().into(),
            [[34, 121], [3, 3], [1, 86]],
        ),
        (
            "markdown",
            "b.md",
            line(&marked).into(),
            "",
            marked.clone().into(),
            [[34, 148], [3, 3], [1, 115]],
        ),
    ];
    for (test, name, right, flags, want, [byte, line, column]) in table {
        let (place, there) = on_right(test, name, right, flags);
        assert_eq!(String::from_utf8_lossy(&there), String::from_utf8_lossy(want), "{test}");
        let want = json!({"byte": byte, "line": line, "column": column, "word": [6, 24]});
        assert_eq!(place, want, "{test}");
    }
}

#[test]
fn places_in_other_documents_are_those_of_the_text() {
    let page = format!("<!doctype html><body><p>{BEFORE}</p><p>{COPIED}</p>");
    let (place, _) = on_right("page", "b.html", page.as_bytes(), "--html all");
    let shown =
        in_folder("passages_page", &[("b.html", page.as_bytes())], "text b.html --html all").output;
    let ends = [0, 1].map(|end| usize::try_from(place["byte"][end].as_u64().unwrap()).unwrap());
    assert_eq!(&shown[ends[0]..ends[1]], COPIED);
    assert_eq!(place["line"], json!([3, 3]));
}

#[test]
fn letters_of_scripts_without_spaces_are_words() {
    let copied = "山里的茶园每天早上都有雾，老人说那是山在呼吸";
    let (left, right) = (format!("昨天{copied}。"), format!("{copied}！我们不信。"));
    let record = record("letters", [("a.txt", left.as_bytes()), ("b.txt", right.as_bytes())], "");
    let found = &record["matches"][0];
    assert_eq!((&found["words"], &found["kind"]), (&json!(21), &json!("exact")));
    assert_eq!(
        found["a"],
        json!({"byte": [6, 72], "line": [1, 1], "column": [3, 25], "word": [2, 23]})
    );
}

#[test]
fn passages_are_reported_for_every_verdict_unless_they_are_not_wanted() {
    let printed = |name: &str, flags: &[&str]| -> Value {
        let files = [1, 2].map(|side| format!("samples/{name}_{side}.txt"));
        let run = dedup(&[&[files[0].as_str(), &files[1], "--format", "json"], flags].concat());
        serde_json::from_str(&run.output).unwrap()
    };
    #[rustfmt::skip]
    let table = [
        ("unrelated",      "different",      0),
        ("excerpt",        "excerpt",        1),
        ("pasted",         "partial",        1),
        ("one_in_hundred", "near-duplicate", 1),
        ("layout",         "identical",      1),
    ];
    for (name, verdict, count) in table {
        let record = printed(name, &[]);
        assert_eq!(record["verdict"], verdict);
        assert_eq!(record["matches"].as_array().map(Vec::len), Some(count), "{name}");
        let mut without = record;
        let mut off = printed(name, &["--passages", "off"]);
        assert_eq!(off["limits"]["min_match"], Value::Null);
        for field in ["matches", "coverage"] {
            assert!(without.as_object_mut().unwrap().remove(field).is_some(), "{field}");
        }
        for field in ["verdict", "decided_by", "limits", "meaning"] {
            for record in [&mut off, &mut without] {
                assert!(record.as_object_mut().unwrap().remove(field).is_some(), "{field}");
            }
        }
        assert_eq!(off, without, "{name}");
    }
    let longest = printed("pasted", &[])["coverage"]["longest"].as_u64().unwrap();
    assert_eq!(longest, 134, "all of the left text");
    let more = (longest + 1).to_string();
    assert_eq!(printed("pasted", &["--min-match", &more])["matches"], json!([]));
    assert_eq!(
        printed("pasted", &["--min-match", &longest.to_string()])["coverage"]["share_a"],
        1.0
    );
}

/// Checks the sentence of the answer in cases that the samples do not have. Both texts share seven
/// of ten words in another order, and 7 of 13 shingles of one stem.
#[test]
fn the_sentence_says_what_is_shared() {
    let files = [
        ("a.txt", SOURCE.as_bytes()),
        ("b.txt", REWORDED.as_bytes()),
        ("c.txt", &b"kettle lamp rope bell crane wheel stone alpha beta gamma"[..]),
        ("d.txt", &b"stone wheel delta crane bell epsilon rope lamp zeta kettle"[..]),
        (
            "e.txt",
            &b"stone kettle lamp rope anvil the bell crane wheel sail oar mast hull deck"[..],
        ),
        ("f.txt", &b"kettle lamp rope anvil and bell crane wheel drum"[..]),
        ("g.txt", &b"You may enter the old stone building before noon without a permit."[..]),
        ("h.txt", &b"You may not enter the old stone building before noon without a permit."[..]),
    ];
    let answer = |line: &str| in_folder("sentence", &files, line).output.replace('\n', " ");
    let reworded = answer("a.txt b.txt");
    assert!(reworded.contains("of a.txt is in b.txt word for word, "), "{reworded}");
    let words = "--lang none --stem off --max 1";
    let shared =
        "no shared passage found, but 53\u{a0}% of all distinct words and phrases are in both ";
    let none = answer(&format!("c.txt d.txt {words} --jaccard 0.6"));
    assert!(none.starts_with(&format!("PARTIAL: {shared}")), "{none}");
    let near = answer(&format!("c.txt d.txt {words}"));
    assert!(near.starts_with(&format!("NEAR-DUPLICATE: {shared}")), "{near}");
    let hamming = answer(&format!("c.txt d.txt {words} --hamming 64 --jaccard off"));
    let want = "NEAR-DUPLICATE: no shared passage found, but Hamming ";
    assert!(hamming.starts_with(want) && hamming.contains(" is within its limit 64 "), "{hamming}");
    let part = "--jaccard off --partial-jaccard off --containment 0.3";
    let contained = answer(&format!("c.txt d.txt {words} {part}"));
    let want = "PARTIAL: no shared passage found, but 70\u{a0}% of the distinct words of c.txt are in \
                d.txt ";
    assert!(contained.starts_with(want), "{contained}");
    let right = answer(&format!("e.txt f.txt {part} --containment 0.5 --lang en"));
    let want = "PARTIAL: no shared passage found, but 83\u{a0}% of the distinct phrases of 3 words of \
                f.txt besides stop words are in e.txt ";
    assert!(right.starts_with(want), "{right}");
    let opposite = answer("g.txt h.txt --lang en");
    let want = "NEAR-DUPLICATE: no shared passage found, but 73\u{a0}% of all distinct words and \
                phrases besides stop words are in both ";
    assert!(opposite.starts_with(want), "{opposite}");
    let off =
        answer(&format!("c.txt d.txt {words} --jaccard 0.6 --partial-jaccard off --passages off"));
    let want = "DIFFERENT: no figure reaches its limit; passages were not looked for ";
    assert!(off.starts_with(want), "{off}");
}

/// The changed words are those of all passages together, as each is shown with its own.
#[test]
fn the_sentence_counts_the_words_that_are_changed() {
    let part = |name: &str, count: usize| {
        (0..count).map(|k| format!("{name}{k} ")).collect::<Vec<_>>().concat()
    };
    let between = part("between", 60);
    let text = |changes: [&str; 3], between: &str| {
        let [a, b, c] = changes;
        let [first, second] = ["first", "second"].map(|name| part(name, 14));
        format!("{first}{a} {first}{between} {second}{b} {c} {second}")
    };
    let files = [
        ("a.txt", text(["kettle", "lamp", "rope"], &between)),
        ("b.txt", text(["anvil", "bell", ""], &part("amid", 60))),
        ("c.txt", text(["anvil", "lamp", "rope"], &between)),
    ];
    // 12 words in a row, then 20 times two words that both texts have, and three between them.
    let mostly = |name: &str| {
        let each = |k| format!("rest{k} rest{k}x {name}{k} {name}{k}x {name}{k}y ");
        part("row", 12) + &(0..20).map(each).collect::<String>()
    };
    let (mostly_1, mostly_2) = (mostly("one"), mostly("two"));
    let files = files.each_ref().map(|(name, text)| (*name, text.as_bytes()));
    let files = [&files[..], &[("d.txt", mostly_1.as_bytes()), ("e.txt", mostly_2.as_bytes())]];
    let files = files.concat();
    let answer = |line: &str| in_folder("changed", &files, line).output.replace('\n', " ");
    #[rustfmt::skip]
    let table = [
        ("of two passages", "a.txt b.txt", "47\u{a0}% of a.txt is in b.txt word for word, 2\u{a0}% more with changes; of b.txt "),
        ("one",             "a.txt c.txt", "99\u{a0}% of a.txt is in c.txt word for word, under 1\u{a0}% more with changes; of c.txt 99\u{a0}% and under 1\u{a0}%  passage 1 "),
        ("more than not",   "d.txt e.txt", "46\u{a0}% of d.txt is in e.txt word for word, 50\u{a0}% more with changes; of e.txt 46\u{a0}% and 50\u{a0}%  passage 1 "),
        ("none",            "a.txt a.txt", "the same words in the same order  Hamming "),
    ];
    for (why, line, want) in table {
        let answer = answer(&format!("{line} --lang en"));
        assert!(answer.contains(want), "{why}: {answer}");
    }
}

/// Where short passages are set apart, no answer says that there are none.
#[test]
fn the_sentence_says_how_long_no_passage_is() {
    let run = |line: &str| {
        let run = dedup(
            &format!("samples/excerpt_1.txt samples/excerpt_2.txt {line}")
                .split(' ')
                .collect::<Vec<_>>(),
        );
        assert_eq!(run.status, 1, "{}", run.errors);
        run.output
    };
    let least = "o shared passage of 100 words or more";
    let answer = run("--ignore short=100");
    let row =
        "1 passage of fewer than 100 words not shown (23 words; --ignore\n             short)";
    assert!(answer.starts_with(&format!("DIFFERENT: n{least}\n             {row}\n")), "{answer}");
    let details = run("--ignore short=100 --details");
    assert!(details.contains("limit 12        none of 100 words or more was found\n"), "{details}");
    let end = format!("DIFFERENT: no figure reaches its limit; n{least}\n");
    assert!(details.ends_with(&end), "{details}");
    let page = run("--ignore short=100 --quiet --report -");
    assert!(page.contains(&format!("</span> N{least}</h1>")), "{page}");
    let none = run("--ignore short=100 --min-match 80");
    assert!(none.starts_with("DIFFERENT: no shared passage found\n\n"), "{none}");
}

/// Checks texts of stop words only, which have no shingles: their words and passages decide.
#[test]
fn passages_decide_where_there_are_no_shingles() {
    let shared = "it is what it was and that is all that there was of it";
    let [a, b] = [format!("so {shared}"), format!("{shared} too, and then some more of the same")];
    let files =
        [("a.txt", a.as_bytes()), ("b.txt", b.as_bytes()), ("c.txt", &b"to be or not to be"[..])];
    let run = |line: &str| in_folder("no_shingles", &files, &format!("{line} --lang en"));
    let json = run("a.txt b.txt --format json");
    let record: Value = serde_json::from_str(&json.output).unwrap();
    assert_eq!((&record["verdict"], json.status), (&json!("partial"), 1));
    assert_eq!(record["decided_by"], json!(["coverage_a", "coverage_b"]));
    assert_eq!(record["measures"]["jaccard"], Value::Null);
    #[rustfmt::skip]
    let table = [
        ("nothing printed",     "a.txt b.txt --quiet",                    1),
        ("for another level",   "a.txt b.txt --quiet --at-least partial", 0),
        ("not looked for",      "a.txt b.txt --passages off",             2),
        ("too long to be one",  "a.txt b.txt --min-match 20",             2),
        ("nothing is shared",   "a.txt c.txt --quiet",                    2),
        ("the same words",      "a.txt a.txt --passages off",             0),
    ];
    for (why, line, status) in table {
        assert_eq!(run(line).status, status, "{why}");
    }
}

#[test]
fn a_length_that_no_passage_can_have_is_bad_usage() {
    for typed in ["2", "0", "-1", "many"] {
        let run = dedup(&["a", "b", &format!("--min-match={typed}")]);
        let want = format!(
            "dedup: invalid value '{typed}' for '--min-match <WORDS>': expected a whole number of \
             words, at least 3\n"
        );
        assert!(run.errors.starts_with(&want), "{}", run.errors);
        assert_eq!(run.status, 2);
    }
}

/// Checks a text that repeats one sentence, no part of which identifies its place. Quadratic work
/// would not finish.
#[test]
fn a_megabyte_of_one_sentence_is_compared_with_itself() {
    let sentence = format!("{COPIED}. ");
    let left = sentence.repeat(1_000_000 / sentence.len());
    let right = left.replacen("storm", "flood", 1) + "And more.";
    let files = [("a.txt", left.as_bytes()), ("b.txt", left.as_bytes())];
    assert_eq!(record("sentence", files, "")["coverage"]["share_a"], 1.0);
    let files = [("a.txt", left.as_bytes()), ("b.txt", right.as_bytes())];
    assert!(record("sentence", files, "")["coverage"]["longest"].as_u64().unwrap() >= 12);
}
