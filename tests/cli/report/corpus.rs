//! `dedup corpus --report`: the folder and the file, what they hold, what they replace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::{HOSTILE, inside, names, run};
use crate::common::golden;

/// A folder made anew for one test, with texts in a folder of their own: three that hang
/// together, two that are the same, one alone, one too short and one that is broken.
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

/// Every file of a report by its name in it.
fn written(folder: &Path, flags: &str, to: &str) -> BTreeMap<String, String> {
    let run = run(folder, &format!("{CORPUS} {flags} --report {to}"));
    assert_eq!((run.output.as_str(), run.status), ("", 2), "{}", run.errors);
    let report = folder.join(to);
    if report.is_file() {
        return BTreeMap::from([(to.to_owned(), golden(report))]);
    }
    let pages = names(&report.join("pairs")).into_iter().map(|name| format!("pairs/{name}"));
    let files = names(&report).into_iter().filter(|name| name != "pairs").chain(pages);
    files.map(|name| (name.clone(), golden(report.join(name)))).collect()
}

#[test]
fn a_folder_has_an_overview_and_a_page_for_each_pair() {
    let files = written(&folder("pages"), "", "out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    #[rustfmt::skip]
    let want = [".dedup-report", "index.html", "pairs/0001.html", "pairs/0002.html", "pairs/0003.html", "pairs/0004.html"];
    assert_eq!(names, want);
    let index = &files["index.html"];
    assert!(index.contains("<title>4 pairs among 6 texts</title>"));
    assert!(index.contains("<h2 id=\"not-compared\">Not compared</h2>"));
    assert!(index.contains("<li>texts/hanna.txt: "));
    assert!(index.contains("<h2 id=\"disguised\">Disguised</h2>"));
    assert!(index.contains("<li>texts/anna.txt: 1 word turned round by a control"));
    for (number, page) in (1..=4).zip(&want[2..]) {
        let page = &files[*page];
        assert!(index.contains(&format!("<a href=\"pairs/{number:04}.html\">{number}</a>")));
        assert!(page.contains(&format!("<a href=\"../index.html#row-{number}\" rel=\"up\">")));
        assert!(page.contains(&format!("Pair {number} of 4")));
        assert_eq!(page.contains("rel=\"prev\""), number > 1);
        assert_eq!(page.contains("rel=\"next\""), number < 4);
    }
    assert!(files["pairs/0001.html"].contains("<bdi>texts/doris.txt</bdi>"));
    assert!(files["pairs/0001.html"].contains("rel=\"next\">Next pair"));
}

/// A pair's page is the report of the two texts by themselves, but for the way to the others.
#[test]
fn a_page_is_the_report_of_the_pair() {
    let folder = folder("same_as_pair");
    let files = written(&folder, "", "out");
    let pair = "texts/anna.txt texts/berta.txt --quiet --min 3 --max 3 --report pair.html";
    assert_eq!(run(&folder, pair).status, 0);
    let alone = golden(folder.join("pair.html"));
    let page = files.values().find(|page| page.contains(": texts/anna.txt and texts/b")).unwrap();
    let nav = page.split("<nav").nth(1).and_then(|rest| rest.split("</nav>\n").next()).unwrap();
    let among = page.replace(&format!("<nav{nav}</nav>\n"), "");
    let keys = "<label><input type=\"checkbox\" id=\"keys\" checked> keys n and p</label>\n";
    // By itself a pair is read in one language where both are in doubt.
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
            assert!(name == ".dedup-report" || page.contains("<bdi>text "), "{name}");
        }
    }
}

#[test]
fn the_report_is_of_what_is_asked_for() {
    let folder = folder("asked");
    #[rustfmt::skip]
    let table = [
        ("--at-least identical",                     "4 pairs among 6 texts", "All pairs that share anything, the greatest share first."),
        ("--fail-on near-duplicate",                 "4 pairs among 6 texts", "All pairs that share anything, the greatest share first."),
        ("--nearest 1",                              "3 pairs among 6 texts", "The nearest of each text, however far."),
        ("--clusters",                               "4 pairs among 6 texts", "All pairs that are near-duplicate or closer."),
        ("--keep first --format paths=kept",         "4 pairs among 6 texts", "All pairs that are near-duplicate or closer."),
        ("--jaccard off --hamming off --containment off", "4 pairs among 6 texts", "All pairs that share anything, the greatest share first."),
    ];
    for (flags, title, condition) in table {
        let page = &written(&folder, flags, "out.html")["out.html"];
        assert!(page.contains(&format!("<h1>{title}</h1>\n<p>{condition}</p>")), "{flags}");
        let rows = page.matches("<tr id=\"row-").count();
        assert_eq!(Some(rows), title.split(' ').next().and_then(|count| count.parse().ok()));
    }
    let alone = run(&folder, "corpus texts/frida.txt texts/anna.txt --report alone.html");
    assert_eq!((alone.errors.as_str(), alone.status), ("dedup: report: alone.html\n", 1));
    assert!(golden(folder.join("alone.html")).contains("<p>No pair was found.</p>"));
}

#[test]
fn a_report_changes_neither_the_answer_nor_its_status() {
    let folder = folder("answer");
    for flags in
        ["", "--clusters", "--keep longest --format paths", "--nearest 2", "--fail-on partial"]
    {
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
    let index = golden(folder.join("out/index.html"));
    // 142 · 141 / 2 pairs.
    assert!(index.contains("<p>The closest pairs: 10,000 of 10,011. With --format jsonl"));
    assert!(index.contains("the closest 500 of 10,011."));
    assert_eq!(index.matches("<tr id=\"row-").count(), 10_000);
    assert_eq!(names(&folder.join("out/pairs")).len(), 500);
    assert!(index.contains("142 texts, 10,011 pairs. The 24 texts that are in most pairs."));
    assert!(index.contains("<a href=\"pairs/0500.html\">") && !index.contains("pairs/0501.html"));
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
        ("texts", "is a folder with other things in it"),
        ("out", "is a folder with other things in it"),
        (".", "is a folder with other things in it"),
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
        let first = golden(folder.join(to));
        assert!(first.contains("among 7 texts"), "{line}");
        run(&folder, line);
        assert!(first == golden(folder.join(to)), "{line}");
        let report = to.strip_suffix("/index.html").unwrap_or(to);
        let _ = fs::remove_dir_all(folder.join(report))
            .or_else(|_| fs::remove_file(folder.join(report)));
    }
}

#[test]
fn what_cannot_be_meant_or_written_is_trouble() {
    let folder = folder("trouble");
    #[rustfmt::skip]
    let table = [
        ("--report no/out",               "dedup: no/out: cannot be written: no such folder"),
        ("--report no/out.html",          "dedup: no/out.html: cannot be written: no such folder"),
        ("--report a --passages off",     "dedup: --passages off and --report together, expected one of them"),
        ("--report b.html --format json=b.html", "dedup: --report b.html: is --format json=b.html too, expected a file of its own"),
        ("--anonymous",                   "dedup: the following required arguments were not provided: --report <PATH>"),
    ];
    for (flags, want) in table {
        let run = run(&folder, &format!("corpus texts/anna.txt texts/berta.txt {flags}"));
        assert_eq!((run.errors.lines().next(), run.status), (Some(want), 2), "{flags}");
    }
    assert_eq!(names(&folder), ["texts"]);
}

#[cfg(unix)]
mod unix;
