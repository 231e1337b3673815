//! Draws the picture of a report that README shows: `cargo run --example picture`.
//!
//! It needs Chromium, and writes `docs/report.png`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use headless_chrome::protocol::cdp::Page::CaptureScreenshotFormatOption::Png;
use headless_chrome::{Browser, LaunchOptions};

fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.html");
    let dedup = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--bin", "dedup", "--", "--quiet", "--report"])
        .arg(&report)
        .args(["samples/rewritten_1.txt", "samples/rewritten_2.txt"])
        .status()?;
    ensure!(dedup.code() == Some(1), "dedup ended with {dedup}");

    let profile = folder.path().join("profile");
    let browser = Browser::new(LaunchOptions {
        sandbox: false, // for root, as in CI; the page is our own
        user_data_dir: Some(profile),
        window_size: Some((1280, 1200)),
        args: [
            "--disable-quic",
            "--disable-component-update",
            "--hide-scrollbars",
            "--force-device-scale-factor=0.75",
        ]
        .map(OsStr::new)
        .to_vec(),
        ..LaunchOptions::default()
    })?;
    let tab = browser.new_tab()?;
    tab.navigate_to(&format!("file://{}", report.display()))?.wait_until_navigated()?;
    // A passage is chosen, but the page stays at its top.
    let still = "new Promise((done) => setTimeout(done, 500))";
    tab.evaluate(&format!("select(3); {still}"), true)?;
    let png = tab.capture_screenshot(Png, None, None, true)?;
    let path = Path::new("docs/report.png");
    std::fs::create_dir_all("docs")?;
    std::fs::write(path, png).with_context(|| path.display().to_string())
}
