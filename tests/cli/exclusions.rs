//! Tests of excluded parts, as users ask for them.

use serde_json::{Value, json};

use crate::common::{dedup, empty_folder, in_folder, read_file, run};

const LEFT: &str = "The ferry runs from April to the first storm of October.\n\n\
    As the poet says, “all rivers run into the sea, and none returns from it”.\n\n\
    References\n\nDoe, J.: Rivers of the north. 1999.\n";
const RIGHT: &str = "The ferry runs from April to the first storm of October.\n\n\
    As the poet says, “whoever crosses twice has paid for both ways”.\n";

#[test]
fn quotations_and_references_can_be_left_out() {
    let files = [("left.txt", LEFT.as_bytes()), ("right.txt", RIGHT.as_bytes())];
    let record = |flags: &str| -> Value {
        let line = format!("left.txt right.txt --format json {flags}");
        let run = in_folder("exclusions", &files, &line);
        assert_eq!(run.errors, "", "{flags}");
        serde_json::from_str(&run.output).unwrap()
    };
    let all = record("");
    assert_ne!(all["verdict"], "identical");
    assert_eq!((&all["a"]["excluded"], &all["b"]["excluded"]), (&json!([]), &json!([])));
    let left = record("--ignore quotes,bibliography");
    assert_eq!(left["verdict"], "identical");
    assert_eq!(
        left["a"]["excluded"],
        json!([
            {"why": "quotes", "parts": 1, "words": 11},
            {"why": "bibliography", "parts": 1, "words": 8},
        ])
    );
    assert_eq!(left["b"]["excluded"], json!([{"why": "quotes", "parts": 1, "words": 8}]));
    assert_eq!(left["a"]["words"], 15);
    assert_eq!(record("--ignore quotes --ignore bibliography"), left);

    let line = "left.txt right.txt --ignore bibliography,quotes";
    let run = in_folder("exclusions", &files, line).output;
    let answer = "IDENTICAL: left.txt and right.txt have the same words in the same order in what\nis left\n";
    assert!(run.starts_with(answer), "{run}");
    assert!(
        run.contains("\nLeft out     19 words (quotes 11, bibliography 8) of left.txt\n"),
        "{run}"
    );
    assert!(run.contains("\nLeft out     8 words (quotes 8) of right.txt\n"), "{run}");
    let run = in_folder("exclusions", &files, &format!("{line} --details")).output;
    assert!(run.contains("19 words left out (quotes 11, bibliography 8); 15 words"));
    assert!(run.ends_with("IDENTICAL: the same words in the same order in what is left\n"));
}

/// The essays are German. What is left out of them is English and longer, so that each text as a
/// whole is in another language, or in doubt.
#[test]
fn the_language_is_that_of_what_is_left_on_every_road() {
    let sample = |name: &str| read_file(format!("samples/{name}.txt"));
    let [sheet, others] = [sample("layout_1"), sample("one_in_hundred_1")];
    let essays = [sample("rewritten_1"), sample("rewritten_2"), sample("moved_1")];
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let english = line(&format!("{sheet} {others}")).replace('"', "");
    #[rustfmt::skip]
    let table = [
        ("a template",      "--template ../sheet.txt", format!("{english}\n\n"),                  String::new()),
        ("what many share", "--template-share 0.7",    format!("{english}\n\n"),                  String::new()),
        ("a quotation",     "--ignore quotes",         format!("“{english}”\n\n"),                String::new()),
        ("references",      "--ignore bibliography",   String::new(), format!("\n\nReferences\n\n{english}\n")),
        ("what is marked",  "--ignore marked",
            format!("dedup: ignore-start\n{english}\ndedup: ignore-end\n"),                      String::new()),
    ];
    let folder = empty_folder("exclusions", "languages");
    let put = |name: &str, content: &str| std::fs::write(folder.join(name), content).unwrap();
    let records = |inner: &str, line: &str| -> Vec<Value> {
        let run = run(&folder.join(inner), &format!("{line} --format jsonl --passages on"));
        assert_ne!(run.status, 2, "{line}: {}", run.errors);
        run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for inner in ["new", "old", "own"] {
        std::fs::create_dir(folder.join(inner)).unwrap();
    }
    put("sheet.txt", &english);
    put("own/a.txt", &essays[0]);
    put("own/b.txt", &essays[1]);
    let own = &records("own", "a.txt b.txt")[0];
    assert_eq!(own["a"]["language"]["by"], "detected");
    for (why, flags, before, after) in table {
        for (name, essay) in ["new/a.txt", "old/b.txt", "new/c.txt"].iter().zip(&essays) {
            put(name, &format!("{before}{essay}{after}"));
        }
        let mut roads = vec![format!("corpus ../new ../old --at-least different {flags}")];
        if why != "what many share" {
            let _ = std::fs::remove_file(folder.join("old.dedup"));
            assert_eq!(
                run(
                    &folder.join("new"),
                    &format!("index build ../old -o ../old.dedup --with-texts {flags}")
                )
                .status,
                0
            );
            roads.push(format!("../new/a.txt ../old/b.txt {flags}"));
            roads.push(format!("corpus ../new --against ../old --at-least different {flags}"));
            roads.push(format!("corpus ../new --against ../old.dedup --at-least excerpt {flags}"));
        }
        for road in roads {
            let all = records("new", &road);
            let is_pair = |it: &&Value| {
                let names = [&it["a"]["path"], &it["b"]["path"]];
                names.iter().all(|name| !name.as_str().unwrap().ends_with("c.txt"))
            };
            let pair = all.iter().find(is_pair).unwrap_or_else(|| panic!("{why}: {road}"));
            for field in ["verdict", "measures", "warnings"] {
                let found = match field {
                    // That much is left out is a warning, too.
                    "warnings" => pair[field]
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter(|it| it["code"] != "left-out")
                        .cloned()
                        .collect(),
                    _ => pair[field].clone(),
                };
                assert_eq!(found, own[field], "{why}: {road}");
            }
            for side in ["a", "b"] {
                assert_eq!(pair[side]["language"]["code"], "deu", "{why}: {road}");
                assert_eq!(pair[side]["language"]["by"], "detected", "{why}: {road}");
            }
        }
    }
}

/// A third is not more than a third.
#[test]
fn texts_of_which_more_than_a_third_is_left_out_are_named_in_every_output() {
    let kept = |words: usize| "kettle ".repeat(words);
    let quote = |words: usize| format!("“{}spoon”", "copper ".repeat(words - 1));
    let text = |rest, quoted| format!("{}\n\n{}\n", kept(rest), quote(quoted));
    let references = format!("{}\n\nReferences\n\n{}\n", kept(20), "Doe ".repeat(9));
    let files = [
        ("third.txt", text(20, 10)),
        ("more.txt", text(20, 11)),
        ("both.txt", format!("{}\n{references}", quote(5))),
    ];
    let files = files.each_ref().map(|(name, content)| (*name, content.as_bytes()));
    let run = |line: &str| in_folder("exclusions", &files, line);
    let flags = "--ignore quotes,bibliography --lang none";
    let [more, both] = [
        "11 of 31 words left out (quotes 11)",
        "15 of 35 words left out (quotes 5, bibliography 10)",
    ];
    let listed = format!("  ./both.txt: {both}\n  ./more.txt: {more}\n");
    let page = run(&format!("corpus . {flags}")).output;
    let title = "\nCompared without more than a third of their words:\n";
    assert!(page.contains(&format!("{title}{listed}")), "{page}");
    let object: Value =
        serde_json::from_str(&run(&format!("corpus . {flags} --format json")).output).unwrap();
    let want = json!([{"name": "./both.txt", "remarks": [both]}, {"name": "./more.txt", "remarks": [more]}]);
    assert_eq!(object["left_out"], want);
    for format in ["markdown", "csv"] {
        let page = run(&format!("corpus . {flags} --format {format}")).output;
        assert!([more, both].iter().all(|it| page.contains(it)), "{page}");
        assert!(!page.contains("10 of 30"), "{page}");
    }
    let board = run(&format!("corpus . {flags} --quiet --report - --at-least different")).output;
    assert!([more, both].iter().all(|it| board.contains(it)), "{board}");
    let object = run(&format!("corpus . {flags} --format json --template third.txt")).output;
    assert!(!object.contains("third.txt\",\"remarks"), "{object}");
    let pair: Value =
        serde_json::from_str(&run(&format!("third.txt more.txt {flags} --format json")).output)
            .unwrap();
    let warnings: Vec<[&Value; 3]> = pair["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| [&it["code"], &it["file"], &it["text"]])
        .collect();
    let want = [&json!("left-out"), &json!("b"), &json!(format!("the right text has {more}"))];
    assert_eq!(warnings, [want]);
    let page = run(&format!("third.txt more.txt {flags}")).output;
    assert!(page.contains(&format!("the right text has {more}")), "{page}");
}

#[test]
fn the_report_says_what_does_not_count() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("left_out_report");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("left.txt"), LEFT).unwrap();
    std::fs::write(folder.join("right.txt"), RIGHT).unwrap();
    let page = |left: &str, right: &str, flags: &[&str]| {
        let report = folder.join("report.html");
        let files = [left, right, "--quiet", "--report", report.to_str().unwrap()];
        let run = dedup(&[&files, flags].concat());
        assert_eq!(run.errors, "", "{flags:?}");
        read_file(report)
    };
    let [left, right] = ["left.txt", "right.txt"].map(|name| folder.join(name));
    let (left, right) = (left.to_str().unwrap(), right.to_str().unwrap());
    let written = page(left, right, &["--ignore", "quotes,bibliography"]);
    for item in [
        "<li>Left text, quotes: 11 words in 1 part</li>",
        "<li>Left text, bibliography: 8 words in 1 part</li>",
        "<li>Right text, quotes: 8 words in 1 part</li>",
    ] {
        assert!(written.contains(item), "{item}");
    }
    assert!(!page(left, right, &[]).contains("id=\"left-out\""));

    // Three passages of 14 to 16 words, too far apart to be one.
    let words = |name: &str, count: usize| {
        (0..count).fold(String::new(), |words, number| words + &format!("{name}{number} "))
    };
    let text = |own: &str| {
        let part = |(name, count)| words(name, count) + &words(&format!("{own}{name}"), 90);
        [("a", 14), ("b", 15), ("c", 16), ("d", 30)].map(part).concat()
    };
    let texts = ["x", "y"].map(|own| {
        let path = folder.join(own).with_extension("txt");
        std::fs::write(&path, text(own)).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let texts = texts.each_ref().map(String::as_str);
    let record = dedup(&[&texts[..], &["--format", "json", "--ignore", "short=22"]].concat());
    let short = serde_json::from_str::<Value>(&record.output).unwrap()["short"].clone();
    assert_eq!((&short["passages"], &short["words"]), (&3.into(), &45.into()));
    let written = page(texts[0], texts[1], &["--ignore", "short=22"]);
    let item = format!(
        "<li>Both texts, short: {} passages of fewer than 22 words, {} words in all</li>",
        short["passages"], short["words"]
    );
    assert!(written.contains(&item), "{item}");
}

#[test]
fn block_quotations_of_markdown_are_quotations() {
    let source =
        "A kettle of copper.\n\n> Somebody else’s words stand here.\n> And here.\n\nThe end.\n";
    let own = "A kettle of copper. The end.";
    let files = [("a.md", source.as_bytes()), ("b.txt", own.as_bytes())];
    let run = in_folder("block_quotes", &files, "a.md b.txt --ignore quotes");
    let answer =
        "IDENTICAL: a.md and b.txt have the same words in the same order in what is left\n";
    assert!(run.output.starts_with(answer), "{}", run.output);
}

#[test]
fn block_quotations_of_web_pages_are_quotations() {
    // Removing the disguise before the quotation moves it in the text.
    let page = "<!doctype html><body><p>A ket\u{200b}tle of cop\u{200b}per.</p>\
        <blockquote><p>Somebody else’s words.</p><p>And more.</p></blockquote><p>The end.</p>";
    let own = "A kettle of copper. The end.";
    let files = [("a.html", page.as_bytes()), ("b.txt", own.as_bytes())];
    for more in ["", "--html all"] {
        let line = format!("a.html b.txt --ignore quotes --format json {more}");
        let run = in_folder("page_quotes", &files, &line);
        let record: Value = serde_json::from_str(&run.output).unwrap();
        assert_eq!(record["verdict"], "identical", "{more}");
        let want = json!([{"why": "quotes", "parts": 1, "words": 5}]);
        assert_eq!(record["a"]["excluded"], want, "{more}");
    }
}

/// LaTeX prints the heading of the list, so that it is not in the file.
#[test]
fn the_list_of_references_of_latex_is_one_without_a_heading() {
    let source = "\\documentclass{article}\\begin{document}A ket\u{200b}tle of copper.\n\
        \\begin{thebibliography}{9}\n\\bibitem{a} Doe, J. A lid. 2001.\n\
        \\bibitem{b} Roe, J. A spout. 2002.\n\\end{thebibliography}\nThe end.\\end{document}\n";
    let files = [("a.tex", source.as_bytes()), ("b.txt", b"A kettle of copper. The end.")];
    let line = "a.tex b.txt --ignore bibliography --format json";
    let record: Value =
        serde_json::from_str(&in_folder("references", &files, line).output).unwrap();
    assert_eq!(record["verdict"], "identical");
    let want = json!([{"why": "bibliography", "parts": 1, "words": 10}]);
    assert_eq!(record["a"]["excluded"], want);
}

#[test]
fn short_passages_can_be_set_apart() {
    let record = |flags: &[&str]| -> Value {
        let files = ["samples/rewritten_1.txt", "samples/rewritten_2.txt", "--format", "json"];
        let run = dedup(&[&files, flags].concat());
        serde_json::from_str(&run.output).unwrap_or_else(|_| panic!("{}", run.errors))
    };
    let all = record(&[]);
    let words = |record: &Value| -> Vec<u64> {
        let matches = record["matches"].as_array().unwrap();
        matches.iter().map(|found| found["words"].as_u64().unwrap()).collect()
    };
    for (flags, below) in [
        (&["--ignore", "short"][..], 20),
        (&["--ignore", "short=21"], 21),
        (&["--ignore", "short=22,quotes"], 22),
        (&["--ignore", "short,short=22"], 22),
        (&["--ignore", "short=1000"], 1000),
        (&["--ignore", "short=1"], 1),
    ] {
        let mut kept = record(flags);
        let (long, short): (Vec<u64>, Vec<u64>) =
            words(&all).into_iter().partition(|words| *words >= below);
        assert_eq!(words(&kept), long, "{flags:?}");
        let want =
            json!({"below": below, "passages": short.len(), "words": short.iter().sum::<u64>()});
        assert_eq!(kept["short"], want, "{flags:?}");
        // All of them are exact.
        assert_eq!(kept["coverage"]["words_a"], long.iter().sum::<u64>());
        assert_eq!(kept["coverage"]["longest"], long.iter().max().copied().unwrap_or_default());
        let mut figures = all.clone();
        // Passages that are listed separately do not affect the figures.
        for field in ["matches", "coverage", "short", "verdict", "decided_by", "meaning"] {
            kept.as_object_mut().unwrap().remove(field);
            figures.as_object_mut().unwrap().remove(field);
        }
        assert_eq!(kept, figures, "{flags:?}");
    }
    assert_eq!(all.get("short"), None);
    for typed in ["short=0", "short=", "short=many", "short=-1"] {
        let run = dedup(&["a", "b", "--ignore", typed]);
        let want = format!(
            "dedup: invalid value '{typed}' for '--ignore <WHAT>': expected short=WORDS with a \
             whole number, at least 1\n"
        );
        assert!(run.errors.starts_with(&want), "{}", run.errors);
    }
}

#[test]
fn too_little_left_is_an_error() {
    let files = [
        ("a.txt", &b"\"one two three four five\""[..]),
        ("b.txt", &b"copper kettle lid\n> copper\n"[..]),
    ];
    let run = in_folder("nothing_left", &files, "a.txt b.txt --ignore quotes");
    assert_eq!(
        run.errors.lines().next(),
        Some("dedup: a.txt: all its words are left out, expected a text with words")
    );
    // What is left out has no words either.
    let marked = b"<!-- dedup: ignore-start -->\n!!!\n<!-- dedup: ignore-end -->\n";
    let run =
        in_folder("nothing_left", &[("d.md", &marked[..]), files[1]], "d.md b.txt --ignore marked");
    let want = "dedup: d.md: no words, expected a text with words";
    assert_eq!(run.errors.lines().next(), Some(want));
    let run = in_folder("nothing_left", &files, "b.txt b.txt --ignore quotes --min 4 --max 4");
    assert_eq!(run.status, 0, "identical in what is left");
    let run = in_folder(
        "nothing_left",
        &[files[1], ("c.txt", &b"a kettle of iron and wood and copper"[..])],
        "b.txt c.txt --ignore quotes --min 4 --max 4",
    );
    assert_eq!(
        run.errors,
        "dedup: b.txt: too short: 3 of 3 words left after stop words (1 left out), expected at \
         least 4\nhint: leave out --ignore and --template to compare all words\n"
    );
    let run = in_folder("nothing_left", &files, "a.txt b.txt --ignore notes");
    assert!(
        run.errors.contains("expected quotes, bibliography, marked, short or short=WORDS"),
        "{}",
        run.errors
    );
}
