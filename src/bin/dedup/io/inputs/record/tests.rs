use super::*;

fn fields() -> Fields {
    Fields::named("text", "id", Some("by"), Some("date"))
}

fn record(name: &str, group: Option<&str>, worth: Option<&str>, text: &[u8]) -> Record {
    let [group, worth] = [group, worth].map(|value| value.map(str::to_owned));
    Record { name: name.to_owned(), group, worth, text: text.to_vec() }
}

#[test]
fn records_are_read_field_by_field() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], Record)] = &[
        ("the least",         br#"{"id":"a","text":"b"}"#,                         record("a", None, None, b"b")),
        ("in any order",      br#" { "text" : "b" , "id" : "a" } "#,               record("a", None, None, b"b")),
        ("nothing in it",     br#"{"id":"","text":""}"#,                           record("", None, None, b"")),
        ("escapes",           br#"{"id":"\u00e9\n","text":"a\tb\u00e9\ud83d\ude00"}"#, record("\u{e9}\n", None, None, "a\tb\u{e9}\u{1f600}".as_bytes())),
        ("an escaped field",  br#"{"\u0069d":"a","text":"b"}"#,                    record("a", None, None, b"b")),
        ("a number",          br#"{"id":12,"text":"b"}"#,                          record("12", None, None, b"b")),
        ("as it stands",      br#"{"id":-1.50e3,"text":"b"}"#,                     record("-1.50e3", None, None, b"b")),
        ("a long number",     br#"{"id":123456789012345678901234567890,"text":""}"#, record("123456789012345678901234567890", None, None, b"")),
        ("other fields",      br#"{"x":[{"id":1}],"id":"a","y":null,"text":"b","z":{"text":"c"}}"#, record("a", None, None, b"b")),
        ("a field twice",     br#"{"id":"a","text":"b","text":"c","id":"d"}"#,     record("d", None, None, b"c")),
        ("group and date",    br#"{"id":"a","text":"b","by":"c","date":"2024"}"#,  record("a", Some("c"), Some("2024"), b"b")),
        ("no group",          br#"{"id":"a","text":"b","by":null,"date":7}"#,      record("a", None, Some("7"), b"b")),
        ("a group of a kind", br#"{"id":"a","text":"b","by":true}"#,               record("a", Some("true"), None, b"b")),
        ("half a pair",       br#"{"id":"a","text":"b\ud800c"}"#,                  record("a", None, None, b"b\xed\xa0\x80c")),
        ("no UTF-8",          b"{\"id\":\"a\",\"text\":\"caf\xe9\"}",              record("a", None, None, b"caf\xe9")),
    ];
    for (why, line, want) in table {
        assert_eq!(fields().record(line).as_ref(), Ok(want), "{why}");
    }
}

#[test]
fn one_field_may_be_asked_for_twice() {
    let fields = Fields::named("text", "id", Some("id"), Some("id"));
    let want = record("a", Some("a"), Some("a"), b"b");
    assert_eq!(fields.record(br#"{"text":"b","id":"a"}"#), Ok(want));
}

#[test]
fn what_is_wrong_with_a_line_is_told() {
    let no_json = "no JSON: ";
    let no_id = "the field id is not a string or a number";
    let no_text = "the field text is not a string";
    let no_object = "no JSON object, expected one with the fields id and text";
    #[rustfmt::skip]
    let table: &[(&str, &[u8], String)] = &[
        ("words",             b"hello",                       format!("{no_json}expected value at byte 1, expected an object on one line")),
        ("cut",               br#"{"id":"a","text":"b"#,      format!("{no_json}cut after byte 19, expected an object on one line")),
        ("more behind it",    br#"{"id":"a","text":"b"} x"#,  format!("{no_json}trailing characters at byte 23, expected an object on one line")),
        ("two on a line",     br#"{"id":"a","text":"b"}{}"#,  format!("{no_json}trailing characters at byte 22, expected an object on one line")),
        ("a list",            br#"["a"]"#,                    no_object.to_owned()),
        ("a string",          br#""a""#,                      no_object.to_owned()),
        ("a number",          b"12",                          no_object.to_owned()),
        ("no id",             br#"{"text":"b"}"#,             "no field id, expected one".to_owned()),
        ("no text",           br#"{"id":"a"}"#,               "no field text, expected one".to_owned()),
        ("nothing",           b"{}",                          "no field id, expected one".to_owned()),
        ("an id of null",     br#"{"id":null,"text":"b"}"#,   no_id.to_owned()),
        ("an id of many",     br#"{"id":["a"],"text":"b"}"#,  no_id.to_owned()),
        ("a text of null",    br#"{"id":"a","text":null}"#,   no_text.to_owned()),
        ("a number of text",  br#"{"id":"a","text":12}"#,     no_text.to_owned()),
        ("a list of text",    br#"{"id":"a","text":[97]}"#,   no_text.to_owned()),
        ("an object of text", br#"{"id":"a","text":{}}"#,     no_text.to_owned()),
    ];
    for (why, line, want) in table {
        assert_eq!(
            Diagnostic::from(fields().record(line).unwrap_err()).to_string(),
            *want,
            "{why}"
        );
    }
}

#[test]
fn a_line_made_to_be_deep_is_read_or_refused() {
    let deep = |end: &str| format!(r#"{{"x":{}{end},"id":"a","text":"b"}}"#, "[".repeat(100_000));
    assert!(fields().record(deep(&"]".repeat(100_000)).as_bytes()).is_ok());
    assert!(matches!(fields().record(deep("").as_bytes()), Err(BadLine::NoJson { .. })));
}
