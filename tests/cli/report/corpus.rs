//! Tests of `dedup corpus --report`: the folder and the file, their contents, and what they
//! replace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::{HOSTILE, inside, names, run};
use crate::common::read_file;

/// Creates a folder for the test, with texts in a subfolder: three that form a cluster, two that
/// are identical, one that shares nothing, one that is too short, and one that is damaged.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report/corpus").join(test);
    let _ = fs::remove_dir_all(&folder);
    let texts = folder.join("texts");
    fs::create_dir_all(&texts).unwrap();
    let words = |of: &str, count: usize| {
        (0..count).map(|word| format!("{of}{word}")).collect::<Vec<_>>().join(" ")
    };
    let edited = |own: &str| format!("{} {own} {HOSTILE}", words("amber", 50));
    for (name, text) in [
        ("anna.txt", edited("ant")),
        ("berta.txt", edited("bee bear")),
        ("clara.txt", edited("cat cow crow")),
        ("doris.txt", words("delta", 40)),
        ("emma.txt", words("delta", 40)),
        ("frida.txt", words("flint", 40)),
        ("greta.txt", "grove".to_owned()),
    ] {
        fs::write(texts.join(name), text).unwrap();
    }
    fs::write(texts.join("hanna.txt"), b"\xef\xbb\xbf broken \xff\xfe").unwrap();
    folder
}

const CORPUS: &str = "corpus texts --quiet --min 3 --max 3";

/// Writes a report, and returns its files by name.
fn written(folder: &Path, flags: &str, to: &str) -> BTreeMap<String, String> {
    let run = run(folder, &format!("{CORPUS} {flags} --report {to}"));
    assert_eq!((run.output.as_str(), run.status), ("", 2), "{}", run.errors);
    let report = folder.join(to);
    if report.is_file() {
        return BTreeMap::from([(to.to_owned(), read_file(report))]);
    }
    let pages = names(&report.join("pairs")).into_iter().map(|name| format!("pairs/{name}"));
    let files = names(&report).into_iter().filter(|name| name != "pairs").chain(pages);
    files.map(|name| (name.clone(), read_file(report.join(name)))).collect()
}

#[test]
fn a_folder_has_an_overview_and_a_page_for_each_pair() {
    let files = written(&folder("pages"), "", "out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    #[rustfmt::skip]
    let want = [".dedup-report", "index.html", "pairs/0001.html", "pairs/0002.html", "pairs/0003.html", "pairs/0004.html"];
    assert_eq!(names, want);
    let index = &files["index.html"];
    assert!(index.contains("<title>4 pairs to read first among 6 texts</title>"));
    // Texts that were not compared or are disguised come below the pairs. The names are shown
    // without their common parts.
    let heads = ["Texts</h2>", "To read first</h2>", "Not compared</h2>", "Disguised</h2>"];
    let places = heads.map(|head| index.find(head).unwrap_or_else(|| panic!("{head}")));
    assert!(places.is_sorted(), "{places:?}");
    assert!(index.contains("<li><strong><bdi>hanna</bdi></strong>: damaged UTF-8: "));
    assert!(index.contains("<li><strong><bdi>greta</bdi></strong>: too short: "));
    assert!(
        index.contains(
            "<li><strong><bdi>anna</bdi></strong>: 1 word reversed by a control character"
        )
    );
    assert!(index.contains("“texts/” at the beginning and “.txt” at the end"));
    for (number, page) in (1..=4).zip(&want[2..]) {
        let page = &files[*page];
        assert!(index.contains(&format!("<a class=\"two\" href=\"pairs/{number:04}.html\">")));
        assert!(page.contains(&format!("<a href=\"../index.html#row-{number}\" rel=\"up\">")));
        assert!(page.contains(&format!("Pair {number} of 4")));
        assert_eq!(page.contains("rel=\"prev\""), number > 1);
        assert_eq!(page.contains("rel=\"next\""), number < 4);
    }
    assert!(files["pairs/0001.html"].contains("<bdi>doris</bdi>"));
    assert!(files["pairs/0001.html"].contains("rel=\"next\">Next pair"));
}

/// Checks that the page of a pair is the report on the two texts alone, except for the navigation.
#[test]
fn a_page_is_the_report_of_the_pair() {
    let folder = folder("same_as_pair");
    let files = written(&folder, "", "out");
    let pair = "texts/anna.txt texts/berta.txt --quiet --min 3 --max 3 --report pair.html";
    assert_eq!(run(&folder, pair).status, 0);
    let alone = read_file(folder.join("pair.html"));
    let alone =
        alone.replace("texts/", "").replace("anna.txt", "anna").replace("berta.txt", "berta");
    let page = files.values().find(|page| page.contains(": anna and berta</title>")).unwrap();
    let nav = page.split("<nav").nth(1).and_then(|rest| rest.split("</nav>\n").next()).unwrap();
    let among = page.replace(&format!("<nav{nav}</nav>\n"), "");
    let keys = "<label><input type=\"checkbox\" id=\"keys\" checked> keys n and p</label>\n";
    // Alone, a pair is read in one language if both are in doubt.
    let language = |page: &str| page.replace(", detected in both together", "");
    assert_eq!(language(&among), language(&alone.replace(keys, "")));
}

#[test]
fn the_same_texts_give_the_same_bytes() {
    let folder = folder("same");
    for to in ["out", "out.html"] {
        let one = written(&folder, "--threads 1", to);
        assert!(one == written(&folder, "--threads 7", to), "{to}");
    }
}

#[test]
fn every_page_allows_itself_its_script_and_style_and_nothing_else() {
    let folder = folder("policy");
    let mut pages = written(&folder, "", "out");
    pages.remove(".dedup-report");
    pages.extend(written(&folder, "", "out.html"));
    for (name, page) in &pages {
        let policy = page.split("Content-Security-Policy\" content=\"").nth(1).unwrap();
        let policy = policy.split('"').next().unwrap().replace("&#39;", "'");
        let script = page.split("<script>").nth(1).and_then(|rest| rest.split("</script>").next());
        let (style, script) = (inside(page, "style"), script.unwrap());
        let hash = |of: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(of)));
        let want = format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            hash(style),
            hash(script)
        );
        assert_eq!(policy, want, "{name}");
        let own = page.replace(script, "").replace(style, "");
        for tag in own.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
            let is_own = !tag.contains(" src=") && !tag.contains(" style=") && !tag.contains(" on");
            assert!(is_own || tag.starts_with("script type=\"application/json\""), "{name}: {tag}");
            for link in tag.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let path = link.split('#').next().unwrap();
                let there = folder.join("out").join(name).with_file_name(path);
                assert!(path.is_empty() || there.is_file(), "{name}: {link}");
            }
        }
        for attack in ["<script>alert", "<img", "<!-- ", "</div></body>"] {
            assert!(!page.contains(attack), "{name}: {attack}");
        }
    }
}

#[test]
fn names_can_be_hidden_everywhere() {
    let folder = folder("anonymous");
    for to in ["out", "out.html"] {
        let shown = written(&folder, "", to);
        assert!(shown.values().any(|page| page.contains("anna") && page.contains("hanna")));
        for (name, page) in written(&folder, "--anonymous", to) {
            for hidden in ["texts/", "anna", "doris", "frida", "greta", "hanna"] {
                assert!(!page.contains(hidden), "{name}: {hidden}");
            }
            assert!(name == ".dedup-report" || page.contains("<bdi>Text "), "{name}");
        }
    }
    let index = read_file(folder.join("out/index.html"));
    assert!(index.contains("<li><strong><bdi>Text 7</bdi></strong>: damaged UTF-8: "));
    assert!(index.contains("<li><strong><bdi>Text 8</bdi></strong>: too short: "));
}

/// Checks that the key is next to the report, lists the texts in the order of the report, and is
/// readable by its owner only.
#[test]
fn a_report_without_names_has_a_key() {
    let folder = folder("key");
    let run = |line: &str| run(&folder, line);
    for (to, key) in [("out.html", "out.key.csv"), ("of.2026", "of.2026.key.csv")] {
        let anonymous = run(&format!("corpus texts --min 3 --max 3 --anonymous --report {to}"));
        assert!(anonymous.errors.ends_with(&format!("dedup: report: {to}\ndedup: key: {key}\n")));
        let want = "name in the dedup report,text\n\
            Text 1,texts/doris.txt\nText 2,texts/emma.txt\n\
            Text 3,texts/anna.txt\nText 4,texts/berta.txt\nText 5,texts/clara.txt\n\
            Text 6,texts/frida.txt\nText 7,texts/hanna.txt\nText 8,texts/greta.txt\n";
        assert_eq!(read_file(folder.join(key)), want, "{to}");
        // An earlier key is replaced.
        fs::write(folder.join(key), format!("{}old\n", &want[..30])).unwrap();
        written(&folder, "--anonymous", to);
        assert_eq!(read_file(folder.join(key)), want, "{to}");
    }
    let before = names(&folder);
    // A report with names or on standard output has no key.
    written(&folder, "", "named.html");
    run("corpus texts --anonymous --report -");
    assert_eq!(names(&folder).len(), before.len() + 1);
}

#[test]
fn nothing_is_replaced_by_a_key_but_an_earlier_one() {
    let folder = folder("key_replaced");
    let hint = "--anonymous writes the key there; move the file away, or name another report";
    for mine in
        ["", "a list of mine\n", "name,text\nText 1,anna\n", "{\"schema\":\"dedup.pair/2\"}"]
    {
        fs::write(folder.join("out.key.csv"), mine).unwrap();
        for to in ["out", "out.html"] {
            let run = run(&folder, &format!("corpus texts --anonymous --report {to}"));
            let want =
                "out.key.csv: exists and is not a key, expected a new file or an earlier key";
            assert_eq!(run.errors, format!("dedup: {want}\nhint: {hint}\n"));
            assert_eq!((run.output.as_str(), run.status), ("", 2), "{to}");
        }
        assert_eq!(names(&folder), ["out.key.csv", "texts"]);
        assert_eq!(read_file(folder.join("out.key.csv")), mine);
    }
    let taken = run(&folder, "corpus texts -q --anonymous --report b.html --format csv=b.key.csv");
    let want = "dedup: the key of --anonymous: is also --format csv=b.key.csv,";
    assert!(taken.errors.starts_with(want), "{}", taken.errors);
}

/// Checks two pairs whose texts take 12 MB each: a file has space for one of them, a folder for
/// both.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn one_file_has_as_many_pairs_as_it_has_room_for() {
    let folder = folder("room");
    let texts = folder.join("long");
    fs::create_dir(&texts).unwrap();
    for (name, of) in [("a", "amber"), ("b", "amber"), ("c", "cedar"), ("d", "cedar")] {
        let words = (0..60).map(|word| format!("{of}{word}")).collect::<Vec<_>>().join(" ");
        let blank = format!("{}\n", " ".repeat(4000)).repeat(1500);
        fs::write(texts.join(name), format!("{words} {name}\n{blank}")).unwrap();
    }
    let one = run(&folder, "corpus long --report out.html");
    let note = "dedup: out.html: the first 1 of 2 pairs have their texts in it: one file has at most 20 MB\n\
        hint: --report DIR writes a folder, with a page for each\ndedup: report: out.html\n";
    assert_eq!((one.errors.as_str(), one.status), (note, 0));
    let page = read_file(folder.join("out.html"));
    assert!((12_000_000..20_000_000).contains(&page.len()), "{}", page.len());
    assert!(page.contains("href=\"#pair-1\"") && !page.contains("\"#pair-2\""));
    assert!(page.contains("<tr id=\"row-2\" "));
    assert!(
        page.contains(
            "The first 1 of 2 pairs open side by side. A folder, --report DIR, has more."
        )
    );
    let all = run(&folder, "corpus long --report out");
    assert_eq!((all.errors.as_str(), all.status), ("dedup: report: out\n", 0));
    assert_eq!(names(&folder.join("out/pairs")), ["0001.html", "0002.html"]);
}

#[test]
fn a_review_that_is_none_is_refused() {
    let folder = folder("reviewed");
    fs::write(folder.join("other.json"), "{\"schema\":\"dedup.review/2\",\"pairs\":[]}").unwrap();
    fs::write(folder.join("none.json"), "[]").unwrap();
    let wanted = "expected a review that a report saved\nhint: in the report, Save the notes alone writes one\n";
    for (file, found) in [
        ("other.json", "the schema is dedup.review/2"),
        (
            "none.json",
            "invalid length 0, expected struct Review with 2 elements at line 1 column 2",
        ),
    ] {
        let line = format!("{CORPUS} --report out.html --reviewed {file}");
        let run = run(&folder, &line);
        assert_eq!(run.errors, format!("dedup: --reviewed {file}: {found}, {wanted}"));
        assert!(run.status == 2 && !folder.join("out.html").exists(), "{file}");
    }
    let absent = run(&folder, &format!("{CORPUS} --report out.html --reviewed absent.json"));
    assert!(absent.errors.starts_with("dedup: --reviewed absent.json: "), "{}", absent.errors);
    assert_eq!(absent.status, 2);
}

#[test]
fn the_report_is_of_what_is_asked_for() {
    let folder = folder("asked");
    let shares = "All pairs that share anything, the largest share first.";
    let nearest = "The nearest of each text, however far.";
    let reach = "All pairs that are near copies or identical.";
    let table = [
        ("--at-least identical", 4, shares),
        ("--fail-on near-duplicate", 4, shares),
        ("--nearest 1", 3, nearest),
        ("--clusters", 4, reach),
        ("--keep first --format paths=kept", 4, reach),
        ("--jaccard off --hamming off --containment off", 4, shares),
    ];
    for (flags, count, condition) in table {
        let page = &written(&folder, flags, "out.html")["out.html"];
        let title = format!("{count} pairs to read first among 6 texts");
        assert!(page.contains(&format!("<h1>{title}</h1>\n<p>{condition}</p>")), "{flags}");
        assert_eq!(page.matches("<tr id=\"row-").count(), count, "{flags}");
    }
    let alone = run(&folder, "corpus texts/frida.txt texts/anna.txt --report alone.html");
    assert_eq!((alone.errors.as_str(), alone.status), ("dedup: report: alone.html\n", 1));
    assert!(
        read_file(folder.join("alone.html")).contains("<p>No two texts share a large part.</p>")
    );
}

#[test]
fn a_board_without_pairs_counts_those_that_were_accepted() {
    let folder = folder("accepted");
    let run =
        |flags: &str| run(&folder, &format!("corpus texts/doris.txt texts/emma.txt -q {flags}"));
    assert_eq!(run("--baseline acc --update-baseline").status, 0);
    let board = run("--baseline acc --report -").output;
    assert!(board.contains("<h1>Nothing new among 2 texts</h1>\n"), "{board}");
    assert!(board.contains("<p>Not shown: 1 accepted earlier.</p>"), "{board}");
    assert!(board.contains("<p>No new pair shares a large part.</p>"), "{board}");
    let board = run("--report -").output;
    assert!(!board.contains("Not shown"), "{board}");
}

#[test]
fn a_board_says_which_pairs_were_compared() {
    let folder = folder("scope");
    let texts = |names: &str| {
        names.split(' ').map(|name| format!("texts/{name}.txt")).collect::<Vec<_>>().join(" ")
    };
    let [same, new] = [texts("doris emma"), texts("frida")];
    let copy = texts("doris");
    let old = texts("emma frida");
    let against = "Only pairs of a new text with an earlier one were compared.";
    let focus = "Only pairs with a text that --focus names are listed.";
    let of_these = "All of these that share anything, the largest share first.";
    let old_flags = same.replace(' ', " --against ");
    let more_old = old.replace(' ', " --against ");
    #[rustfmt::skip]
    let table = [
        (format!("{new} --against {old_flags}"), "Nothing shared with the earlier texts",
         against.to_owned(), "No new text shares a large part with an earlier one."),
        (format!("{new} {same} --focus {new}"), "Nothing shared with the texts in focus",
         focus.to_owned(), "No text in focus shares a large part with another."),
        (format!("{copy} --against {more_old}"), "1 pair to read first among 3 texts",
         format!("{against} {of_these}"), "A large part of one text is also in the other."),
        (format!("{copy} {old} --focus {copy}"), "1 pair to read first among 3 texts",
         format!("{focus} {of_these}"), "A large part of one text is also in the other."),
        (format!("{copy} --against {more_old} --nearest 1 --focus {copy}"),
         "1 pair to read first among 3 texts",
         format!("{against} The nearest of each text, however far. Only those with a text that \
                  --focus names."),
         "A large part of one text is also in the other."),
    ];
    for (flags, title, condition, list) in table {
        let board = run(&folder, &format!("corpus {flags} --quiet --report -")).output;
        let head = format!("<h1>{title}</h1>\n<p>{condition}</p>\n");
        assert!(board.contains(&head), "{flags}: {head}\n{board}");
        assert!(board.contains(&format!("<p>{list}")), "{flags}: {board}");
    }
}

#[test]
fn pairs_that_are_different_are_the_nearest_only_if_these_are_asked_for() {
    let folder = folder("different");
    let words = (1..40).map(|word| format!("grove{word}")).collect::<Vec<_>>().join(" ");
    fs::write(folder.join("texts/greta.txt"), format!("flint0 {words}")).unwrap();
    #[rustfmt::skip]
    let table = [
        ("--nearest 1",          "nearest",   "The nearest of the other texts"),
        ("--at-least different", "different", "Reach no limit"),
    ];
    for (flags, id, heading) in table {
        let line = format!("corpus texts/frida.txt texts/greta.txt --quiet {flags} --report -");
        let board = run(&folder, &line).output;
        let start = format!("<h2 id=\"{id}-heading\">{heading}</h2>\n");
        assert!(board.contains(&start), "{flags}: {board}");
        assert_eq!(board.matches("<tr id=\"row-").count(), 1, "{flags}");
    }
}

#[test]
fn a_board_of_failures_says_that_nothing_was_compared() {
    let folder = folder("failures");
    let board = run(&folder, "corpus texts/hanna.txt texts/greta.txt --min 3 -q --report -");
    assert_eq!(board.status, 2);
    let board = board.output;
    assert!(board.contains("<h1>Nothing was compared</h1>\n<ul class=\"figures\">"), "{board}");
    assert!(board.contains("<strong>0</strong> texts compared</li>"), "{board}");
    assert!(!board.contains("No two texts") && !board.contains("#read-first"), "{board}");
}

#[test]
fn a_report_changes_neither_the_answer_nor_its_status() {
    let folder = folder("answer");
    for flags in [
        "",
        "--clusters",
        "--keep longest --format paths",
        "--nearest 2",
        "--fail-on partial",
        "--format paths --at-least identical",
    ] {
        let line = format!("corpus texts --min 3 {flags}");
        let plain = run(&folder, &line);
        for to in ["out", "out.html"] {
            let more = run(&folder, &format!("{line} --report {to}"));
            assert_eq!((&plain.output, plain.status), (&more.output, more.status), "{flags}");
        }
    }
    let page = run(&folder, "corpus texts --min 3 --quiet --report -").output;
    let both = run(&folder, "corpus texts --min 3 --report -").output;
    assert_eq!(both, page.clone() + &run(&folder, "corpus texts --min 3").output);
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn of_very_many_pairs_the_closest_are_shown() {
    let folder = folder("many");
    let texts = folder.join("many");
    fs::create_dir(&texts).unwrap();
    let shared = (0..30).map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ");
    for text in 0..142 {
        fs::write(texts.join(format!("{text}.txt")), format!("{shared} own{text}")).unwrap();
    }
    let run = run(&folder, "corpus many --quiet --report out");
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    let index = read_file(folder.join("out/index.html"));
    // 142 · 141 / 2 pairs.
    assert!(index.contains("<p>The first 10,000 of 10,011 pairs are listed; --format jsonl"));
    assert!(index.contains("<p>The first 500 of 10,011 pairs open side by side.</p>"));
    assert_eq!(index.matches("<tr id=\"row-").count(), 10_000);
    assert_eq!(names(&folder.join("out/pairs")).len(), 500);
    assert!(index.contains("<summary>The other 132 texts</summary>"));
    assert!(index.contains("href=\"pairs/0500.html\">") && !index.contains("pairs/0501.html"));
}

#[test]
fn nothing_is_replaced_but_an_earlier_report() {
    let folder = folder("replaced");
    let before = written(&folder, "", "out");
    assert!(before == written(&folder, "", "out"));
    fs::create_dir(folder.join("empty")).unwrap();
    assert!(before == written(&folder, "", "empty"));
    fs::write(folder.join("out/notes.txt"), "mine").unwrap();
    let hint = "name another folder, or one page, such as report.html";
    for (to, found) in [
        ("texts", "is a folder with other files"),
        ("out", "is a folder with other files"),
        (".", "is a folder with other files"),
        ("texts/anna.txt", "is a file"),
    ] {
        let run = run(&folder, &format!("corpus texts --report {to}"));
        let wanted = "expected a new folder, an empty one or an earlier report";
        let want = format!("dedup: {to}: {found}, {wanted}\nhint: {hint}\n");
        // It is reported before anything is compared.
        assert_eq!((run.errors, run.output.as_str(), run.status), (want, "", 2), "{to}");
    }
    assert_eq!(names(&folder), ["empty", "out", "texts"]);
    assert_eq!(names(&folder.join("out")), [".dedup-report", "index.html", "notes.txt", "pairs"]);
}

#[test]
fn an_earlier_report_is_no_text_of_the_corpus() {
    let folder = folder("among_texts");
    for (line, to) in [
        ("corpus . --report out", "out/index.html"),
        ("corpus texts --report texts/out", "texts/out/index.html"),
        ("corpus texts/../texts --report ./texts/out.html", "texts/out.html"),
    ] {
        run(&folder, line);
        let first = read_file(folder.join(to));
        assert!(first.contains("among 7 texts</title>"), "{line}");
        run(&folder, line);
        assert!(first == read_file(folder.join(to)), "{line}");
        let report = to.strip_suffix("/index.html").unwrap_or(to);
        let _ = fs::remove_dir_all(folder.join(report))
            .or_else(|_| fs::remove_file(folder.join(report)));
    }
}

#[test]
fn bad_usage_and_failed_writes_are_errors() {
    let folder = folder("trouble");
    let table = [
        ("--report b.pdf", "dedup: --report b.pdf: a document, expected a folder or FILE.html"),
        ("--report no/out", "dedup: no/out: cannot be written: no such folder"),
        ("--report no/out.html", "dedup: no/out.html: cannot be written: no such folder"),
        (
            "--report a --passages off",
            "dedup: --passages off and --report together, expected one of them",
        ),
        (
            "--report b.html --format json=b.html",
            "dedup: --report b.html: is also --format json=b.html, expected a separate file",
        ),
        (
            "--report a --format json=./a/pairs.json",
            "dedup: --format json=./a/pairs.json: in the folder of --report, expected a file outside",
        ),
        (
            "--report ./a --baseline a/accepted.txt --update-baseline",
            "dedup: --baseline a/accepted.txt: in the folder of --report, expected a file outside",
        ),
        ("--anonymous", "dedup: the following required arguments were not provided:"),
    ];
    for (flags, want) in table {
        let run = run(&folder, &format!("corpus texts/anna.txt texts/berta.txt {flags}"));
        assert_eq!((run.errors.lines().next(), run.status), (Some(want), 2), "{flags}");
    }
    assert_eq!(names(&folder), ["texts"]);
}

#[cfg(unix)]
mod unix;
