//! Draws the pictures of reports in README: `cargo run --example picture`.
//!
//! It needs Chromium and the Noto fonts, with which the lines of the samples fit, and writes
//! `docs/report.png` and `docs/corpus.png`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use dedup_text::text::{ReadOptions, Text};
use headless_chrome::protocol::cdp::Page::CaptureScreenshotFormatOption::Png;
use headless_chrome::{Browser, LaunchOptions, Tab};

/// A class of pupils. Each row has a name, the sample that the pupil's essay is copied from, and
/// n, where every n-th sentence of the sample is left out.
#[rustfmt::skip]
const CLASS: &[(&str, &str, usize)] = &[
    ("Ada",    "one_in_hundred_1", 99), ("Bruno", "moved_1",          99), ("Clara", "rewritten_1",      99),
    ("David",  "one_in_hundred_2", 9),  ("Elisa", "two_hands_1",      99), ("Felix", "one_in_hundred_1", 5),
    ("Greta",  "elided_1",         99), ("Hugo",  "one_in_hundred_2", 3),  ("Irene", "moved_1",          7),
    ("Jonas",  "two_hands_2",      99), ("Karin", "rewritten_1",      6),  ("Luca",  "layout_1",         99),
    ("Marta",  "moved_2",          4),  ("Nils",  "one_in_hundred_1", 4),  ("Olga",  "layout_2",         99),
    ("Pere",   "pasted_2",         99), ("Quim",  "rewritten_1",      3),  ("Rosa",  "pasted_2",         12),
    ("Sofia",  "one_in_hundred_1", 2),  ("Tomas", "translation_1",    99), ("Ulla",  "opposite_1",       99),
    ("Viktor", "moved_1",          3),  ("Wanda", "opposite_2",       8),  ("Xenia", "unrelated_1",      99),
];

fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let browser = Browser::new(LaunchOptions {
        sandbox: false, // Chromium needs this when run as root, as in CI; the page is our own
        user_data_dir: Some(folder.path().join("profile")),
        window_size: Some((1280, 1420)),
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
    // Select a passage; the page stays scrolled to its top.
    let samples = ["samples/rewritten_1.txt", "samples/rewritten_2.txt"];
    let report = folder.path().join("report.html");
    draw(&tab, (Path::new("."), &samples, 1), &report, "select(3)", "docs/report.png")?;
    write_class(folder.path())?;
    let class = ["corpus", "essays", "--at-least", "partial"];
    draw(&tab, (folder.path(), &class, 0), &report, "0", "docs/corpus.png")
}

/// Runs `dedup` in a folder, checks its exit status, and draws its report.
fn draw(
    tab: &Tab,
    (folder, arguments, status): (&Path, &[&str], i32),
    report: &Path,
    script: &str,
    picture: &str,
) -> anyhow::Result<()> {
    let mut dedup = Command::new(env!("CARGO"));
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    dedup.args(["run", "--quiet", "--manifest-path", manifest, "--bin", "dedup", "--"]);
    let dedup = dedup
        .args(arguments)
        .current_dir(folder)
        .args(["--quiet", "--report"])
        .arg(report)
        .status()?;
    ensure!(dedup.code() == Some(status), "dedup ended with {dedup}");
    tab.navigate_to(&format!("file://{}", report.display()))?.wait_until_navigated()?;
    let still = "new Promise((done) => setTimeout(done, 500))";
    tab.evaluate(&format!("{script}; {still}"), true)?;
    let png = tab.capture_screenshot(Png, None, None, true)?;
    std::fs::create_dir_all("docs")?;
    std::fs::write(picture, png).with_context(|| picture.to_owned())
}

/// Writes the essays of the class into the subfolder `essays` of a folder.
fn write_class(folder: &Path) -> anyhow::Result<()> {
    let essays = folder.join("essays");
    std::fs::create_dir(&essays)?;
    for (pupil, (name, sample, stride)) in CLASS.iter().enumerate() {
        let path = format!("samples/{sample}.txt");
        let text = Text::open(Path::new(&path), &ReadOptions::default())?;
        let sentences = text.content().split_inclusive(". ").enumerate();
        let kept = sentences.filter(|(number, _)| (number + pupil) % stride != stride - 1);
        let essay: String = kept.map(|(_, sentence)| sentence).collect();
        std::fs::write(essays.join(format!("{name}.txt")), essay)?;
    }
    Ok(())
}
