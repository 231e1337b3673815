use super::page::{Disguised, Fact, MAX_DISGUISED, Out, PagePlace, Passage};
use super::*;

#[test]
fn what_stands_in_a_text_is_text() {
    let hostile = "</script><script>alert(1)</script> & \"'\u{2028}\u{202e}<!--\u{1}";
    let disguised = || vec![Disguised { span: 0..hostile.len(), written: hostile.to_owned() }];
    let side = || PageSide {
        name: hostile.to_owned(),
        content: hostile.into(),
        disguised: disguised(),
        ..PageSide::default()
    };
    let whole = || PagePlace { span: 0..hostile.len(), ..PagePlace::default() };
    let page = Page {
        sides: [side(), side()],
        passages: vec![Passage {
            words: 2,
            extent: String::new(),
            places: [whole(), whole()],
            repeats: Default::default(),
        }],
        warnings: vec![hostile.to_owned()],
        notes: vec![hostile.to_owned()],
        sentence: hostile.to_owned(),
        facts: vec![Fact { name: "", values: [hostile.to_owned(), hostile.to_owned()] }],
        parameters: vec![("", hostile.to_owned())],
        reasons: hostile.to_owned(),
        figures: vec![[(); 4].map(|()| hostile.to_owned())],
        left_out: vec![hostile.to_owned()],
        ..Page::default()
    };
    let written = render(&page, None).unwrap();
    let escaped = "&#60;/script&#62;&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#34;&#39;\u{2028}\u{202e}&#60;!--\u{1}";
    // The title, the sentence and the headings of the panes; the texts and the original characters
    // of the disguised words; and everything else except for the list, where U+2028 is a space.
    assert_eq!(written.matches(escaped).count(), 2 + 1 + 2 + 2 + 2 + (1 + 1 + 2 + 1 + 1 + 4 + 1));
    assert_eq!(written.matches(&escaped.replace('\u{2028}', " ")).count(), 1);
    assert_eq!(written.matches("alert(1)").count(), 21);
    assert_eq!(written.matches("<script").count(), 1);
    assert_eq!(written.matches("</script").count(), 1);
}

#[test]
fn there_is_a_section_on_what_was_left_out_where_something_was() {
    let nothing = render(&Page::default(), None).unwrap();
    assert!(!nothing.contains("Left out"));
    let left_out = vec!["12 words of the left text are in a template".to_owned()];
    let something = render(&Page { left_out, ..Page::default() }, None).unwrap();
    assert!(something.contains("<li>12 words of the left text"));
}

#[test]
fn what_was_left_out_stands_in_the_text_with_the_reason() {
    let out = Out { why: "template", span: 4..7 };
    let left =
        PageSide { content: "one two three".into(), left_out: vec![out], ..PageSide::default() };
    let written =
        render(&Page { sides: [left, PageSide::default()], ..Page::default() }, None).unwrap();
    assert!(written.contains(">one <s data-why=\"template\">two</s> three</div>"));
}

#[test]
fn a_word_in_disguise_stands_in_the_text_with_what_was_written() {
    let word = Disguised { span: 4..7, written: "tw<U+043E>".to_owned() };
    let left =
        PageSide { content: "one two three".into(), disguised: vec![word], ..PageSide::default() };
    let written =
        render(&Page { sides: [left, PageSide::default()], ..Page::default() }, None).unwrap();
    let word = "<span class=\"disguise\" title=\"written tw&#60;U+043E&#62;\">two</span>";
    assert!(written.contains(&format!(">one {word} three</div>")));
    assert!(written.contains("written with other characters than it shows"));
    assert!(!render(&Page::default(), None).unwrap().contains("with other characters than"));
    assert!(!written.contains("(the first 10,000 of a text)"));
    let disguised =
        (0..MAX_DISGUISED).map(|at| Disguised { span: at..at + 1, written: "b".into() });
    let (content, disguised) = ("a".repeat(MAX_DISGUISED + 1).into(), disguised.collect());
    let left = PageSide { content, disguised, ..PageSide::default() };
    let written =
        render(&Page { sides: [left, PageSide::default()], ..Page::default() }, None).unwrap();
    assert!(written.contains("than it shows (the first 10,000 of a text)"));
}

#[test]
fn figures_are_folded_away_behind_the_texts() {
    let notes = vec!["no stemmer is known".to_owned()];
    let warnings = vec!["a text is damaged".to_owned()];
    let page =
        Page { notes, warnings, sentence: "No shared passage found".to_owned(), ..Page::default() };
    let written = render(&page, None).unwrap();
    let places = [
        "No shared passage found</h1>",
        "a text is damaged",
        "id=\"texts\"",
        "<details class=\"how\">",
        "<summary>How this was measured</summary>",
        "id=\"figures\"",
        "no stemmer is known",
        "</details>",
    ];
    let places = places.map(|part| written.find(part).unwrap_or_else(|| panic!("{part}")));
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn style_and_script_stand_as_they_are_hashed() {
    for (what, end) in [(STYLE, "</style"), (SCRIPT, "</script")] {
        // A browser turns carriage returns into line feeds before it computes the hash.
        assert!(!what.contains('\r'));
        assert!(!what.to_ascii_lowercase().contains(end));
        assert!(!what.contains("<!--"));
        assert!(render(&Page::default(), None).unwrap().contains(&format!(">{what}{end}>")));
    }
}
