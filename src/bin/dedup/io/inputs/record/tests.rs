use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn fields() -> Fields {
    Fields::new("text", Some("id"), Some("by"), Some("date"))
}

fn record(name: &str, group: Option<&str>, worth: Option<&str>, text: &[u8]) -> TextRecord {
    let [group, worth] = [group, worth].map(|value| value.map(str::to_owned));
    TextRecord { name: Some(name.to_owned()), group, worth, text: text.to_vec() }
}

#[test]
fn records_are_read_field_by_field() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], TextRecord)] = &[
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
    let fields = Fields::new("text", Some("id"), Some("id"), Some("id"));
    let want = record("a", Some("a"), Some("a"), b"b");
    assert_eq!(fields.record(br#"{"text":"b","id":"a"}"#), Ok(want));
}

#[test]
fn a_name_with_full_stops_is_that_of_a_field_or_of_one_in_an_object() {
    let fields = Fields::new("a.b.c", Some("a.id"), None, None);
    #[rustfmt::skip]
    let table: [(&str, &str, Result<&str, &str>); 15] = [
        ("nested",               r#"{"a":{"id":1,"b":{"c":"x"}}}"#,                        Ok("x")),
        ("a literal field",      r#"{"a.id":1,"a.b.c":"x"}"#,                              Ok("x")),
        ("half of it literal",   r#"{"a.id":1,"a.b":{"c":"x"}}"#,                          Ok("x")),
        ("the other half",       r#"{"a":{"b.c":"x","id":1}}"#,                            Ok("x")),
        ("literal wins, first",  r#"{"a.b.c":"x","a":{"id":1,"b":{"c":"y"}}}"#,            Ok("x")),
        ("literal wins, last",   r#"{"a":{"id":1,"b":{"c":"y"}},"a.b.c":"x"}"#,            Ok("x")),
        ("the longer outer one", r#"{"a":{"id":1,"b.c":"y"},"a.b":{"c":"x"}}"#,            Ok("x")),
        ("of two the last",      r#"{"a":{"id":1,"b":{"c":"y"}},"a":{"b":{"c":"x"}}}"#,    Ok("x")),
        ("an escaped key",       r#"{"\u0061":{"id":1,"b":{"c":"x"}}}"#,                   Ok("x")),
        ("no object",            r#"{"a":[{"id":1,"b":{"c":"x"}}]}"#,                      Err("no field a.id, expected one")),
        ("of other kinds",       r#"{"a":1,"a":null,"a":true,"a":-1.5,"a":"é","a":[]}"#,   Err("no field a.id, expected one")),
        ("not so deep",          r#"{"a":{"id":1,"b":"c"}}"#,                              Err("no field a.b.c, expected one")),
        ("an object of text",    r#"{"a":{"id":1,"b":{"c":{}}}}"#,                         Err("the field a.b.c is not a string")),
        (
            "half of an id",
            r#"{"a":{"id":"x\ud83d","b":{"c":"x"}}}"#,
            Err("the field a.id is not valid Unicode: it has half of a surrogate pair"),
        ),
        ("an id of an object",   r#"{"a":{"id":{},"b":{"c":"x"}}}"#,                       Err("the field a.id is not a string or a number")),
    ];
    for (why, line, want) in table {
        let got = fields.record(line.as_bytes());
        let got = got.map(|it| String::from_utf8(it.text).unwrap());
        let got = got.map_err(|bad| Diagnostic::from(bad).to_string());
        assert_eq!(got, want.map(str::to_owned).map_err(str::to_owned), "{why}");
    }
    // Damaged bytes are passed on to the decoder of the text, even from a nested field.
    let damaged = fields.record(b"{\"a\":{\"id\":1,\"b\":{\"c\":\"caf\xe9\"}}}").unwrap();
    assert_eq!(damaged.text, b"caf\xe9");
    // A requested field may be inside another requested field.
    let both = Fields::new("text", Some("id"), Some("meta"), Some("meta.by"));
    let line = br#"{"text":"b","id":"a","meta":{"by":7}}"#;
    assert_eq!(both.record(line), Ok(record("a", Some("{\"by\":7}"), Some("7"), b"b")));
}

#[test]
fn the_fields_that_are_there_are_named_with_those_in_objects() {
    #[rustfmt::skip]
    let table: [(&str, &str, &[&str]); 7] = [
        ("in their order",  r#"{"b":1,"a":"x"}"#,                              &["b", "a"]),
        ("nested",          r#"{"id":1,"meta":{"body":"x","by":{"who":1}}}"#,  &["id", "meta.body", "meta.by.who"]),
        ("with full stops", r#"{"a.b":1,"a":{"b":1,"c":1}}"#,                  &["a.b", "a.c"]),
        ("lists",           r#"{"a":[{"b":1}],"c":[]}"#,                       &["a", "c"]),
        ("nothing in it",   r#"{"a":{},"b":null}"#,                            &["a", "b"]),
        ("twice",           r#"{"a":1,"a":2}"#,                                &["a"]),
        ("a mistake",       r#"{"a":{"b":1},"c":x,"d":1}"#,                    &[]),
    ];
    for (why, line, want) in table {
        assert_eq!(names(line.as_bytes()), want, "{why}");
    }
    let many: Vec<String> = (0..100).map(|n| format!("\"{n}\":{{\"x\":0}}")).collect();
    let many = format!("{{{}}}", many.join(","));
    let names = names(many.as_bytes());
    assert_eq!((names.len(), names[19].as_str()), (20, "19.x"));
}

/// The definition: at each level, the longest name that exists.
fn naive<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let object = value.as_object()?;
    if let Some(found) = object.get(name) {
        return Some(found);
    }
    let mut dots = name.rmatch_indices('.').map(|(at, _)| at);
    dots.find_map(|at| naive(object.get(&name[..at])?, &name[at + 1..]))
}

fn object() -> impl Strategy<Value = Value> {
    let key = || prop::sample::select(vec!["a", "b", "a.b", "b.a", "a.a", "a.b.a", ""]);
    let leaf = prop_oneof![Just(json!(null)), (0..9_u8).prop_map(|n| json!(n))];
    let value = leaf.prop_recursive(3, 24, 4, move |inner| {
        prop::collection::vec((key(), inner), 0..4).prop_map(|fields| {
            Value::Object(fields.into_iter().map(|(k, v)| (k.into(), v)).collect())
        })
    });
    value.prop_filter("an object", Value::is_object)
}

proptest! {
    /// The lookup in a line finds the same values as a lookup in the parsed object.
    #[test]
    fn fields_are_those_of_the_definition(object in object()) {
        let line = object.to_string();
        for name in ["a", "a.b", "a.b.a", "b", "b.a.a", "a.", "."] {
            let value = find(&super::object(line.as_bytes()).unwrap(), name);
            let value = value.map(|it| serde_json::from_str::<Value>(it.get()).unwrap());
            prop_assert_eq!(value.as_ref(), naive(&object, name), "{} in {}", name, &line);
        }
    }
}

#[test]
fn a_record_without_an_id_goes_by_its_place_where_none_is_asked_for() {
    let fields = Fields::new("text", None, Some("by"), Some("date"));
    let read = |line: &str| {
        let read = fields.record(line.as_bytes()).map(|record| record.name);
        read.map_err(|bad| Diagnostic::from(bad).to_string())
    };
    assert_eq!(read(r#"{"text":"b"}"#), Ok(None));
    assert_eq!(read(r#"{"text":"b","id":7}"#), Ok(Some("7".to_owned())));
    assert_eq!(read(r#"{"text":"b","id":null}"#), Ok(None));
    assert_eq!(read(r#"{"text":"b","id":""}"#), Ok(Some(String::new())));
    let wrong = "the field id is not a string or a number";
    assert_eq!(read(r#"{"text":"b","id":[]}"#), Err(wrong.to_owned()));
    let wrong = "not a JSON object, expected one with the field text";
    assert_eq!(read("7"), Err(wrong.to_owned()));
}

#[test]
fn what_is_wrong_with_a_line_is_reported() {
    let no_json = "not JSON";
    let no_id = "the field id is not a string or a number";
    let no_text = "the field text is not a string";
    let no_object = "not a JSON object, expected one with the fields id and text";
    #[rustfmt::skip]
    let table: &[(&str, &[u8], String)] = &[
        ("words",             b"hello",                       format!("{no_json} at byte 1, expected an object on one line")),
        ("cut",               br#"{"id":"a","text":"b"#,      format!("{no_json}: cut after byte 19, expected an object on one line")),
        ("more behind it",    br#"{"id":"a","text":"b"} x"#,  format!("{no_json} at byte 23, expected an object on one line")),
        ("two on a line",     br#"{"id":"a","text":"b"}{}"#,  format!("{no_json} at byte 22, expected an object on one line")),
        ("a list",            br#" ["a"]"#,                   "a JSON array, expected an object on one line".to_owned()),
        ("a list begins",     b"[",                           "a JSON array, expected an object on one line".to_owned()),
        ("UTF-16 with a mark", b"\xff\xfe{\0\"\0",           "a line in UTF-16, expected one in UTF-8".to_owned()),
        ("UTF-16 behind it",  b"\0{\0\"\0",                  "a line in UTF-16, expected one in UTF-8".to_owned()),
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

#[test]
fn a_line_gets_another_text_and_keeps_its_other_bytes() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], Result<&[u8], &str>)] = &[
        ("as it stands",      b" {\"text\" : \"a cut b\",\"id\":1}\r\n",          Ok(b" {\"text\" : \"a b\",\"id\":1}\r\n")),
        ("behind a mark",     b"\xef\xbb\xbf{\"id\":1,\"text\":\"cut \\u00e9\"}", Ok(b"\xef\xbb\xbf{\"id\":1,\"text\":\"\xc3\xa9\"}")),
        ("no UTF-8 in it",    b"{\"id\":1,\"text\":\"caf\xe9 cut \\\"b\xff\"}\n", Ok(b"{\"id\":1,\"text\":\"caf\xe9 \\\"b\xff\"}\n")),
        ("no UTF-8 around it", b"{\"x\":\"\xe9\",\"text\":\"cut b\",\"id\":1}",   Ok(b"{\"x\":\"\xe9\",\"text\":\"b\",\"id\":1}")),
        ("half a pair",       b"{\"id\":1,\"text\":\"cut \\ud800\"}",             Err("the field text is not a string")),
    ];
    let without = |text: &[u8]| {
        let at = text.windows(4).position(|part| part == b"cut ").unwrap();
        [&text[..at], &text[at + 4..]].concat()
    };
    for (why, line, want) in table {
        let got = fields().with_text(line, without).map_err(|error| error.to_string());
        assert_eq!(got.as_deref().map_err(String::as_str), *want, "{why}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_missing() {
    let of = |line: &str| {
        fields().record(line.as_bytes()).map_err(|wrong| Diagnostic::from(wrong).to_string())
    };
    let line = r#"{"x":[NaN,-Infinity],"id":"NaN \"Infinity","text":"b NaN","y":Infinity}"#;
    assert_eq!(of(line), Ok(record("NaN \"Infinity", None, None, b"b NaN")));
    let text = r#"{"id":"a","text":NaN}"#;
    assert_eq!(of(text).unwrap_err(), "not JSON at byte 18, expected an object on one line");
    let cut = fields().with_text(line.as_bytes(), |text| text[..1].to_vec()).unwrap();
    assert_eq!(str::from_utf8(&cut).unwrap(), line.replace("b NaN", "b"));
    for word in ["NaNa", "nan", "Infinit", "NaN NaN", "+Infinity"] {
        assert!(of(&format!(r#"{{"id":"a","text":"b","x":{word}}}"#)).is_err(), "{word}");
    }
}
