use super::*;

const ENGLISH: &str = "The keeper of the lighthouse trimmed the lamp at dusk and wrote down the \
    weather in a heavy book that his father had begun. When the wind turned to the north the \
    glass had to be cleaned of salt every hour, and he climbed the stairs with a bucket of warm \
    water until the morning came. In summer there was little to do, and he grew beans behind the \
    wall where the spray could not reach them. Visitors asked him whether he was lonely there, \
    and he said that the sea was company enough for anyone who had learned to listen to it.";
const SPANISH: &str = "El panadero encendía el horno mucho antes de que saliera el sol, porque la \
    masa necesitaba varias horas para crecer en el cuarto más cálido de la casa. Los vecinos \
    venían con sus cestas y hablaban de la lluvia que no llegaba, mientras los niños esperaban \
    el primer pan redondo para llevarlo todavía caliente a la escuela. Por la tarde limpiaba las \
    mesas, contaba las monedas y preparaba la harina del día siguiente. Decía que un pan bueno \
    no tiene más secreto que el tiempo, y que el tiempo es lo único que nadie quiere regalar.";

/// Returns a text with more than the letters needed to be detected alone.
fn long(text: &str) -> String {
    text.repeat(2)
}

fn settled(left: &str, right: &str) -> Settled {
    settle(left, right, &Choice::default())
}

fn codes(settled: &Settled) -> (Option<&'static str>, Option<&'static str>) {
    (settled.left.language.map(Language::code), settled.right.language.map(Language::code))
}

#[test]
fn ten_words_have_a_probable_language() {
    let code = |content: &str| {
        let known = probable(content);
        assert_ne!(known.reliable, Some(true));
        known.language.map(Language::code)
    };
    #[rustfmt::skip]
    let table = [
        ("the keeper trimmed the lamp and went down the stairs",       Some("eng")),
        ("the keeper trimmed the lamp and went down the",              None), // nine words
        ("los vecinos venían con sus cestas y hablaban de la lluvia",  Some("spa")),
        ("el panadero encendía el horno antes de que saliera el sol",  None), // or Catalan
        ("keeper lamp stairs copper kettle spoon harbour wall stone sea", None), // none is common
        ("the keeper and el panadero of the sol de la mañana que was", None), // two languages
        ("",                                                           None),
    ];
    for (content, want) in table {
        assert_eq!(code(content), want, "{content}");
    }
}

#[test]
fn long_texts_keep_their_own_languages() {
    let settled = settled(&long(ENGLISH), &long(SPANISH));
    assert_eq!(codes(&settled), (Some("eng"), Some("spa")));
    assert_eq!((settled.left.by, settled.right.by), (By::Detected, By::Detected));
}

#[test]
fn a_short_text_is_detected_together_with_the_other() {
    let settled = settled(&long(ENGLISH), "A lamp.");
    assert_eq!(codes(&settled), (Some("eng"), Some("eng")));
    assert_eq!((settled.left.by, settled.right.by), (By::Together, By::Together));
}

#[test]
fn a_text_with_few_letters_is_not_detected_alone_however_sure_that_would_be() {
    let few: String = SPANISH.chars().take(400).collect();
    assert!(detect(&few).unwrap().is_reliable());
    let settled = settled(&long(ENGLISH), &few);
    assert_eq!(settled.left, settled.right);
    assert_ne!(settled.left.by, By::Detected);
}

#[test]
fn a_few_words_are_detected_alone_if_their_script_settles_the_language() {
    let chinese = "看灯塔的人每天黄昏擦亮灯罩把天气写进父亲留下的厚本子里。";
    #[rustfmt::skip]
    let table = [
        ("Japanese",              "お湯が沸くと知らせが届きます。", Some("jpn")),
        ("Japanese and a name",   "Linuxのやかんでお湯をわかすTool", Some("jpn")),
        ("Korean",                "물이 끓으면 알려 줍니다.",       Some("kor")),
        ("Thai",                  "น้ำเดือดแล้วปิดไฟ",             Some("tha")),
        ("Greek",                 "Το νερό βράζει στην κουζίνα.", Some("ell")),
        ("Georgian",              "წყალი დუღს",                  Some("kat")),
        ("Armenian",              "Ջուրը եռում է",                Some("hye")),
        ("Bengali",               "পানি ফুটছে",                   Some("ben")),
        ("Chinese or Japanese",   chinese,                        None),
        ("Chinese of a film",     "《となりのトトロ》是宫崎骏的电影，很多孩子都喜欢看这部电影。", None),
        ("Hebrew or Yiddish",     "המים רותחים בקומקום.",          None),
        ("Russian or Bulgarian",  "Вода кипит в чайнике.",        None),
        ("Arabic or Persian",     "الماء يغلي في الإبريق",         None),
        ("Hindi or Nepali",       "पानी उबल रहा है",                None),
        ("English",               "The water boils.",             None),
        ("English, half Greek",   "The νερό boils βράζει.",       None),
        ("a formula",             "let ΔE be the λ of a β",       None),
    ];
    for (why, content, want) in table {
        let found = alone(content);
        assert_eq!(found.and_then(|known| known.language).map(Language::code), want, "{why}");
    }
    // 27 letters of Chinese weigh as much as 67.5 of an alphabet, and the Hebrew sentence has 25.
    let hebrew = "המים רותחים בקומקום והאור כבה. ";
    for (content, code, few, enough) in [(chinese, "cmn", 3, 4), (hebrew, "heb", 3, 4)] {
        for (times, want) in [(few, None), (enough, Some(code))] {
            let found = alone(&content.repeat(times));
            assert_eq!(found.and_then(|known| known.language).map(Language::code), want, "{times}");
        }
    }
    let (korean, thai) = ("물이 끓으면 알려 줍니다.", "น้ำเดือดแล้วปิดไฟ");
    assert_eq!(codes(&settled(korean, thai)), (Some("kor"), Some("tha")));
}

#[test]
fn the_sides_do_not_matter() {
    let (english, spanish) = (&*long(ENGLISH), &*long(SPANISH));
    for (left, right) in [
        (english, spanish),
        (english, "A lamp."),
        (ENGLISH, SPANISH),
        ("El pan", "de ayer"),
        ("", "x"),
    ] {
        let (one, other) = (settled(left, right), settled(right, left));
        assert_eq!((one.left, one.right), (other.right, other.left), "{left:.9}, {right:.9}");
    }
}

#[test]
fn without_letters_there_is_no_language() {
    let settled = settled("1234", "— 5 —");
    assert_eq!(
        settled.left,
        Known { language: None, by: By::None, confidence: None, reliable: None }
    );
    assert_eq!(settled.right, settled.left);
}

#[test]
fn a_given_language_is_not_detected() {
    let catalan = Language::from_code("ca");
    let choice = Choice { left: Given::As(catalan), right: Given::As(None) };
    let settled = settle(ENGLISH, ENGLISH, &choice);
    assert_eq!(codes(&settled), (Some("cat"), None));
    assert_eq!((settled.left.by, settled.right.by), (By::Given, By::Given));
}

#[test]
fn beside_a_given_one_the_other_is_detected_alone_or_has_none() {
    let choice = Choice { left: Given::As(Language::from_code("spa")), right: Given::Detect };
    for (right, want) in [(&*long(ENGLISH), Some("eng")), ("A lamp.", None)] {
        assert_eq!(codes(&settle("x", right, &choice)), (Some("spa"), want));
    }
}

/// Two short texts by one author, one of which is taken for Danish and the other for Norwegian if
/// each is detected alone.
#[test]
fn two_short_danish_texts_are_not_parted_into_danish_and_norwegian() {
    let left = "Hun fortalte historien om de tre brødre og det gamle hus ved fjorden.";
    let right = "Vores ven ser på skibene når det er sommer.";
    let alone = |text| detect(text).unwrap().lang().code();
    assert_eq!((alone(left), alone(right)), ("dan", "nob"), "a pair that would be parted");

    let settled = settled(left, right);
    assert_eq!(settled.left, settled.right);
}

/// Returns a page of software documentation: a sentence in one language, followed by code.
fn page(sentence: &str) -> String {
    let code = "```js\nconst { window } = require('the-kettle')\n\n// Show the window when the \
        water has boiled, and send the temperature to the other process of the application.\n\
        window.webContents.send('boiled', temperature)\n```\n\n";
    let list = "* `temperature` Number (optional) - [kettle](../glossary.md#kettle-process)\n\n";
    format!(
        "---\ntitle: The Kettle\nlayout: page.hbs\n---\n\n{}",
        format!("{sentence}\n\n{code}{list}").repeat(12)
    )
}

#[test]
fn a_page_with_more_code_than_prose_is_in_the_language_of_its_prose() {
    #[rustfmt::skip]
    let table = [
        ("cmn", "窗口打开以后，请先把水壶装满，再按下开关。水烧开时，程序会通知另一个进程。"),
        ("jpn", "ウィンドウを開いたら、やかんに水を入れてスイッチを押します。お湯が沸くと知らせが届きます。"),
        ("kor", "창이 열리면 주전자에 물을 채우고 단추를 누릅니다. 물이 끓으면 다른 프로세스에 알려 줍니다."),
        ("rus", "Как только окно откроется, вы должны налить в чайник воду, закрыть крышку и нажать на кнопку; когда вода закипит, программа об этом сообщит."),
        ("ara", "بعد فتح النافذة املأ الإبريق بالماء ثم اضغط على الزر، وعندما يغلي الماء تصلك رسالة من البرنامج."),
        ("deu", "Sobald das Fenster offen ist, füllen Sie den Kessel mit Wasser und drücken auf den Knopf."),
        ("tha", "เมื่อหน้าต่างเปิดแล้ว ให้เติมน้ำลงในกาแล้วกดปุ่ม เมื่อน้ำเดือดโปรแกรมจะแจ้งให้ทราบ"),
    ];
    for (code, sentence) in table {
        let settled = settled(&page(sentence), &page(sentence));
        assert_eq!(codes(&settled), (Some(code), Some(code)), "{:?}", settled.left);
    }
}

#[test]
fn a_quotation_does_not_change_the_language() {
    let chinese = "看灯塔的人每天黄昏擦亮灯罩，把天气写进父亲留下的厚本子里。".repeat(20);
    let quoting =
        format!("{}\n\n> {}", long(ENGLISH), chinese.chars().take(100).collect::<String>());
    assert_eq!(codes(&settled(&quoting, &quoting)), (Some("eng"), Some("eng")));
    let quoting = format!("{chinese}\n\n> {}", ENGLISH.chars().take(500).collect::<String>());
    assert_eq!(codes(&settled(&quoting, &quoting)), (Some("cmn"), Some("cmn")));
}
