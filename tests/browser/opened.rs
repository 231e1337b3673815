//! A report that is open in a browser, and the pairs of texts for it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use dedup_text::text::{ReadOptions, Text};
use headless_chrome::protocol::cdp::Emulation;
use headless_chrome::{Browser, Tab};
use serde_json::Value;

use crate::chromium::{browser, open};

/// A report in its own window.
pub(crate) struct Opened {
    pub(crate) tab: Arc<Tab>,
    /// The URL of the report.
    pub(crate) address: String,
    /// The contents of both files.
    pub(crate) files: [String; 2],
    /// Both texts in the form in which they were compared.
    pub(crate) texts: [String; 2],
    /// The JSON record of the pair.
    pub(crate) record: Value,
    /// The network requests and console messages of the page.
    network_and_console: Arc<Mutex<Vec<String>>>,
    _browser: Arc<Browser>,
}

impl Opened {
    /// Compares two texts in a new folder for the test, and opens the report. `None` if there is no
    /// browser.
    pub(crate) fn pair(test: &str, left: &str, right: &str) -> Option<Self> {
        Self::pair_with(test, left, right, &[])
    }

    /// Same as [`pair`](Self::pair), but with flags.
    pub(crate) fn pair_with(test: &str, left: &str, right: &str, flags: &[&str]) -> Option<Self> {
        let browser = browser()?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("left.txt"), left).unwrap();
        fs::write(folder.join("right.txt"), right).unwrap();
        let run = |more: &[&str]| {
            let mut dedup = Command::new(env!("CARGO_BIN_EXE_dedup"));
            dedup.current_dir(&folder).args(["left.txt", "right.txt"]).args(flags).args(more);
            let run = dedup.output().unwrap();
            assert_eq!(String::from_utf8_lossy(&run.stderr), "");
            run.stdout
        };
        run(&["--quiet", "--report", "report.html"]);
        let record = serde_json::from_slice(&run(&["--format", "json"])).unwrap();
        let texts = ["left.txt", "right.txt"].map(|name| {
            let read = Text::open(&folder.join(name), &ReadOptions::default()).unwrap();
            read.content().to_owned()
        });
        let files = [left.to_owned(), right.to_owned()];
        Some(Self { files, texts, record, ..Self::file(browser, &folder.join("report.html")) })
    }

    /// Opens a file.
    pub(crate) fn file(browser: Arc<Browser>, file: &Path) -> Self {
        let address = format!("file://{}", file.display());
        let (tab, network_and_console) = open(&browser, &address);
        let (files, texts) = Default::default();
        Self {
            tab,
            address,
            files,
            texts,
            record: Value::Null,
            network_and_console,
            _browser: browser,
        }
    }

    /// Compares the two samples with this name, and opens the report.
    pub(crate) fn sample(test: &str, name: &str) -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
        let [left, right] =
            [1, 2].map(|side| fs::read_to_string(format!("samples/{name}_{side}.txt")).unwrap());
        Self::pair(test, &left, &right)
    }

    /// Returns the network requests and console messages, except the request for the page itself.
    pub(crate) fn network_and_console(&self) -> Vec<String> {
        let entries = self.network_and_console.lock().unwrap();
        let itself = entries.iter().filter(|entry| **entry == self.address).count();
        assert_eq!(itself, 1, "{entries:?}");
        entries.iter().filter(|entry| **entry != self.address).cloned().collect()
    }

    /// Returns the value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let expression = format!("Promise.resolve({expression}).then(JSON.stringify)");
        let json = self.tab.evaluate(&expression, true).unwrap().value;
        let json = json.unwrap_or_else(|| panic!("no value: {expression}"));
        serde_json::from_str(json.as_str().unwrap()).unwrap()
    }

    /// Presses a key, and waits until nothing moves.
    pub(crate) fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
        self.settle();
    }

    /// Presses a key that leads to another page or view, and waits until it is loaded.
    pub(crate) fn open_with_key(&self, key: &str) {
        let before = self.value("[location.href, document.title]").to_string();
        self.tab.press_key(key).unwrap();
        // Between two pages, the evaluation fails.
        let after =
            "document.readyState === 'complete' && JSON.stringify([location.href, document.title])";
        let is_there = || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            let found = self.tab.evaluate(after, false).ok().and_then(|found| found.value);
            found.is_some_and(|found| found.as_str().is_some_and(|it| it != before))
        };
        assert!((0..500).any(|_| is_there()), "{key} leads nowhere");
        self.settle();
    }

    /// Clicks in the middle of the first element that matches, and waits until nothing moves.
    pub(crate) fn click(&self, selector: &str) {
        self.value(&format!(
            "document.querySelector('{selector}').scrollIntoView({{ block: 'nearest' }})?.x ?? 0"
        ));
        self.settle();
        let middle = self.value(&format!(
            "(() => {{ const box = document.querySelector('{selector}').getClientRects()[0];
                return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        let [x, y] = [0, 1].map(|axis| middle[axis].as_f64().unwrap());
        self.tab.click_point(headless_chrome::browser::tab::point::Point { x, y }).unwrap();
        self.settle();
    }

    fn settle(&self) {
        self.value(
            "new Promise((done) => {
                const wait = (frames) => frames ? requestAnimationFrame(() => wait(frames - 1)) : done(1);
                wait(12);
            })",
        );
    }

    /// Switches the colour scheme to `light` or `dark`.
    pub(crate) fn set_color_scheme(&self, scheme: &str) {
        let feature = Emulation::MediaFeature {
            name: "prefers-color-scheme".to_owned(),
            value: scheme.to_owned(),
        };
        let features = Some(vec![feature]);
        self.tab.call_method(Emulation::SetEmulatedMedia { media: None, features }).unwrap();
    }

    /// Sets the width of the window, in CSS pixels.
    pub(crate) fn at_width(&self, width: u32) {
        let size = Emulation::SetDeviceMetricsOverride {
            width,
            height: 900,
            device_scale_factor: 1.0,
            mobile: false,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        };
        self.tab.call_method(size).unwrap();
        self.settle();
    }

    /// Switches the medium to `screen` or `print`.
    pub(crate) fn in_media(&self, media: &str) {
        let media = Some(media.to_owned());
        self.tab.call_method(Emulation::SetEmulatedMedia { media, features: None }).unwrap();
    }
}

/// Returns two long texts that share 40 passages of 30 to 69 words, in opposite order. Between the
/// passages, each text has words of its own.
pub(crate) fn long_pair() -> [String; 2] {
    let words = |name: &str, first: usize, count: usize| {
        let words = (first..first + count).map(|word| format!("{name}{word}"));
        words.collect::<Vec<_>>().join(" ")
    };
    let part = |own: &str, number: usize| {
        let passage = words(&format!("p{number}w"), 0, 30 + number);
        format!("{}\n{passage}\n\n", words(own, 100 * number, 90))
    };
    let text = |own: &str, order: &mut dyn Iterator<Item = usize>| -> String {
        order.map(|number| part(own, number)).collect()
    };
    [text("alpha", &mut (0..40)), text("beta", &mut (0..40).rev())]
}

/// Opens the report on a pair with quotations, one of them inside the passage, and with a list of
/// references. All of these are excluded. Adds `flags` to the command line.
pub(crate) fn left_out(test: &str, flags: &[&str]) -> Option<Opened> {
    let start = "the copper kettle";
    let end = "stands on the wooden table in the old mill beside the river at dawn";
    let quote = "“whoever crosses\ntwice has paid for both ways”";
    let left = format!("Every morning {start} {end}.\n\nHe says {quote}. And it is so.\n");
    let right = format!(
        "At night {start}, {quote}, {end}.\n\n\
         References\n\nDoe, J.: The copper kettle of the mill. 1999.\n"
    );
    Opened::pair_with(test, &left, &right, &[&["--ignore", "quotes,bibliography"], flags].concat())
}
