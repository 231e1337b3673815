//! How many attributes a tag has at most, wherever tags may begin.
//!
//! A parser compares each attribute with all others of its tag. Whether `<a` opens a tag or
//! stands in a script, a comment or a quoted value only the parser knows; so every place is
//! taken for a beginning, and the count is never too low.

/// The most attributes of a tag that is parsed.
pub(super) const MOST: usize = 10_000;

/// Where in a tag a byte may stand. For each the most attributes that began before it, over
/// all the ways to get there; `None` where there is no way.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    name_of_tag: Option<usize>,
    between: Option<usize>,
    name: Option<usize>,
    behind_name: Option<usize>,
    before_value: Option<usize>,
    bare: Option<usize>,
    single: Option<usize>,
    double: Option<usize>,
}

impl Places {
    /// The places after one more byte.
    fn after(self, byte: u8) -> Self {
        let more = |count: Option<usize>| count.map(|count| count + 1);
        let begins = more(self.between.max(self.behind_name));
        match byte {
            b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => Self {
                between: self.name_of_tag.max(self.between).max(self.bare),
                behind_name: self.name.max(self.behind_name),
                before_value: self.before_value,
                single: self.single,
                double: self.double,
                ..Self::default()
            },
            b'>' => Self { single: self.single, double: self.double, ..Self::default() },
            b'/' => Self {
                between: self.name_of_tag.max(self.between).max(self.name).max(self.behind_name),
                bare: self.bare.max(self.before_value),
                single: self.single,
                double: self.double,
                ..Self::default()
            },
            b'=' => Self {
                name_of_tag: self.name_of_tag,
                name: more(self.between),
                before_value: self.name.max(self.behind_name),
                bare: self.bare.max(self.before_value),
                single: self.single,
                double: self.double,
                ..Self::default()
            },
            b'\'' => Self {
                name_of_tag: self.name_of_tag,
                between: self.single,
                name: self.name.max(begins),
                bare: self.bare,
                single: self.before_value,
                double: self.double,
                ..Self::default()
            },
            b'"' => Self {
                name_of_tag: self.name_of_tag,
                between: self.double,
                name: self.name.max(begins),
                bare: self.bare,
                single: self.single,
                double: self.before_value,
                ..Self::default()
            },
            _ => Self {
                name_of_tag: self.name_of_tag,
                name: self.name.max(begins),
                bare: self.bare.max(self.before_value),
                single: self.single,
                double: self.double,
                ..Self::default()
            },
        }
    }

    fn is_nowhere(self) -> bool {
        let outside = [self.name_of_tag, self.between, self.name, self.behind_name];
        let values = [self.before_value, self.bare, self.single, self.double];
        outside.iter().chain(&values).all(Option::is_none)
    }

    fn most(self) -> usize {
        self.name.unwrap_or_default()
    }
}

/// The most attributes that any tag of a page may have, and at times more.
pub(super) fn most_in_a_tag(page: &str) -> usize {
    let bytes = page.as_bytes();
    let mut places = Places::default();
    let mut most = 0;
    let mut at = 0;
    while at < bytes.len() {
        if places.is_nowhere() {
            let Some(next) = memchr::memchr(b'<', &bytes[at..]) else { break };
            at += next;
        }
        if bytes[at..].starts_with(b"</") {
            places = places.after(b'<');
            at += 1;
        }
        let begins = matches!(bytes[at], b'<' | b'/')
            && (bytes[at] == b'<' || at > 0 && bytes[at - 1] == b'<')
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        places = places.after(bytes[at]);
        most = most.max(places.most());
        if begins {
            places.name_of_tag = places.name_of_tag.max(Some(0));
        }
        at += 1;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_from_every_beginning() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                 "",                              0),
            ("no tag",                  "a < b c d e",                   0),
            ("none",                    "<a>b c d",                      0),
            ("every kind of value",     "<a b c=d e = f g='h i' j=\"k\">", 5),
            ("without a space",         "<a/b/c=d/e f='g'h>",            4),
            ("a value of several words","<a b='c d e f'>",               1),
            ("a quoted end",            "<a b='>' c>",                   2),
            ("two tags",                "<a b><c d e>",                  2),
            ("an end tag",              "</a b c>",                      2),
            ("a tag in a tag",          "<a <b <c",                      2),
            ("a tag in a value",        "<a b='<c d e f'>",              3),
            ("an unclosed quote",       "<a b='c d e f",                 1),
            ("an equals sign first",    "<a =b =c>",                     1),
            ("a quote in a name",       "<a b'c d'e>",                   2),
        ];
        for (why, page, want) in table {
            assert_eq!(most_in_a_tag(page), want, "{why}");
        }
    }

    #[test]
    fn many_are_counted_in_linear_time() {
        for attribute in [" a", " a=b", " a='b'", "/a", " <a"] {
            let page = format!("<a{}", attribute.repeat(200_000));
            assert_eq!(most_in_a_tag(&page), 200_000, "{attribute}");
        }
    }
}
