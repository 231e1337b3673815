//! Checks that places in PDFs and presentations are pages and slides, in every output with places.

use std::io::Write;

use serde_json::{Value, json};

use crate::common::{Run, in_folder, zipped};
use crate::submissions::in_folder as in_units;

const FERRY: &str = "The ferry leaves the harbour at seven, and the baker who lives above the quay \
    has already sold his first loaves to the sailors when its horn is heard across the water.";
const BEES: &str = "A beekeeper counts her hives in autumn, wraps them in straw, and writes down \
    which of the queens she will replace as soon as the orchards are in flower again.";
const CLOCK: &str = "Nobody had wound the clock in the tower since the old watchmaker went to live \
    with his daughter, so the children of the village came late to school every single day.";

/// Returns a PDF with one page per text, in lines of a few words.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    for (page, content) in pages.iter().zip(5..) {
        let words: Vec<&str> = page.split(' ').collect();
        let lines = words.chunks(8).map(|words| format!("({}) '", words.join(" ")));
        let shown = lines.collect::<Vec<_>>().join("\n");
        let stream = format!("BT /F1 12 Tf 14 TL 72 720 Td\n{shown}\nET");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R\
             /Resources<</Font<</F1 3 0 R>>>>>>",
            content + (content - 5)
        ));
        objects.push(format!("<</Length {}>>stream\n{stream}\nendstream\n", stream.len()));
    }
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut starts = vec!["0000000000 65535 f \n".to_owned()];
    for (object, number) in objects.iter().zip(1..) {
        starts.push(format!("{:010} 00000 n \n", file.len()));
        writeln!(file, "{number} 0 obj{object}endobj").unwrap();
    }
    let (start, size, table) = (file.len(), starts.len(), starts.concat());
    write!(
        file,
        "xref\n0 {size}\n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF"
    )
    .unwrap();
    file
}

/// Returns a `PowerPoint` presentation with one slide per text. The files are numbered backwards,
/// as after slides were moved.
fn pptx(slides: &[&str]) -> Vec<u8> {
    let last = slides.len();
    let file = |slide: usize| last - slide;
    let ids = (0..last)
        .map(|slide| format!("<p:sldId id=\"{}\" r:id=\"rId{}\"/>", 256 + slide, file(slide)));
    let relation = |kind: &str, id: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"http://x/{kind}\" Target=\"{target}\"/>")
    };
    let named =
        |at: usize| relation("slide", &format!("rId{at}"), &format!("slides/slide{at}.xml"));
    let all = |relations: String| format!("<Relationships>{relations}</Relationships>");
    let mut parts = vec![
        ("_rels/.rels", all(relation("officeDocument", "rId1", "ppt/presentation.xml"))),
        (
            "ppt/presentation.xml",
            format!(
                "<p:presentation><p:sldIdLst>{}</p:sldIdLst></p:presentation>",
                ids.collect::<String>()
            ),
        ),
        ("ppt/_rels/presentation.xml.rels", all((1..=last).map(named).collect())),
    ]
    .into_iter()
    .map(|(name, part)| (name.to_owned(), part))
    .collect::<Vec<_>>();
    for (slide, text) in slides.iter().enumerate() {
        parts.push((
            format!("ppt/slides/slide{}.xml", file(slide)),
            format!("<p:sld><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sld>"),
        ));
    }
    zipped(&parts)
}

/// Returns an Impress presentation with one slide per text.
fn odp(slides: &[&str]) -> Vec<u8> {
    let page = |text: &&str| {
        format!(
            "<draw:page><draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame></draw:page>"
        )
    };
    let pages: String = slides.iter().map(page).collect();
    zipped(&[
        ("mimetype".to_owned(), "application/vnd.oasis.opendocument.presentation".to_owned()),
        (
            "content.xml".to_owned(),
            format!(
                "<o><office:body><office:presentation>{pages}</office:presentation></office:body></o>"
            ),
        ),
    ])
}

fn run(line: &str) -> Run {
    let tail = format!("{FERRY}\n{BEES}\n");
    in_folder(
        "pages",
        &[
            ("olga.pdf", &pdf(&["Nothing of note.", FERRY, BEES])),
            ("olga.pptx", &pptx(&["Nothing of note.", CLOCK, FERRY, BEES])),
            ("olga.odp", &odp(&["Nothing of note.", "", CLOCK, FERRY])),
            ("felix.txt", tail.as_bytes()),
            ("clock.txt", CLOCK.as_bytes()),
        ],
        line,
    )
}

/// Returns the passages of a run that printed text.
fn passages(line: &str) -> String {
    let Run { output, errors, .. } = run(line);
    assert_eq!(errors, "");
    output[output.find("passage 1").unwrap()..output.find("\nHamming").unwrap()].to_owned()
}

/// Returns the places of the first match of a run that printed JSON.
fn places(run: &Run) -> [Value; 2] {
    let record: Value = serde_json::from_str(&run.output).unwrap();
    ["a", "b"].map(|side| record["matches"][0][side].clone())
}

#[test]
fn a_passage_in_a_presentation_names_its_slide() {
    assert_eq!(
        passages("clock.txt olga.pptx"),
        "passage 1    31 words, word for word
  clock.txt, line 1
   1  Nobody had wound the clock in the tower since the old watchmaker went to
      live with his daughter, so the children of the village came late to school
      every single day
  olga.pptx, slide 2
   2  Nobody had wound the clock in the tower since the old watchmaker went to
      live with his daughter, so the children of the village came late to school
      every single day
"
    );
}

#[test]
fn places_in_json_have_pages() {
    let [text, slides] = places(&run("felix.txt olga.pptx --format json"));
    assert_eq!((&text["line"], &text["page"]), (&json!([1, 2]), &Value::Null));
    assert_eq!(slides["page"], json!([3, 4]));
    let [_, slides] = places(&run("clock.txt olga.odp --format json"));
    assert_eq!((&slides["page"], &slides["line"]), (&json!([3, 3]), &json!([3, 3])));
    let [_, pages] = places(&run("felix.txt olga.pdf --format json"));
    assert_eq!(pages["page"], json!([2, 3]));
}

#[test]
fn a_passage_in_a_pdf_names_its_pages() {
    assert_eq!(
        passages("felix.txt olga.pdf"),
        "passage 1    62 words, word for word
  felix.txt, lines 1 to 2
   1  The ferry leaves the harbour at seven, and the baker who lives above the
      quay has already sold his first loaves to the sailors when its horn is
      heard across the water. A beekeeper counts her hives in autumn, wraps them
   2  in straw, and writes down which of the queens she will replace as soon as
      the orchards are in flower again
  olga.pdf, pages 2 to 3
   2  The ferry leaves the harbour at seven, and the baker who lives above the
      quay has already sold his first loaves to the sailors when its horn is
      heard across the water. A beekeeper counts her hives in autumn, wraps them
   3  in straw, and writes down which of the queens she will replace as soon as
      the orchards are in flower again
"
    );
}

#[test]
fn exports_and_reports_name_pages() {
    let lines = |line: &str, part: &str| {
        let output = run(line).output;
        let lines = output.lines().filter(|line| line.contains(part));
        lines.map(|line| line.rsplit('>').next().unwrap_or(line).to_owned()).collect::<Vec<_>>()
    };
    let annotation = "::warning file=clock.txt,line=1,endLine=1,title=dedup%3A partial::31 words here \
        also occur in olga.pptx, slide 2";
    assert_eq!(
        lines("clock.txt olga.pptx --at-least excerpt --format github", "file=clock.txt"),
        [annotation]
    );
    assert_eq!(
        lines("olga.pptx clock.txt --at-least excerpt --format markdown", "; left,"),
        ["- 31 words, word for word; left, slide 2; right, line 1:"]
    );
    assert_eq!(
        lines("olga.odp clock.txt --at-least excerpt --format junit", "words here"),
        [
            "31 words here (slide 3) also occur in clock.txt, line 1",
            "line 1: 31 words here also occur in olga.odp, slide 3",
        ]
    );
    let cells = run("felix.txt olga.pptx --report /dev/stdout --quiet").output;
    assert_eq!(cells.matches("<td>slides 3–4, 64\u{a0}%</td>").count(), 1);
}

#[test]
fn what_many_texts_have_is_named_by_its_slide() {
    let line = "corpus olga.odp olga.pptx felix.txt --template-share 0.5 --at-least excerpt";
    let answer = run(line).output;
    let want = "Set aside: 96 words that 3 of 3 texts have: \"Nothing of note. Nobody had wound\n  \
                the clock in the tower since the old…\" (olga.pptx, slide 1)\n";
    assert!(answer.starts_with(want), "{answer}");
    let answer: Value =
        serde_json::from_str(&run(&format!("{line} --format json")).output).unwrap();
    let common = &answer["common"][0];
    assert_eq!((&common["pages"], &common["spans"]), (&json!([1, 4]), &json!("text")));
}

#[test]
fn slides_of_a_folder_are_those_of_their_file() {
    let slides = pptx(&["Nothing of note.", CLOCK]);
    let disguised = pptx(&[FERRY, &BEES.replacen("autumn", "\u{430}utumn", 1)]);
    let (clock, bees) = (CLOCK.as_bytes(), BEES.as_bytes());
    let files: &[(&str, &[u8])] = &[
        ("in/anna/1.txt", bees),
        ("in/anna/talk.pptx", &slides),
        ("in/bert/1.txt", clock),
        ("in/cleo/talk.pptx", &disguised),
    ];
    let run = in_units(
        "slides_of_units",
        files,
        "corpus in --unit dir --at-least excerpt --format jsonl",
    );
    let records = run.output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let places = records.flat_map(|record| {
        let name = |side: &str| record[side]["path"].as_str().unwrap().to_owned();
        let matches = record["matches"].as_array().unwrap().clone();
        let names = [name("a"), name("b")];
        matches
            .into_iter()
            .map(move |found| (names.clone(), found["a"].clone(), found["b"].clone()))
    });
    let places: Vec<String> = places
        .map(|([left, right], a, b)| {
            format!("{left} {} {}, {right} {} {}", a["file"], a["page"], b["file"], b["page"])
        })
        .collect();
    assert_eq!(places, ["in/anna 1 [2,2], in/bert 0 null", "in/anna 0 null, in/cleo 0 [2,2]"]);
    let run = in_units("slides_of_units", files, "corpus in --unit dir");
    let found = "  in/cleo: 1 word with letters of another script that look the same (talk.pptx,\n    \
        slide 2, \"<U+0430>utumn\")\n";
    assert!(run.output.ends_with(found), "{}", run.output);
}
