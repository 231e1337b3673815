//! Tests of `--report`: what is written, where, and what is not written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::common::{read_file, run};

/// Text that both files contain, which looks like an attack.
const HOSTILE: &str = "</script><script>alert(1)</script> <img src=x onerror=alert(2)> &amp; \"' \
     \u{2028} \u{202e} ]]> <!-- {{ 7 * 7 }} \u{1b}[2J https://example.org/x.js </div></body>";

/// Creates a folder for the test, with two texts that share a passage.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("folder")).unwrap();
    let shared = "the copper kettle stands on the wooden table in the kitchen of the old mill";
    fs::write(folder.join("left.txt"), format!("Every morning {shared}.\n{HOSTILE}\n")).unwrap();
    fs::write(folder.join("right.txt"), format!("At night {shared}, cold.\n{HOSTILE}\n")).unwrap();
    fs::write(folder.join("few.txt"), "kettle").unwrap();
    folder
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Writes the report on the texts of a folder quietly, and returns it.
fn report(folder: &Path, flags: &str) -> String {
    let run = run(folder, &format!("left.txt right.txt --quiet --report out.html {flags}"));
    assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("", "", 0));
    read_file(folder.join("out.html"))
}

/// Returns the content of the only element with a name.
fn inside<'p>(page: &'p str, name: &str) -> &'p str {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    assert_eq!((page.matches(&open).count(), page.matches(&close).count()), (1, 1), "{name}");
    page.split(&open).nth(1).and_then(|rest| rest.split(&close).next()).unwrap()
}

#[test]
fn what_the_figures_mean_is_given_as_in_json() {
    let folder = folder("meaning");
    let page = report(&folder, "");
    let json = run(&folder, "left.txt right.txt --format json").output;
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    for measure in ["hamming", "jaccard", "containment", "length"] {
        let sentence = record["meaning"][measure].as_str().unwrap();
        assert_eq!(page.matches(&format!("<dd>{sentence}</dd>")).count(), 1, "{sentence}");
    }
}

#[test]
fn the_page_allows_itself_its_script_and_style_and_nothing_else() {
    let page = report(&folder("policy"), "");
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap().replace("&#39;", "'");
    let hash = |of: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(inside(&page, of))));
    let want = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash("style"),
        hash("script")
    );
    assert_eq!(policy, want);
    assert!(page.find("Content-Security-Policy") < page.find("<style>"));
}

#[test]
fn the_page_asks_for_nothing() {
    let page = report(&folder("requests"), "");
    let own = page.replace(inside(&page, "script"), "").replace(inside(&page, "style"), "");
    let tags: Vec<&str> =
        own.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert!(tags.len() > 100);
    for tag in tags {
        assert!(
            !tag.contains(" src=") && !tag.contains(" style=") && !tag.contains(" on"),
            "{tag}"
        );
        let links = tag.split(" href=\"").skip(1);
        links.for_each(|link| assert!(link.starts_with('#'), "{tag}"));
    }
    for how in ["url(", "@import", "fetch(", "XMLHttpRequest", "import(", "innerHTML"] {
        assert!(!page.contains(how), "{how}");
    }
}

#[test]
fn a_text_cannot_break_out_of_its_pane() {
    let page = report(&folder("hostile"), "");
    for attack in ["<script>alert", "<img", "<!-- ", "</div></body>"] {
        assert!(!page.contains(attack), "{attack}");
    }
    let escaped = "&#60;/script&#62;&#60;script&#62;alert(1)&#60;/script&#62;";
    assert_eq!(page.matches(escaped).count(), 2);
    // The text has a control that reverses it, in a passage and after it. The panes show it as a
    // reader sees it, and four titles show it as it is written.
    assert_eq!(page.matches("{{ 7 * 7 }}").count(), 2 + 4);
}

#[test]
fn the_same_pair_gives_the_same_bytes() {
    let folder = folder("same");
    assert_eq!(report(&folder, ""), report(&folder, ""));
}

#[test]
fn names_can_be_hidden() {
    let folder = folder("anonymous");
    fs::write(folder.join("alice.words"), "of").unwrap();
    let shown = report(&folder, "--stopwords alice.words");
    for name in ["left.txt", "right.txt", "alice.words"] {
        assert!(shown.contains(name), "{name}");
    }
    let hidden = report(&folder, "--anonymous --stopwords alice.words");
    for name in ["left.txt", "right.txt", "alice", "out.html"] {
        assert!(!hidden.contains(name), "{name}");
    }
    assert!(hidden.contains(" of the left text is in the right text word for word"));
}

/// Returns the verdict and the sentence at the top of a page.
fn heading(page: &str) -> [&str; 2] {
    let heading = page.split("<h1 ").nth(1).and_then(|rest| rest.split("</h1>").next()).unwrap();
    let (verdict, sentence) = heading.split_once("</span> ").unwrap();
    [verdict.rsplit('>').next().unwrap(), sentence]
}

#[test]
fn the_page_opens_with_the_sentence_of_the_answer() {
    let table = [
        ("disguised", "identical", "identical"),
        ("danish", "near-duplicate", "near copy"),
        ("rewritten", "partial", "large part"),
        ("excerpt", "excerpt", "passage"),
        ("unrelated", "different", "different"),
    ];
    for (name, verdict, kind) in table {
        let files = [1, 2].map(|side| format!("samples/{name}_{side}.txt"));
        let line = files.join(" ");
        let answer = run(Path::new("."), &line).output;
        let answer = answer.split("\n\n").next().unwrap().replace('\n', " ");
        let page = run(Path::new("."), &format!("{line} --quiet --report -")).output;
        let [shown, sentence] = heading(&page);
        assert_eq!(shown, kind, "{name}");
        let sentence = sentence.replace("<bdi>", "").replace("</bdi>", "");
        let same = format!("{}: {sentence}", verdict.to_uppercase());
        assert!(same.eq_ignore_ascii_case(&answer), "{same}\n{answer}");
        // The page says what is shared, and not who wrote it first.
        let own: String = page
            .split("<div class=\"text\"")
            .map(|part| part.rsplit("</div>").next().unwrap())
            .collect();
        for word in ["copied", "copy", "plagiar", "original", "stolen", "cheat"] {
            assert!(!own.to_lowercase().contains(word), "{name}: {word}");
        }
    }
}

/// A name that runs from right to left must not reorder the figures next to it.
#[test]
fn names_in_the_sentence_are_isolated() {
    let folder = folder("isolated");
    let words = (0..40).map(|word| format!("delta{word}")).collect::<Vec<_>>().join(" ");
    fs::write(folder.join("Émile & <b>.txt"), format!("{words} own")).unwrap();
    fs::write(folder.join("דוד כהן.txt"), format!("{words} same")).unwrap();
    fs::write(folder.join("twin.txt"), format!("{words} own")).unwrap();
    let sentence = |files: [&str; 2]| {
        let mut dedup = Command::new(env!("CARGO_BIN_EXE_dedup"));
        let dedup = dedup.current_dir(&folder).args(files).args(["--quiet", "--report", "-"]);
        heading(&String::from_utf8(dedup.output().unwrap().stdout).unwrap())[1].to_owned()
    };
    let left = "<bdi>Émile &#38; &#60;b&#62;.txt</bdi>";
    let right = "<bdi>דוד כהן.txt</bdi>";
    // 40 of 41 words of each text are in the other.
    assert_eq!(
        sentence(["Émile & <b>.txt", "דוד כהן.txt"]),
        format!("97\u{a0}% of {left} is in {right} word for word; of {right} 97\u{a0}%")
    );
    assert_eq!(
        sentence(["Émile & <b>.txt", "twin.txt"]),
        format!("{left} and <bdi>twin.txt</bdi> have the same words in the same order")
    );
    // Names of both sides are part of the sentence.
    assert_eq!(
        sentence(["twin.txt", "twin.txt"]),
        "The left text and the right text have the same words in the same order"
    );
}

/// The rows of the list of a page: the number of a passage, its length and its shares of both texts.
fn rows(page: &str) -> Vec<[String; 4]> {
    let cells = |row: &str| -> Vec<String> {
        let cells = row.split("<td>").skip(1).map(|cell| cell.split("</td>").next().unwrap());
        cells.map(str::to_owned).collect()
    };
    let share = |place: &str| place.rsplit(", ").next().unwrap().to_owned();
    let row = |row: &str| {
        let [length, left, right] = &cells(row)[..3] else { unreachable!() };
        let number = row.split('"').next().unwrap().to_owned();
        [number, length.clone(), share(left), share(right)]
    };
    page.split("<tr data-n=\"").skip(1).map(row).collect()
}

/// What the list says of a passage is what stands above it in the text answer; of one passage, its shares
/// are those of the sentence.
#[test]
fn the_list_says_of_passages_what_the_answer_says() {
    let folder = folder("list");
    fs::write(folder.join("source.txt"), crate::passages::SOURCE).unwrap();
    fs::write(folder.join("reworded.txt"), crate::passages::REWORDED).unwrap();
    let sample = |name: &str| [1, 2].map(|side| format!("samples/{name}_{side}.txt")).join(" ");
    let (here, reworded) = (Path::new("."), "source.txt reworded.txt --lang en".to_owned());
    let table = [
        ("exact, edited, reworded", here, sample("rewritten"), 1),
        ("in another order", here, sample("moved"), 1),
        ("hardly changed", here, sample("opposite"), 1),
        ("all reworded", &*folder, reworded, 1),
    ];
    for (why, folder, line, count) in table {
        let answer = run(folder, &format!("{line} --passages-shown 99")).output;
        let heads = answer.lines().filter_map(|line| line.strip_prefix("passage "));
        let mut heads: Vec<(String, String)> = heads
            .map(|head| {
                let (number, what) = head.split_once("    ").unwrap();
                (number.to_owned(), what.split(", marked").next().unwrap().to_owned())
            })
            .collect();
        heads.sort();
        let rows = rows(&run(folder, &format!("{line} --quiet --report -")).output);
        let mut listed: Vec<(String, String)> =
            rows.iter().map(|[number, what, ..]| (number.clone(), what.clone())).collect();
        listed.sort();
        assert_eq!((listed.len(), &listed), (count, &heads), "{why}");
        if let [[_, _, left, right]] = &rows[..] {
            let sentence = answer.split("\n\n").next().unwrap().replace('\n', " ");
            // The sentence has the same words and the changed ones apart, each cut to a whole number.
            let percents = |text: &str| -> Vec<u64> {
                let before = text.split('%').map(|it| it.trim_end_matches(['\u{a0}', ' ']));
                before.filter_map(|it| it.rsplit(' ').next()?.parse().ok()).collect()
            };
            let of_sides = percents(&sentence);
            let of_side = |side: usize| {
                let half = of_sides.len() / 2;
                of_sides[side * half..][..half].iter().sum::<u64>()
            };
            for (side, row) in [left, right].into_iter().enumerate() {
                let [row] = percents(row)[..] else { panic!("{row}") };
                assert!(
                    (of_side(side)..of_side(side) + 2).contains(&row),
                    "{why}: {row}, {sentence}"
                );
            }
        }
    }
}

#[test]
fn the_page_says_what_a_passage_has_at_least() {
    let page = run(&folder("least"), "left.txt right.txt --min-match 10 --quiet --report -").output;
    let want = "<dt>A passage has at least</dt><dd>10 words in a row, 17 different ones in any order, \
                or reworded sentences</dd>";
    assert!(page.contains(want), "{page}");
}

#[test]
fn words_in_disguise_are_marked_with_what_was_written() {
    let line = "samples/disguised_1.txt samples/disguised_2.txt --quiet --report -";
    let page = run(Path::new("."), line).output;
    let [left, right] = ["left", "right"]
        .map(|side| page.split(&format!(" id=\"{side}\" ")).nth(1).unwrap().split("</div>").next());
    assert!(!left.unwrap().contains("disguise"));
    for (word, written) in [("lake", "l&#60;U+0430&#62;ke"), ("ferry", "fe&#60;U+200B&#62;rry")] {
        let marked = format!("<span class=\"disguise\" title=\"written {written}\">{word}</span>");
        assert!(right.unwrap().contains(&marked), "{marked}");
    }
}

#[test]
fn lines_of_a_pdf_are_paragraphs() {
    let line = "tests/documents/libreoffice.pdf tests/documents/harbour.md --quiet --report -";
    let page = run(Path::new("."), line).output;
    let paragraph = "By noon the tables by the window are taken, and whoever comes later sits on the steps in the sun.\n";
    assert!(page.contains(paragraph), "{page}");
    assert!(page.contains(">The café at the harbour\nZoë opens"), "{page}");
}

#[test]
fn passages_are_looked_for_unless_they_are_not_wanted() {
    let folder = folder("passages");
    let page = report(&folder, "");
    assert!(page.contains(">The shared passage</h2>") && page.contains("<mark "));
    let without = report(&folder, "--passages off");
    assert!(!without.contains("<mark ") && !without.contains("o shared passage found"));
    let line = "left.txt few.txt --quiet --report - --passages off";
    let unknown = run(&folder, line).output;
    let want = "No figure reaches its limit; passages were not looked for";
    assert_eq!(heading(&unknown), ["different", want]);
    let fewer = run(&folder, "left.txt few.txt --quiet --report -").output;
    assert_eq!(heading(&fewer), ["different", "No shared passage found"]);
}

#[test]
fn a_report_takes_the_place_of_an_older_one() {
    let folder = folder("older");
    let old = "x".repeat(1_000_000);
    fs::write(folder.join("out.html"), &old).unwrap();
    assert!(report(&folder, "").ends_with("</html>\n"));
    let failed = run(&folder, "left.txt few.txt --min 3 --report out.html");
    assert_eq!(failed.status, 2);
    assert!(read_file(folder.join("out.html")).ends_with("</html>\n"));
    assert_eq!(names(&folder), ["few.txt", "folder", "left.txt", "out.html", "right.txt"]);
}

#[test]
fn a_report_changes_neither_the_answer_nor_its_status() {
    let folder = folder("answer");
    for (line, status) in [("left.txt right.txt", 0), ("left.txt few.txt", 1)] {
        let plain = run(&folder, line);
        let more = run(&folder, &format!("{line} --report out.html"));
        assert_eq!((plain.output, plain.status), (more.output, more.status));
        assert_eq!(more.status, status, "{line}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let folder = folder("unwritable");
    let before = names(&folder);
    let hint = "check that its folder exists and is writable";
    #[cfg(target_os = "linux")]
    let full = "free some space on its disk, or name a file on another disk";
    let table = [
        ("no/out.html", "no such folder", hint),
        ("folder", "Is a directory (os error 21)", hint),
        #[cfg(target_os = "linux")]
        ("/dev/full", "No space left on device (os error 28)", full),
        ("left.txt/out.html", "Not a directory (os error 20)", hint),
    ];
    for (file, found, hint) in table {
        let run = run(&folder, &format!("left.txt right.txt --report {file}"));
        let want = format!("dedup: {file}: cannot be written: {found}\nhint: {hint}\n");
        assert_eq!((run.errors, run.output.as_str(), run.status), (want, "", 2));
    }
    assert_eq!(names(&folder), before);
}

#[test]
fn a_report_on_a_file_that_is_read_is_bad_usage() {
    let folder = folder("inputs");
    let before = read_file(folder.join("left.txt"));
    #[rustfmt::skip]
    let table = [
        ("the left text",  "left.txt right.txt --report left.txt",             "left.txt",   "LEFT"),
        ("the right text", "left.txt right.txt --report right.txt",            "right.txt",  "RIGHT"),
        ("by another name", "left.txt right.txt --report folder/../left.txt",  "folder/../left.txt", "LEFT"),
        ("stop words",     "left.txt right.txt --stopwords few.txt --report few.txt", "few.txt", "the list of stop words"),
        ("a template",     "left.txt right.txt --template few.txt --report few.txt", "few.txt", "a template"),
    ];
    #[rustfmt::skip]
    let links = [
        ("a link",         "left.txt right.txt --report link.html",            "link.html",  "LEFT"),
        ("a hard link",    "left.txt right.txt --report hard.html",            "hard.html",  "RIGHT"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("left.txt", folder.join("link.html")).unwrap();
        fs::hard_link(folder.join("right.txt"), folder.join("hard.html")).unwrap();
    }
    let links = links.into_iter().filter(|_| cfg!(unix));
    for (why, line, file, what) in table.into_iter().chain(links) {
        let run = run(&folder, line);
        let want = format!(
            "dedup: --report {file}: is also {what}, expected a separate file\nhint: name another \
             file, such as report.html\n"
        );
        assert_eq!((run.errors, run.output.as_str(), run.status), (want, "", 2), "{why}");
    }
    assert_eq!(read_file(folder.join("left.txt")), before);
    let alone = run(&folder, "left.txt right.txt --anonymous");
    assert!(alone.errors.contains("not provided:\n  --report <FILE.html>"), "{}", alone.errors);
}

#[cfg(unix)]
mod unix;
mod corpus;
