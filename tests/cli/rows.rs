//! The answer for people lists the closest pairs, always with the same columns, and counts the rest.

use crate::common::{empty_folder, read_file, run, with_input, words};

/// Writes texts that share all but their last words, so that every two of them are a pair.
fn texts(name: &str, count: usize) -> std::path::PathBuf {
    let folder = empty_folder("rows", name);
    for text in 0..count {
        let own = format!("own{text} ").repeat(1 + text % 3);
        let content = format!("{} {} {own}", words(0), words(8));
        std::fs::write(folder.join(format!("t{text:03}.txt")), content).unwrap();
    }
    folder
}

#[test]
fn the_closest_hundred_pairs_are_listed_and_the_rest_are_counted() {
    let folder = texts("few", 16); // 120 pairs
    #[rustfmt::skip]
    let table = [
        ("by default", "",            100, "and 20 more pairs: --rows all lists them, --format csv writes them\n"),
        ("fewer",      "--rows 5",    5,   "and 115 more pairs: --rows all lists them, --format csv writes them\n"),
        ("none",       "--rows 0",    0,   "120 more pairs: --rows all lists them, --format csv writes them\n"),
        ("all but one", "--rows 119", 119, "and 1 more pair: --rows all lists them, --format csv writes them\n"),
        ("all",        "--rows all",  120, ""),
        ("more",       "--rows 121",  120, ""),
    ];
    let all = run(&folder, "corpus . --lang none --rows all").output;
    let rows = |output: &str| -> Vec<String> {
        output.lines().filter(|it| it.contains(".txt | ")).map(str::to_owned).collect()
    };
    for (why, flags, listed, more) in table {
        let found = run(&folder, &format!("corpus . --lang none {flags}"));
        assert_eq!(rows(&found.output), rows(&all)[..listed], "{why}");
        let end = format!("{more}120 pairs near-duplicate or closer\n16 texts compared\n");
        assert!(found.output.ends_with(&end), "{why}: {}", found.output);
        assert_eq!(found.status, 0, "{why}: {}", found.errors);
    }
    let wrong = run(&folder, "corpus . --rows some");
    assert!(wrong.errors.contains("expected a whole number of pairs, or all"), "{}", wrong.errors);
    let nearest = run(&folder, "corpus . --lang none --nearest 2 --rows 3");
    assert!(nearest.output.contains("\nand 29 more pairs: "), "{}", nearest.output);
    assert_eq!(rows(&nearest.output).len(), 3);
}

/// Reports whether a line says what half of the texts share, which stands first.
fn is_before_rows(line: &&str) -> bool {
    line.starts_with("Sheet ") || line.starts_with("  ")
}

#[test]
fn more_pairs_do_not_change_the_columns() {
    let (few, many) = (texts("columns", 4), texts("many", 150)); // 11,175 pairs
    let head = |folder, flags: &str| {
        let found = run(folder, &format!("corpus . --lang none --rows 2 {flags}"));
        let rows = found.output.lines().skip_while(is_before_rows);
        rows.take(2).map(|line| line[..13].to_owned()).collect::<Vec<_>>()
    };
    let shared = ["shared       ".to_owned(), " 94 |  94 %  ".to_owned()];
    assert_eq!(head(&few, ""), shared);
    assert_eq!(head(&many, ""), shared);
    assert_eq!(head(&few, "--fail-on near-duplicate"), shared, "the texts are read again");
    let figures = head(&few, "--passages off");
    assert!(figures[0] == "Jaccard  Hamm" && figures[1].starts_with("0.8823 "), "{figures:?}");
    // The closest by verdict and Jaccard index are listed, whichever other outputs there are.
    let listed = run(&many, "corpus . --lang none --rows 2").output;
    let flags = "--rows 2 --format text=../a.out --format csv";
    let csv = run(&many, &format!("corpus . --lang none {flags}")).output;
    assert_eq!(csv.lines().count(), 1 + 11_175);
    let beside = read_file(many.join("../a.out"));
    let rows = |text: &str| {
        text.lines().skip_while(is_before_rows).take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&beside), rows(&listed));
    // Records of a pipe are not kept, and cannot be read again.
    let record =
        |id: usize, end: &str| format!("{{\"id\":{id},\"text\":\"{} {end}\"}}\n", words(0));
    let records = record(1, "a") + &record(2, "b") + &record(3, "a");
    let found = with_input(&few, "corpus --jsonl - --lang none", records);
    assert_eq!(
        found.output,
        "shared       verdict         left | right\n\
         100 | 100 %  identical       1 | 3\n  \
           ?          near-duplicate  1 | 2\n  \
           ?          near-duplicate  2 | 3\n\
         ?: texts that cannot be read again; --passages on keeps them\n\
         3 pairs near-duplicate or closer; --at-least excerpt finds smaller shares\n\
         3 texts compared\n"
    );
}
