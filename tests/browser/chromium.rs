//! Starts Chromium, opens pages in it, and records their requests and console messages.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use headless_chrome::browser::default_executable;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Network, Target};
use headless_chrome::{Browser, LaunchOptions, Tab};

/// Flags without which the browser makes network requests of its own.
const FLAGS: [&str; 5] = [
    "--disable-quic",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--no-default-browser-check",
    "--no-pings",
];

/// Returns `found`. If it is `None`, the test may be skipped, except under `DEDUP_CI`.
pub(crate) fn skip_if_missing(what: &str, found: Option<PathBuf>) -> Option<PathBuf> {
    if found.is_none() {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{what} is missing");
        let _ = writeln!(std::io::stderr(), "skipped: {what} is missing");
    }
    found
}

/// Returns the browser that all concurrently running tests share, with an empty profile. It exits
/// with the last of them. `None` if there is no browser on the machine.
pub(crate) fn browser() -> Option<Arc<Browser>> {
    static RUNNING: Mutex<Weak<Browser>> = Mutex::new(Weak::new());
    let path = skip_if_missing("a browser (chromium)", default_executable().ok())?;
    let mut running = RUNNING.lock().unwrap();
    let browser = running.upgrade().unwrap_or_else(|| Arc::new(started(path)));
    *running = Arc::downgrade(&browser);
    Some(browser)
}

fn started(path: PathBuf) -> Browser {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser/profile");
    let _ = std::fs::remove_dir_all(&profile);
    let browser = Browser::new(LaunchOptions {
        path: Some(path),
        sandbox: false,
        user_data_dir: Some(profile),
        args: FLAGS.iter().map(OsStr::new).collect(),
        idle_browser_timeout: Duration::from_mins(5),
        ..LaunchOptions::default()
    });
    browser.unwrap()
}

/// Opens a page in a new window, because nothing moves in a tab in the background. Also returns the
/// list to which its network requests and console messages will be added.
pub(crate) fn open(browser: &Browser, address: &str) -> (Arc<Tab>, Arc<Mutex<Vec<String>>>) {
    let window = Target::CreateTarget {
        url: "about:blank".to_owned(),
        left: None,
        top: None,
        width: Some(1200),
        height: Some(800),
        window_state: None,
        browser_context_id: None,
        enable_begin_frame_control: None,
        new_window: Some(true),
        background: None,
        for_tab: None,
        hidden: None,
    };
    let tab = browser.new_tab_with_options(window).unwrap();
    let network_and_console = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::clone(&network_and_console);
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
        let message = match event {
            Event::NetworkRequestWillBeSent(sent) => sent.params.request.url.clone(),
            Event::LogEntryAdded(entry) => format!("{:?}", entry.params.entry),
            Event::RuntimeConsoleAPICalled(call) => format!("{:?}", call.params),
            Event::RuntimeExceptionThrown(thrown) => format!("{:?}", thrown.params),
            _ => return,
        };
        hearing.lock().unwrap().push(message);
    }))
    .unwrap();
    tab.navigate_to(address).unwrap();
    // The driver's own wait needs half a second without a request.
    let complete = "document.readyState === 'complete' && location.protocol === 'file:'";
    let is_complete = || {
        let found = tab.evaluate(complete, false).ok().and_then(|found| found.value);
        found == Some(true.into()) || {
            std::thread::sleep(Duration::from_millis(20));
            false
        }
    };
    assert!((0..1000).any(|_| is_complete()), "{address} does not open");
    (tab, network_and_console)
}
