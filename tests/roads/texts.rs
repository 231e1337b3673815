//! Random texts in many scripts that share passages, copies and templates.

use std::fmt::Write as _;

/// A source of numbers that depend on a seed alone (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// Is true once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// A language: its frequent words, and others.
struct Vocabulary {
    frequent: &'static str,
    others: &'static str,
    /// What stands between words, and what ends a sentence.
    between: &'static str,
    end: &'static str,
}

const fn spaced(frequent: &'static str, others: &'static str) -> Vocabulary {
    Vocabulary { frequent, others, between: " ", end: ". " }
}

/// Vocabularies in fourteen scripts, with several languages of Latin, Cyrillic, Arabic and Indic
/// letters.
#[rustfmt::skip]
const VOCABULARIES: &[Vocabulary] = &[
    spaced("the of and to in that it was not he with for on are is at by from they this",
        "harbour lamp keeper kettle stone winter bread morning river engine carpenter letters weather running quickly garden roof salt market teacher window paper don't l'eau"),
    spaced("el la de que y en los no se un por con las una para del al lo como más",
        "panadero horno lluvia vecino escuela monedas harina camino montaña pescadores ventana barco cocina plaza invierno manzanas carta jardín caballo noche"),
    spaced("le la de et les des un une que il ne pas dans pour sur ce qui au avec est",
        "l'école d'été boulanger rivière fenêtre montagne hiver lettre jardin marché pêcheur cuisine qu'il cheval pierre voisin chanson lumière forêt matin"),
    spaced("der die das und in zu den nicht ein ist mit von auf für dem sich es sie im als",
        "Leuchtturm Wetter Straße Bäcker Fenster Fluss Winter Schreiner Brief Markt Küche Garten Häuser Schüler Berge Wolken Nachbar Abend Licht Kohle"),
    spaced("el la de que i en els no es un per amb les una del al ho com més a",
        "forner pluja veí escola monedes farina camí muntanya pescadors finestra vaixell cuina plaça hivern pomes carta jardí cavall l'home d'aigua"),
    spaced("w i na z do nie się że to jest o jak po co za od przez był dla ale",
        "latarnia piekarz okno rzeka zima stolarz list rynek kuchnia ogród szkoła góry chmury sąsiad wieczór światło węgiel jabłko koń kamień"),
    spaced("ve bir bu da de için ile çok ne gibi daha ama o var olan en kadar sonra ki mi",
        "fırıncı pencere nehir kış marangoz mektup pazar mutfak bahçe okul dağlar bulutlar komşu akşam ışık kömür elma taş İstanbul ılık"),
    spaced("và của là có trong được một cho không các với người này đã những khi từ để ở ra",
        "thợ bánh cửa sổ dòng sông mùa đông lá thư chợ bếp vườn trường núi mây hàng xóm buổi tối ánh sáng"),
    spaced("и в не на что он с как по это но из у за от так все его была для",
        "маяк пекарь окно река зима плотник письмо рынок кухня сад школа горы облака сосед вечер свет уголь яблоко лошадь камень"),
    spaced("і в не на що він з як по це але із у за від так все його була для",
        "маяк пекар вікно річка зима тесляр лист ринок кухня садок школа гори хмари сусід вечір світло вугілля яблуко кінь камінь"),
    spaced("και το να του η της με που την από για είναι ο στο δεν τα θα οι τον των",
        "φάρος φούρναρης παράθυρο ποτάμι χειμώνας ξυλουργός γράμμα αγορά κουζίνα κήπος σχολείο βουνά σύννεφα γείτονας βράδυ φως κάρβουνο μήλο άλογο πέτρα"),
    spaced("في من على إلى أن عن مع هذا كان لا ما هو التي الذي بعد كل قد بين ثم أو",
        "المنارة الخباز النافذة النهر الشتاء النجار الرسالة السوق المطبخ الحديقة المدرسة الجبال الغيوم الجار المساء الضوء الفحم التفاحة الحصان الحجر"),
    spaced("و در به از که این را با است برای آن یک خود تا بر هم نیز می شد بود",
        "فانوس نانوا پنجره رودخانه زمستان نجار نامه بازار آشپزخانه باغ مدرسه کوه\u{200c}ها ابرها همسایه عصر نور زغال سیب اسب سنگ"),
    spaced("של את על לא הוא זה עם היא כי גם או אל יש היה אם כל אבל רק מה אני",
        "המגדלור האופה החלון הנהר החורף הנגר המכתב השוק המטבח הגן בית־הספר ההרים העננים השכן הערב האור הפחם התפוח הסוס האבן"),
    Vocabulary { end: "। ", ..spaced("के है में की और से का को पर यह कि नहीं एक ने हैं था भी लिए तो हो",
        "दीपस्तंभ नानबाई खिड़की नदी सर्दी बढ़ई चिट्ठी बाज़ार रसोई बगीचा पाठशाला पहाड़ बादल पड़ोसी शाम रोशनी कोयला सेब घोड़ा पत्थर") },
    Vocabulary { end: "। ", ..spaced("এবং এই যে না করে থেকে একটি তার জন্য ও হয় কিন্তু সে তারা ছিল আর কি মধ্যে সঙ্গে পর",
        "বাতিঘর রুটিওয়ালা জানালা নদী শীত ছুতার চিঠি বাজার রান্নাঘর বাগান পাঠশালা পাহাড় মেঘ প্রতিবেশী সন্ধ্যা আলো কয়লা আপেল ঘোড়া পাথর") },
    spaced("மற்றும் ஒரு இந்த அது என்று இருந்து உள்ள அவர் என இல்லை போது பின்னர் அந்த தான் மேலும் வரை",
        "கலங்கரை ஜன்னல் ஆறு குளிர் தச்சர் கடிதம் சந்தை சமையலறை தோட்டம் பள்ளி மலைகள் மேகங்கள் மாலை ஒளி நிலக்கரி குதிரை கல்"),
    Vocabulary { frequent: "ที่ และ ใน ของ เป็น มี ได้ ไม่ ว่า จะ ให้ กับ จาก แต่ ก็",
        others: "ประภาคาร คนทำขนม หน้าต่าง แม่น้ำ ฤดูหนาว ช่างไม้ จดหมาย ตลาด ห้องครัว สวน โรงเรียน ภูเขา เมฆ เพื่อนบ้าน แสงไฟ",
        between: "", end: " " },
    Vocabulary { frequent: "的 是 在 了 和 有 不 我们 他 这 也 就 都 与 对",
        others: "灯塔 面包师 窗户 河流 冬天 木匠 信件 市场 厨房 花园 学校 高山 云彩 邻居 晚上 灯光 煤炭 苹果 石头 老师",
        between: "", end: "。" },
    Vocabulary { frequent: "の は が を に と で も から まで です ます した ない それは",
        others: "灯台 パン屋 まど 川 冬 大工 手紙 いちば 台所 にわ 学校 山 くも となり 夕方 あかり 石炭 りんご うま 石",
        between: "", end: "。" },
    spaced("이 그 그리고 는 있다 것은 하지만 또 에서 에게 우리는 없다 때문에 그는 같은 모든",
        "등대가 빵집에서 창문을 강물이 겨울에 목수는 편지를 시장에서 부엌에 정원을 학교에 산으로 구름이 이웃과 저녁에 불빛을 석탄을 사과를"),
    Vocabulary { end: "։ ", ..spaced("և է որ մի այս են նա ոչ հետ համար բայց էր մեջ նրա իր երբ",
        "փարոսը հացթուխը պատուհանը գետը ձմեռը հյուսնը նամակը շուկան խոհանոցը այգին դպրոցը սարերը ամպերը հարևանը երեկոն լույսը ածուխը խնձորը ձին քարը") },
    spaced("და რომ არ ეს იყო მაგრამ მის ის თუ კი როგორც ერთი მან ამ რა უფრო",
        "შუქურა მეპურე ფანჯარა მდინარე ზამთარი დურგალი წერილი ბაზარი სამზარეულო ბაღი სკოლა მთები ღრუბლები მეზობელი საღამო სინათლე ნახშირი ვაშლი ცხენი ქვა"),
];

/// A text as its sentences, so that some of them can be left out.
pub(super) type Sentences = Vec<String>;

fn sentence(random: &mut Random, vocabulary: &Vocabulary) -> String {
    let frequent: Vec<&str> = vocabulary.frequent.split(' ').collect();
    let others: Vec<&str> = vocabulary.others.split(' ').collect();
    let mut sentence = String::new();
    for word in 0..4 + random.below(14) {
        if word > 0 {
            sentence += vocabulary.between;
        }
        let is_frequent = random.once_in(2);
        let words = if is_frequent { &frequent } else { &others };
        let word: &&str = random.of(words);
        sentence += word;
        if !is_frequent && random.once_in(12) {
            let _ = write!(sentence, "{}{}", vocabulary.between, random.below(2000));
        }
    }
    sentence + if random.once_in(5) { "\n" } else { vocabulary.end }
}

fn sentences(random: &mut Random, vocabulary: &Vocabulary, count: usize) -> Sentences {
    (0..count).map(|_| sentence(random, vocabulary)).collect()
}

/// Returns a copy of a text in which once in `rate` words are dropped, doubled or replaced.
fn edited(random: &mut Random, text: &Sentences, rate: usize) -> Sentences {
    let edit = |sentence: &String| {
        let mut edited = String::new();
        for word in sentence.split_inclusive(' ') {
            match if random.once_in(rate) { random.below(3) } else { 3 } {
                0 => {}
                1 => edited += &word.repeat(2),
                2 => {
                    let _ = write!(edited, "x{} ", random.below(50));
                }
                _ => edited += word,
            }
        }
        edited
    };
    text.iter().map(edit).collect()
}

/// Returns the words of a text written in another way: in capitals, in full-width letters, with
/// other punctuation, or broken at line ends.
fn rewritten(random: &mut Random, text: &Sentences) -> Sentences {
    let way = random.below(4);
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap(),
        c => c,
    };
    let rewrite = |sentence: &String| match way {
        0 => sentence.to_uppercase(),
        1 => sentence.chars().map(wide).collect(),
        2 => sentence.replace(". ", " — ").replace('\n', "  "),
        _ => sentence.replace("er ", "-\ner ").replace("en ", "-\nen "),
    };
    text.iter().map(rewrite).collect()
}

/// Returns a few sentences in a row.
fn part(random: &mut Random, text: &Sentences) -> Sentences {
    let start = random.below(text.len().max(1)).min(text.len());
    let end = (start + 1 + random.below(4)).min(text.len());
    text[start..end].to_vec()
}

/// Returns a corpus of fewer texts than many, and a template that some of its texts contain.
pub(super) fn corpus(random: &mut Random) -> (Vec<Sentences>, Sentences) {
    let [main, other, of_sheet] = [(); 3].map(|()| random.of(VOCABULARIES));
    let sheet_length = 3 + random.below(20);
    let sheet = sentences(random, of_sheet, sheet_length);
    let longest = *random.of(&[3, 12, 40]);
    let mut texts: Vec<Sentences> = Vec::new();
    for _ in 0..3 + random.below(7) {
        let vocabulary = if random.once_in(5) { other } else { main };
        let length = 1 + random.below(longest);
        let mut text = sentences(random, vocabulary, length);
        if !texts.is_empty() {
            let earlier = random.of(&texts).clone();
            let passage = part(random, &earlier);
            match random.below(9) {
                0 => text = earlier,
                1 => text = rewritten(random, &earlier),
                2 | 3 => {
                    let rate = *random.of(&[3, 8, 30]);
                    text = edited(random, &earlier, rate);
                }
                4 | 5 => drop(text.splice(..0, passage)),
                6 => text.extend(edited(random, &passage, 6)),
                7 => text.extend(passage.iter().cycle().take(8 * passage.len()).cloned()),
                _ => {}
            }
        }
        match random.below(14) {
            0 => text.truncate(1),
            1 => {
                let times = 2 + random.below(20);
                text = part(random, &text).iter().map(|sentence| sentence.repeat(times)).collect();
            }
            2 => {
                text =
                    (1..40).map(|row| format!("{row} {}\n", random.of(&["yes", "no"]))).collect();
            }
            3 => {
                text.insert(text.len() / 2, "\n\n“".to_owned());
                text.push("”\n".to_owned());
            }
            4 => text.insert(text.len() / 2, "\n\nReferences\n\n".to_owned()),
            5 => {
                text.insert(text.len() / 2, "\ndedup: ignore-start\n".to_owned());
                text.push("\ndedup: ignore-end\n".to_owned());
            }
            6 => text = vec![(*random.of(&["", " \n", "the", "42", "¿?", "ok yes"])).to_owned()],
            _ => {}
        }
        if random.once_in(3) {
            text.splice(..0, sheet.iter().cloned().chain(["\n\n".to_owned()]));
        }
        texts.push(text);
    }
    (texts, sheet)
}
