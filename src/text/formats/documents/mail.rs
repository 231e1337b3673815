//! Extracts the text of an e-mail, or of a web page that is stored as one (MHTML, RFC 2557).
//!
//! Input: a message in MIME. Output: its text parts; of versions of the same part, the web page, which
//! programs show. The module reads no attachments, but says how many there are.

use mail_parser::{MessageParser, MimeHeaders, PartType};

use super::{Bounds, ExtractError, Extracted, Html, MarkupOptions, page};

/// Extracts the text of a message.
///
/// # Errors
///
/// Returns [`ExtractError::Damaged`] if it is not a message, or an error of [`page`].
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    let damaged = || ExtractError::Damaged { kind: "e-mail", found: "no part of it".to_owned() };
    let message = MessageParser::default().parse(bytes).ok_or_else(damaged)?;
    let mut read = Extracted::default();
    for part in message.html_body.iter().filter_map(|id| message.parts.get(*id as usize)) {
        match &part.body {
            PartType::Text(text) => {
                read.append(Extracted { content: text.to_string(), ..Extracted::default() });
            }
            PartType::Html(html) => {
                let options = MarkupOptions { html: Html::Main, is_xml: false, bounds };
                read.append(page(html, &options)?);
            }
            _ => {}
        }
    }
    let is_document = |id: &&u32| {
        let kind = message.parts.get(**id as usize).and_then(|part| part.content_type());
        // Not a part of a page.
        !kind.is_some_and(|kind| {
            let form = kind.subtype().unwrap_or_default().to_ascii_lowercase();
            let kind = kind.ctype().to_ascii_lowercase();
            ["image", "audio", "video", "font"].contains(&&*kind)
                || ["css", "javascript", "x-javascript"].contains(&&*form)
        })
    };
    let unread = message.attachments.iter().filter(is_document).count();
    if unread > 0 {
        let plural = if unread == 1 { "" } else { "s" };
        read.unread = Some(format!("{unread} attachment{plural} not read"));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &str) -> Extracted {
        text(message.as_bytes(), &Bounds::default()).unwrap()
    }

    #[test]
    fn the_text_parts_of_a_message_are_its_text() {
        let head = "MIME-Version: 1.0\r\nContent-Type: ";
        let alternatives = "multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n\
                            one\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>two</p>\r\n--b--\r\n";
        let related = "multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=windows-1252\r\n\
                       Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>caf=E9 and a l=\r\nong line</p>\r\n\
                       --b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBOR\r\n--b--\r\n";
        let attached = "multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nsee there\r\n\
                        --b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment\r\n\r\n%PDF\r\n--b--\r\n";
        #[rustfmt::skip]
        let table = [
            ("plain",             "text/plain\r\n\r\none\r\ntwo",                  "one\r\ntwo\n", None),
            ("in base64",         "text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\ndGVh\r\n", "tea\n", None),
            ("of two versions",   alternatives,                                   "two\n", None),
            ("a web archive",     related,                                        "café and a long line\n", None),
            ("with an attachment", attached,                                      "see there\n", Some("1 attachment not read")),
            ("with a text beside it", &*attached.replace("application/pdf", "text/plain"), "see there\n", Some("1 attachment not read")),
            ("no text",           "image/png\r\n\r\nx",                            "", None),
        ];
        for (why, body, want, unread) in table {
            let read = read(&format!("{head}{body}"));
            assert_eq!((read.content.as_str(), read.unread.as_deref()), (want, unread), "{why}");
        }
    }
}
