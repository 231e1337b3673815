//! A report that is open in a browser.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use dedup_text::text::{Reading, Text};
use headless_chrome::browser::default_executable;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Network};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;

/// Flags without which a browser does not start as root, or asks the network for things of
/// its own.
const FLAGS: [&str; 5] = [
    "--disable-quic",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--no-default-browser-check",
    "--no-pings",
];

/// A report in a browser of its own.
pub(crate) struct Opened {
    pub(crate) tab: Arc<Tab>,
    /// The report's address.
    pub(crate) address: String,
    /// Both texts, as they were compared.
    pub(crate) texts: [String; 2],
    /// What was asked of a network, and told on the console.
    heard: Arc<Mutex<Vec<String>>>,
    _browser: Browser,
}

/// A path, or none where a test may be skipped for want of it.
pub(crate) fn or_skip(what: &str, found: Option<PathBuf>) -> Option<PathBuf> {
    if found.is_none() {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{what} is missing");
        let _ = writeln!(std::io::stderr(), "skipped: {what} is missing");
    }
    found
}

impl Opened {
    /// Compares two texts in a folder made anew for a test, and opens the report; none
    /// where there is no browser.
    pub(crate) fn pair(test: &str, left: &str, right: &str) -> Option<Self> {
        let browser = or_skip("a browser (chromium)", default_executable().ok())?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("left.txt"), left).unwrap();
        fs::write(folder.join("right.txt"), right).unwrap();
        let line = ["left.txt", "right.txt", "--quiet", "--report", "report.html"];
        let mut dedup = Command::new(env!("CARGO_BIN_EXE_dedup"));
        let run = dedup.current_dir(&folder).args(line).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&run.stderr), "");
        let texts = ["left.txt", "right.txt"].map(|name| {
            let read = Text::open(&folder.join(name), &Reading::default()).unwrap();
            read.content().to_owned()
        });
        Some(Self::page(&browser, &folder, texts))
    }

    /// The samples of a name.
    pub(crate) fn sample(test: &str, name: &str) -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
        let [left, right] =
            [1, 2].map(|side| fs::read_to_string(format!("samples/{name}_{side}.txt")).unwrap());
        Self::pair(test, &left, &right)
    }

    fn page(path: &Path, folder: &Path, texts: [String; 2]) -> Self {
        let browser = Browser::new(LaunchOptions {
            path: Some(path.to_owned()),
            sandbox: false,
            user_data_dir: Some(folder.join("profile")),
            window_size: Some((1200, 800)),
            args: FLAGS.iter().map(OsStr::new).collect(),
            ..LaunchOptions::default()
        });
        let browser = browser.unwrap();
        let tab = browser.new_tab().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hearing = Arc::clone(&heard);
        tab.enable_log().unwrap().enable_runtime().unwrap();
        tab.call_method(Network::Enable {
            max_total_buffer_size: None,
            max_resource_buffer_size: None,
            max_post_data_size: None,
            report_direct_socket_traffic: None,
            enable_durable_messages: None,
        })
        .unwrap();
        tab.add_event_listener(Arc::new(move |event: &Event| {
            let told = match event {
                Event::NetworkRequestWillBeSent(sent) => sent.params.request.url.clone(),
                Event::LogEntryAdded(entry) => format!("{:?}", entry.params.entry),
                Event::RuntimeConsoleAPICalled(call) => format!("{:?}", call.params),
                Event::RuntimeExceptionThrown(thrown) => format!("{:?}", thrown.params),
                _ => return,
            };
            hearing.lock().unwrap().push(told);
        }))
        .unwrap();
        let address = format!("file://{}", folder.join("report.html").display());
        tab.navigate_to(&address).unwrap().wait_until_navigated().unwrap();
        Self { tab, address, texts, heard, _browser: browser }
    }

    /// What was asked of a network, and told on the console, but for the page itself.
    pub(crate) fn heard(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        let itself = heard.iter().filter(|told| **told == self.address).count();
        assert_eq!(itself, 1, "{heard:?}");
        heard.iter().filter(|told| **told != self.address).cloned().collect()
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let expression = format!("Promise.resolve({expression}).then(JSON.stringify)");
        let json = self.tab.evaluate(&expression, true).unwrap().value;
        let json = json.unwrap_or_else(|| panic!("no value: {expression}"));
        serde_json::from_str(json.as_str().unwrap()).unwrap()
    }

    /// Presses a key and waits until nothing moves.
    pub(crate) fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
        self.settle();
    }

    /// Clicks in the middle of what is found, and waits until nothing moves.
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

    /// Looks at the page in `light` or `dark`.
    pub(crate) fn in_scheme(&self, scheme: &str) {
        let feature = Emulation::MediaFeature {
            name: "prefers-color-scheme".to_owned(),
            value: scheme.to_owned(),
        };
        let features = Some(vec![feature]);
        self.tab.call_method(Emulation::SetEmulatedMedia { media: None, features }).unwrap();
    }
}

/// Two long texts that have 40 passages of 30 to 69 words in opposite order, each between
/// words of its own text.
pub(crate) fn long_pair() -> [String; 2] {
    let words = |name: &str, first: usize, count: usize| {
        let words = (first..first + count).map(|word| format!("{name}{word}"));
        words.collect::<Vec<_>>().join(" ")
    };
    let part = |own: &str, number: usize| {
        let passage = words(&format!("p{number}w"), 0, 30 + number);
        format!("{}\n{passage}\n\n", words(own, 100 * number, 80))
    };
    let text = |own: &str, order: &mut dyn Iterator<Item = usize>| -> String {
        order.map(|number| part(own, number)).collect()
    };
    [text("alpha", &mut (0..40)), text("beta", &mut (0..40).rev())]
}
