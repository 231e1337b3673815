//! Tests of passages in several texts: each is one finding with all its places, in every export.

use serde_json::Value;

use crate::common::{Run, empty_folder, read_file, run};

/// Returns `count` words that are in no other text.
fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
}

/// Runs a command in a folder with six pages of their own words, each with the same paragraph of twenty
/// words in line 3; the first two share another one in line 5.
fn of_six(line: &str) -> Run {
    let folder = empty_folder("findings", "six");
    for page in 1..=6 {
        let own = words(&format!("own{page}x"), 200);
        let other = if page <= 2 { words("other", 15) } else { String::new() };
        let content = format!("{own}\n\n{}\n\n{other}\n", words("shared", 20));
        std::fs::write(folder.join(format!("{page}.md")), content).unwrap();
    }
    run(&folder, &format!("{line} --lang none"))
}

#[test]
fn a_paragraph_in_six_texts_is_one_finding() {
    let answer = of_six("corpus . --at-least excerpt").output;
    let want = "shared       verdict         left | right
 14 |  14 %  excerpt         ./1.md | ./2.md
In 6 texts: 20 words, word for word: \"shared0 shared1 shared2 shared3 shared4
  shared5 shared6 shared7 shared8 shared9…\"
  ./1.md, line 3; ./2.md, line 3; ./3.md, line 3; and 3 more places
14 excerpts share only what more than two texts have: --rows all lists them
15 pairs excerpt or closer
6 texts compared
";
    assert_eq!(answer, want);
    let all = of_six("corpus . --at-least excerpt --rows all").output;
    assert_eq!(all.matches("  excerpt  ").count(), 15, "{all}");

    let nearest = of_six("corpus . --at-least excerpt --nearest 1").output;
    assert_eq!(nearest.matches("  excerpt  ").count(), 6, "{nearest}");

    let sarif: Value =
        serde_json::from_str(&of_six("check . --at-least excerpt --format sarif").output).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let sizes = |it: &Value| {
        let (properties, related) = (&it["properties"], it["relatedLocations"].as_array().unwrap());
        [&properties["texts"], &properties["places"], &properties["words"], &related.len().into()]
            .map(|size| size.as_u64().unwrap())
    };
    assert_eq!(results.iter().map(sizes).collect::<Vec<_>>(), [[2, 2, 35, 1], [6, 6, 20, 5]]);
    let message = results[1]["message"]["text"].as_str().unwrap();
    assert!(message.ends_with("; [6.md, line 3](5)."), "{message}");

    let gitlab: Value =
        serde_json::from_str(&of_six("check . --at-least excerpt --format gitlab").output).unwrap();
    assert_eq!(gitlab.as_array().unwrap().len(), 2, "{gitlab}");

    let github = of_six("check . --at-least excerpt --format github").output;
    assert_eq!(github.lines().filter(|line| line.starts_with("::error ")).count(), 2, "{github}");
    assert!(github.ends_with("dedup: 15 pairs excerpt or closer, 2 findings; 6 texts compared\n"));

    let junit = of_six("check . --at-least excerpt --format junit").output;
    assert_eq!(junit.matches("line 3: 20 words here also occur in ").count(), 6, "{junit}");
    assert!(
        junit.contains("in 2.md, line 3; 3.md, line 3; 4.md, line 3; 5.md, line 3; 6.md, line 3\n")
    );

    let markdown = of_six("check . --at-least excerpt --format markdown").output;
    let section =
        "\n### `1.md`, `2.md` and 4 more texts\n\n- 20 words, word for word; `1.md`, line 3; ";
    assert!(markdown.contains(section), "{markdown}");
    assert_eq!(markdown.matches("\n| excerpt |").count(), 15, "{markdown}");

    let folder = empty_folder("findings", "board");
    let board = folder.join("board.html");
    of_six(&format!("corpus . --quiet --report {}", board.display()));
    let board = read_file(board);
    let line = "<li>In 6 texts: 20 words, word for word: &#34;shared0 ";
    assert_eq!(board.matches(line).count(), 1);
}

/// Whole copies are pairs of the answer, however many there are.
#[test]
fn copies_of_whole_texts_are_listed_as_pairs() {
    let folder = empty_folder("findings", "copies");
    for page in 1..=3 {
        std::fs::write(folder.join(format!("{page}.md")), words("shared", 40)).unwrap();
    }
    let answer = run(&folder, "corpus . --lang none").output;
    assert_eq!(answer.matches("  identical  ").count(), 3, "{answer}");
    assert!(!answer.contains("In 3 texts"), "{answer}");
}
