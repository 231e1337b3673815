//! Tests of the page that compares texts by itself, opened from a file: dropped files, what it
//! shows and saves, and that it makes no network requests. `web/build` builds it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use headless_chrome::protocol::cdp::Input::{
    DispatchDragEvent, DispatchDragEventTypeOption as Drag, DragData,
};
use serde_json::json;

use crate::access::{axe, check_rules};
use crate::chromium::{browser, skip_if_missing};
use crate::opened::Opened;

/// Returns the path of the page: `DEDUP_PAGE`, or else the output of `web/build`.
pub(crate) fn page_file() -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../web/dedup.html");
    let file = std::env::var_os("DEDUP_PAGE").map_or(built, PathBuf::from);
    skip_if_missing("the page (web/build)", file.canonicalize().ok())
}

/// Opens the page, and waits until its program is ready to run.
pub(crate) fn page() -> Option<Opened> {
    let file = page_file()?;
    let page = Opened::file(browser()?, &file);
    wait_until(&page, "document.body.dataset.ready === 'yes'");
    Some(page)
}

/// Waits until an expression is true in the page. It may throw until then: while a report is loaded,
/// its frame has no document.
pub(crate) fn wait_until(page: &Opened, holds: &str) {
    let start = Instant::now();
    let holds_now =
        format!("(() => {{ try {{ return Boolean({holds}) }} catch {{ return false }} }})()");
    while page.value(&holds_now) != true {
        assert!(start.elapsed() < Duration::from_mins(2), "never: {holds}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) const ENDED: &str = "document.getElementById('busy').hidden && (!document.getElementById('messages').hidden || \
                     document.querySelector('iframe') && !document.getElementById('result').hidden)";

/// The document of the report in the page.
pub(crate) const REPORT: &str = "document.querySelector('iframe').contentDocument";

/// Creates a folder for the test, with files.
pub(crate) fn folder(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(test);
    let _ = fs::remove_dir_all(&folder);
    for (name, bytes) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    folder
}

/// Drops files or folders on an element, as a user does.
pub(crate) fn drop_on(page: &Opened, place: &str, files: &[&Path]) {
    let corner = page.value(&format!(
        "(() => {{ const place = document.querySelector('{place}'); place.scrollIntoView();
            const box = place.getBoundingClientRect(); return [box.x + 20, box.y + 20]; }})()"
    ));
    let [x, y] = [0, 1].map(|axis| corner[axis].as_f64().unwrap());
    for step in [Drag::DragEnter, Drag::DragOver, Drag::Drop] {
        let files = files.iter().map(|file| file.canonicalize().unwrap().display().to_string());
        let data =
            DragData { items: Vec::new(), files: Some(files.collect()), drag_operations_mask: 1 };
        page.tab
            .call_method(DispatchDragEvent { Type: step, x, y, data, modifiers: None })
            .unwrap();
    }
}

/// Returns the network requests and console messages, except for the `blob:` URL of the worker.
pub(crate) fn network_and_console(page: &Opened) -> Vec<String> {
    page.network_and_console().into_iter().filter(|message| !message.starts_with("blob:")).collect()
}

/// Reads a file.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
pub(crate) fn read(path: impl AsRef<Path>) -> Vec<u8> {
    fs::read(path).unwrap()
}

/// Runs the binary in the folder of the package, and returns its standard output.
pub(crate) fn printed(arguments: &[&str]) -> Vec<u8> {
    Command::new(env!("CARGO_BIN_EXE_dedup")).args(arguments).output().unwrap().stdout
}

/// Returns the arguments that compare each pair of samples, from the table in their README.
fn sample_runs() -> Vec<Vec<String>> {
    let table = String::from_utf8(read("samples/README.md")).unwrap();
    let rows = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let ["", name, _, _, options, _, exit, ""] = cells[..] else { return None };
        exit.parse::<u8>().ok()?;
        let files = [1, 2].map(|side| format!("samples/{name}_{side}.txt"));
        Some(files.into_iter().chain(options.split_whitespace().map(str::to_owned)).collect())
    });
    let rows: Vec<Vec<String>> = rows.collect();
    assert!(rows.len() >= 20, "{} rows", rows.len());
    rows
}

/// Returns the names of the samples.
fn samples() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir("samples")
        .unwrap()
        .map(|entry| format!("samples/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    names.sort();
    names
}

/// Returns the command lines that compare each pair of samples, and all samples as a corpus, each
/// with JSON output.
pub(crate) fn runs_of_samples() -> Vec<Vec<String>> {
    let mut runs = sample_runs();
    let texts = samples().into_iter();
    let texts = texts.filter(|name| Path::new(name).extension().is_some_and(|it| it == "txt"));
    runs.push(
        ["corpus", "--at-least", "partial"].map(str::to_owned).into_iter().chain(texts).collect(),
    );
    for run in &mut runs {
        run.extend(["--format", "json"].map(str::to_owned));
    }
    runs
}

/// Returns an expression for the answers of the page to command lines on samples.
pub(crate) fn answers(runs: &[Vec<String>]) -> String {
    let files: Vec<[String; 2]> =
        samples().iter().map(|name| [name.clone(), BASE64.encode(&read(name))]).collect();
    format!(
        "(async () => {{
            const bytes = (base64) => Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
            const files = {files}.map(([name, base64]) => [name, new Blob([bytes(base64)])]);
            const found = [];
            for (const run of {runs}) {{
                const answer = await dedup.run(run, files);
                found.push(new TextDecoder().decode(answer.output));
            }}
            return found;
        }})()",
        files = json!(files),
        runs = json!(runs)
    )
}

/// A PDF that is drawn for years loses the page its time, and no other file.
#[test]
fn a_pdf_without_end_is_named_and_the_others_are_compared() {
    let Some(page) = page() else { return };
    let files = ["libreoffice.pdf", "endless.pdf", "libreoffice.docx"]
        .map(|name| [name.to_owned(), BASE64.encode(&read(format!("tests/documents/{name}")))]);
    let answer = page.value(&format!(
        "(async () => {{
            const bytes = (base64) => Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
            const files = {files}.map(([name, base64]) => [`class/${{name}}`, new Blob([bytes(base64)])]);
            const run = ['corpus', '--format', 'jsonl', '--', 'class'];
            const answer = await dedup.run(run, files, {{ pdfTime: 2000 }});
            const pairs = new TextDecoder().decode(answer.output).trim().split('\\n').map(JSON.parse);
            return [answer.status, answer.lines[0], pairs.map((pair) => [pair.a.path, pair.b.path, pair.verdict])];
        }})()",
        files = json!(files),
    ));
    let why = "dedup: class/endless.pdf: damaged PDF: its reader took too long or too much memory";
    let pair = ["class/libreoffice.docx", "class/libreoffice.pdf", "near-duplicate"];
    assert_eq!(answer, json!([2, why, [pair]]));
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn the_page_answers_as_the_program_does() {
    let Some(page) = page() else { return };
    let runs = runs_of_samples();
    let found = page.value(&answers(&runs));
    for (run, found) in runs.iter().zip(found.as_array().unwrap()) {
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        assert_eq!(found.as_str().unwrap(), String::from_utf8(printed(&run)).unwrap(), "{run:?}");
    }
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn two_files_are_shown_side_by_side() {
    let Some(page) = page() else { return };
    drop_on(&page, "#drop", &[Path::new("samples/edited_1.txt")]);
    wait_until(
        &page,
        "document.getElementById('chosen').textContent === 'edited_1.txt: now the other text'",
    );
    drop_on(&page, "#drop", &[Path::new("samples/edited_2.txt")]);
    wait_until(&page, ENDED);
    assert_eq!(
        page.value(&format!(
            "[{REPORT}.querySelector('.badge').textContent, {REPORT}.querySelectorAll('.pane').length, document.title]"
        )),
        json!(["near copy", 2, "edited_1.txt and edited_2.txt – dedup"])
    );
    // The saved report is the one that the program writes.
    let saved = page.value("new TextDecoder().decode(dedup.saved.html[1])");
    let place = folder("web_pair", &[("x", b"")]);
    for name in ["edited_1.txt", "edited_2.txt"] {
        fs::copy(format!("samples/{name}"), place.join(name)).unwrap();
    }
    let mut dedup = Command::new(env!("CARGO_BIN_EXE_dedup"));
    let line = "edited_1.txt edited_2.txt --report report.html --max-bytes 50000000";
    dedup.current_dir(&place).args(line.split(' ')).output().unwrap();
    let want = String::from_utf8(read(place.join("report.html"))).unwrap();
    assert_eq!(saved.as_str().unwrap(), want);
    // Reloading the page shows a warning.
    let is_warned = "(() => { const event = new Event('beforeunload', { cancelable: true });
        dispatchEvent(event); return event.defaultPrevented; })()";
    assert_eq!(page.value(is_warned), true);
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn a_folder_and_a_zip_are_a_board_as_the_program_writes_it() {
    let Some(page) = page() else { return };
    let sample = |name: &str| read(format!("samples/{name}"));
    let place = folder(
        "web_folder",
        &[
            ("class/anna/essay.txt", &sample("one_in_hundred_1.txt")),
            ("class/berta/essay.txt", &sample("one_in_hundred_2.txt")),
            ("class/clara/essay.txt", &sample("opposite_1.txt")),
            ("class/clara/picture.png", b"\x89PNG\r\n\x1a\n"),
            ("class/doris/essay.pdf", &read("tests/documents/libreoffice.pdf")),
            ("class/emma/essay.pdf", b"%PDF-1.4\n"),
        ],
    );
    let mut zip = zip::ZipWriter::new(fs::File::create(place.join("class.zip")).unwrap());
    for name in ["anna", "berta", "clara"] {
        zip.start_file(format!("{name}/essay.txt"), zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(&read(place.join(format!("class/{name}/essay.txt")))).unwrap();
    }
    zip.finish().unwrap();
    for what in ["class", "class.zip"] {
        drop_on(&page, "#drop", &[&place.join(what)]);
        wait_until(&page, ENDED);
        let mut dedup = Command::new(env!("CARGO_BIN_EXE_dedup"));
        dedup.current_dir(&place).args(["corpus", what, "--at-least", "partial", "--quiet"]);
        dedup.args([
            "--report",
            "board.html",
            "--format",
            "csv=pairs.csv",
            "--max-bytes",
            "50000000",
        ]);
        dedup.output().unwrap();
        let saved = page
            .value("['html', 'csv'].map((what) => new TextDecoder().decode(dedup.saved[what][1]))");
        for (at, file) in ["board.html", "pairs.csv"].into_iter().enumerate() {
            let want = String::from_utf8(read(place.join(file))).unwrap();
            let found = saved[at].as_str().unwrap().to_owned();
            assert_eq!(found, want, "{what}: {file}");
        }
        // A pair opens in the page, and the back button leads to the overview.
        page.value(&format!("({REPORT}.querySelector('.pairs a').click(), 1)"));
        wait_until(&page, &format!("{REPORT}.querySelectorAll('.pane').length === 2"));
        page.value("(history.back(), 1)");
        wait_until(&page, &format!("!{REPORT}.getElementById('overview').hidden"));
        page.value("(history.back(), 1)");
        wait_until(&page, "!document.getElementById('start').hidden");
        page.value("(history.forward(), 1)");
        wait_until(&page, "!document.getElementById('result').hidden");
        page.click("#back");
    }
    let is_hidden = page.value("document.getElementById('messages').hidden");
    assert_eq!(is_hidden, true);
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn the_sheet_the_level_and_the_names_count() {
    let Some(page) = page() else { return };
    drop_on(&page, "#sheet-drop", &[Path::new("samples/filled_in_sheet.txt")]);
    wait_until(
        &page,
        "document.getElementById('sheet-name').textContent === 'filled_in_sheet.txt'",
    );
    drop_on(
        &page,
        "#drop",
        &["1", "2"]
            .map(|n| format!("samples/filled_in_{n}.txt"))
            .iter()
            .map(Path::new)
            .collect::<Vec<_>>(),
    );
    wait_until(&page, ENDED);
    let badge = format!("{REPORT}.querySelector('.badge').textContent");
    assert_eq!(page.value(&badge), "different");
    page.click("#toggle");
    page.click("#no-sheet");
    wait_until(&page, &format!("{badge} === 'large part'"));
    page.click("#anonymous");
    wait_until(&page, &format!("!{REPORT}.body.innerText.includes('filled_in')"));
    wait_until(&page, "document.title === 'Left and right text – dedup'");
    let heading = page.value("document.getElementById('result-heading').textContent");
    assert_eq!(heading, "Left and right text");
    page.click("#back");
    // With several texts, a key lists which text is which.
    let files = [
        "samples/edited_1.txt",
        "samples/edited_2.txt",
        "samples/pasted_1.txt",
        "samples/pasted_2.txt",
    ];
    drop_on(&page, "#drop", &files.map(Path::new));
    wait_until(&page, "dedup.saved.key && !document.getElementById('save-key').hidden");
    // The CSV file has the names, which its button says.
    let button = "document.getElementById('save-csv').textContent";
    assert_eq!(page.value(button), "Save as CSV, with names");
    let rows = "new TextDecoder().decode(dedup.saved.csv[1]).trim().split('\\n').length - 1";
    assert_eq!(page.value(rows), 2);
    page.click("input[value=near-duplicate]");
    wait_until(&page, &format!("{rows} === 1"));
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn a_result_stays_if_the_sheet_cannot_be_read() {
    let Some(page) = page() else { return };
    let place = folder("web_sheet", &[("sheet.pdf", b"%PDF-1.4\n")]);
    drop_on(&page, "#drop", &["samples/edited_1.txt", "samples/edited_2.txt"].map(Path::new));
    wait_until(&page, ENDED);
    page.click("#toggle");
    drop_on(&page, "#sheet-drop", &[&place.join("sheet.pdf")]);
    let messages = "document.getElementById('messages')";
    wait_until(&page, &format!("{messages}.checkVisibility()"));
    let message = page.value(&format!("{messages}.textContent"));
    assert!(message.as_str().unwrap().contains("sheet.pdf"), "{message}");
    let is_shown = "!document.getElementById('result').hidden";
    assert_eq!(page.value(is_shown), true);
    // The sheet is not among the settings of the result, so that the others can be changed.
    let sheet = "document.getElementById('sheet-name').textContent";
    assert_eq!(page.value(&format!("[{sheet}, {messages}.hidden]")), json!(["", false]));
    page.click("#anonymous");
    wait_until(&page, "document.title === 'Left and right text – dedup'");
    assert_eq!(page.value(&format!("[{is_shown}, {messages}.hidden]")), json!([true, true]));
    let saved = page.value("new TextDecoder().decode(dedup.saved.html[1])");
    assert!(!saved.as_str().unwrap().contains("edited_1"));
    // A message stays with the view that it belongs to.
    drop_on(&page, "#sheet-drop", &[&place.join("sheet.pdf")]);
    wait_until(&page, &format!("!{messages}.hidden"));
    page.click("#back");
    assert_eq!(page.value(&format!("{messages}.hidden")), true);
    let texts = [PathBuf::from("samples/edited_1.txt"), place.join("sheet.pdf")];
    drop_on(&page, "#drop", &texts.each_ref().map(PathBuf::as_path));
    wait_until(&page, &format!("!{messages}.hidden"));
    page.value("(history.back(), 1)");
    wait_until(&page, is_shown);
    assert_eq!(page.value(&format!("{messages}.hidden")), true);
}

#[test]
fn one_text_on_a_result_waits_for_another_on_the_first_page() {
    let Some(page) = page() else { return };
    drop_on(&page, "#drop", &["samples/edited_1.txt", "samples/edited_2.txt"].map(Path::new));
    wait_until(&page, ENDED);
    drop_on(&page, ".bar", &[Path::new("samples/pasted_1.txt")]);
    let waits = "document.getElementById('chosen').checkVisibility()
        && document.getElementById('chosen').textContent === 'pasted_1.txt: now the other text'";
    wait_until(&page, waits);
    drop_on(&page, "#drop", &[Path::new("samples/pasted_2.txt")]);
    wait_until(&page, "document.title === 'pasted_1.txt and pasted_2.txt – dedup'");
}

#[test]
fn what_to_do_names_flags_of_the_installed_program() {
    let Some(page) = page() else { return };
    let damaged = b"\xef\xbb\xbfa text of a few words that is damaged \xff\xfe";
    let place = folder("web_flags", &[("damaged.txt", damaged)]);
    let files = [
        PathBuf::from("samples/edited_1.txt"),
        PathBuf::from("samples/edited_2.txt"),
        place.join("damaged.txt"),
    ];
    drop_on(&page, "#drop", &files.each_ref().map(PathBuf::as_path));
    wait_until(&page, ENDED);
    let cure = page.value(&format!("{REPORT}.querySelector('.cure').textContent"));
    assert_eq!(
        cure,
        "What to do with the installed program: --lossy reads it anyway, with a warning; \
         --encoding NAME reads it in another encoding."
    );
}

/// Returns a ZIP file of 300 kB whose text has 300 MB.
pub(crate) fn zip_bomb() -> Vec<u8> {
    let mut bomb = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    bomb.start_file("bomb.txt", options).unwrap();
    for _ in 0..300 {
        bomb.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    bomb.finish().unwrap().into_inner()
}

#[test]
fn what_is_hostile_is_reported_and_the_page_still_works() {
    let Some(page) = page() else { return };
    let name =
        "<img src=x onerror=document.title='hit'><script>document.title='hit'<\u{2215}script>.txt";
    let bomb = zip_bomb();
    let words = b"the same few words that stand in both of these two files, and no others at all";
    let place = folder(
        "web_hostile",
        &[("bomb.zip", &bomb), (name, words), ("-rf", words), ("empty.txt", b"")],
    );
    let messages = "document.getElementById('messages').innerText";
    drop_on(&page, "#drop", &[&place.join("bomb.zip")]);
    wait_until(&page, ENDED);
    let message = page.value(messages);
    assert!(message.as_str().unwrap().contains("bomb.zip"), "{message}");
    assert!(
        message.as_str().unwrap().contains("larger than the limit of 50000000 bytes"),
        "{message}"
    );
    assert!(
        message.as_str().unwrap().contains("\nhint for the installed program: --max-bytes off"),
        "{message}"
    );
    page.click("#clear");
    drop_on(&page, "#drop", &[&place.join(name), &place.join("empty.txt")]);
    wait_until(&page, ENDED);
    assert!(page.value(messages).as_str().unwrap().contains("empty.txt"));
    page.click("#clear");
    drop_on(&page, "#drop", &[&place.join(name), &place.join("-rf")]);
    wait_until(&page, "!document.getElementById('result').hidden");
    assert_eq!(page.value(&format!("{REPORT}.querySelector('.badge').textContent")), "identical");
    assert_eq!(
        page.value("document.title.includes('<script>') && !document.querySelector('img')"),
        true
    );
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn a_run_is_reported_and_can_be_cancelled() {
    let Some(page) = page() else { return };
    // The texts share nearly all words, so that the run takes long.
    let words: Vec<String> = (0..400).map(|word| format!("word{}", word * 7 % 401)).collect();
    let files: Vec<(String, String)> = (0..600)
        .map(|number| (format!("class/{number}.txt"), format!("{} own{number}", words.join(" "))))
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let place = folder("web_cancel", &files);
    for how in ["the button", "Escape"] {
        drop_on(&page, "#drop", &[&place.join("class")]);
        wait_until(
            &page,
            "!document.getElementById('busy').hidden && / · \\d/.test(document.getElementById('busy-text').textContent)",
        );
        if how == "Escape" {
            page.press("Escape");
        } else {
            page.click("#cancel");
        }
        assert_eq!(
            page.value(
                "[!document.getElementById('start').hidden, document.getElementById('messages').hidden]"
            ),
            json!([true, true]),
            "{how}"
        );
        page.click("#clear");
    }
    page.click("#try");
    wait_until(&page, "document.title.startsWith('samples')");
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn the_settings_are_those_of_the_shown_board() {
    let Some(page) = page() else { return };
    page.click("#try");
    wait_until(&page, "document.title.startsWith('samples')");
    page.click("#toggle");
    // The run of the changed settings is cancelled before it can end.
    page.value(
        "(() => { document.getElementById('anonymous').click();
            document.querySelector('input[value=excerpt]').click();
            document.getElementById('cancel').click(); return 1; })()",
    );
    let settings =
        "[!document.getElementById('result').hidden, document.getElementById('anonymous').checked,
        document.getElementById('settings').elements.level.value]";
    assert_eq!(page.value(settings), json!([true, false, "partial"]));
    // The settings are changed on the first page, which compares nothing.
    page.click("#back");
    page.click("#anonymous");
    page.value("(history.go(-1), 1)");
    wait_until(&page, "!document.getElementById('result').hidden");
    assert_eq!(page.value(settings), json!([true, false, "partial"]));
    // The first page keeps them for the next texts.
    page.value("(history.go(1), 1)");
    wait_until(&page, "!document.getElementById('start').hidden");
    assert_eq!(page.value(settings), json!([false, true, "partial"]));
}

#[test]
fn axe_finds_nothing_and_narrow_screens_show_the_whole_page() {
    let Some((axe, page)) = axe().and_then(|axe| Some((axe, page()?))) else { return };
    page.tab.evaluate(&axe, false).unwrap();
    let check = |name: &str| {
        for scheme in ["light", "dark"] {
            page.set_color_scheme(scheme);
            check_rules(&page, &format!("{name}, {scheme}"));
        }
        for width in [390, 1400] {
            page.at_width(width);
            let over = page.value("document.documentElement.scrollWidth - innerWidth");
            assert!(over.as_i64().unwrap() <= 0, "{name} at {width}: {over} points too wide");
        }
    };
    check("at first");
    drop_on(&page, "#drop", &[Path::new("samples/empty_1.txt"), Path::new("samples/edited_1.txt")]);
    wait_until(&page, ENDED);
    check("with a message");
    page.click("#try");
    wait_until(&page, "document.title.startsWith('samples')");
    page.click("#toggle");
    check("with a board");
    page.at_width(390);
    let height = page.value("document.getElementById('frame').clientHeight");
    assert!(height.as_i64().unwrap() >= 400, "{height} points are left for the board");
}

/// Compares more empty files than a call can have arguments. Listing a folder of that size takes a
/// browser longest, so the files are created in memory.
pub(crate) const MANY_EMPTY: &str = "async () => {
    const empty = new Blob();
    const files = Array.from({ length: 130_000 }, (_, at) => [`class/${at % 100}/${at}.txt`, empty]);
    const answer = await dedup.run(['corpus', '--', 'class'], files);
    return [answer.status, answer.broken, answer.lines.filter((line) => line.startsWith('dedup: '))];
}";

#[test]
fn a_hundred_thousand_empty_files_are_reported() {
    let Some(page) = page() else { return };
    let result = page.value(&format!("({MANY_EMPTY})()"));
    assert_eq!(result, json!([2, "", ["dedup: no text found, expected at least one"]]));
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn a_folder_is_listed_with_all_that_is_in_it() {
    let Some(page) = page() else { return };
    // More files than are opened at the same time, in nested folders.
    let files: Vec<(String, String)> = (0..300)
        .map(|at| (format!("class/{}/{}/{at}.txt", at % 7, at % 3), format!("own words {at}")))
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let place = folder("web_listed", &files);
    drop_on(&page, "#drop", &[&place.join("class")]);
    wait_until(&page, ENDED);
    let compared = format!("{REPORT}.body.innerText.match(/\\d+ texts compared/)[0]");
    assert_eq!(page.value(&compared), "300 texts compared");
    // An empty folder is reported, and the page stays responsive.
    page.click("#back");
    fs::create_dir_all(place.join("nothing")).unwrap();
    drop_on(&page, "#drop", &[&place.join("nothing")]);
    page.click("#try");
    wait_until(&page, "document.title.startsWith('samples')");
}

#[test]
fn files_named_like_those_of_the_program_are_texts() {
    let Some(page) = page() else { return };
    let words = b"the same few words that stand in both of these two files, and no others at all";
    #[rustfmt::skip]
    let names = [
        "report.html", "board.html", "pairs.csv", "board.key.csv", "outputs", "assignment sheet",
        "tmp.txt",
    ];
    let mut files: Vec<(&str, &[u8])> = names.map(|name| (name, &words[..])).to_vec();
    // With these settings, the run would be refused.
    let settings = [b"# ", &words[..], b"\nno-such-setting = 1\n"].concat();
    files.push(("dedup.toml", &settings));
    let place = folder("web_names", &files);
    let there = names.map(|name| place.join(name));
    drop_on(&page, "#drop", &[&there[0], &there[2]]);
    wait_until(&page, ENDED);
    assert_eq!(page.value("document.title"), "pairs.csv and report.html – dedup");
    assert_eq!(page.value(&format!("{REPORT}.querySelector('.badge').textContent")), "identical");
    page.click("#back");
    let settings = place.join("dedup.toml");
    let all: Vec<&Path> = there.iter().chain([&settings]).map(PathBuf::as_path).collect();
    page.value("(document.getElementById('anonymous').checked = true)");
    drop_on(&page, "#drop", &all);
    wait_until(&page, &format!("{REPORT}.body.innerText.includes('8 texts compared')"));
    // The key has a line for each text, and what is saved is what the program wrote.
    let key = page.value("new TextDecoder().decode(dedup.saved.key[1]).split('\\n').length");
    assert_eq!(key, 1 + 8 + 1, "the heading, the texts, and the end");
    page.value("(document.getElementById('anonymous').checked = false)");
}

#[test]
fn names_in_all_scripts_are_those_of_the_texts() {
    let Some(page) = page() else { return };
    let words = b"the same few words that stand in both of these two files, and no others at all";
    let courses = [
        ["עבודות הסמינר", "דוד.txt", "רות.txt"],
        [
            "Работы студентов по истории второго курса",
            "Сочинение Анны Ивановой.txt",
            "Сочинение Петра Сидорова.txt",
        ],
    ];
    for [course, one, other] in courses {
        let paths = [one, other].map(|name| format!("{course}/{name}"));
        let place = folder("web_scripts", &[(&paths[0], words), (&paths[1], words)]);
        let files = paths.each_ref().map(|path| place.join(path));
        drop_on(&page, "#drop", &files.each_ref().map(PathBuf::as_path));
        wait_until(&page, ENDED);
        assert_eq!(page.value("document.title"), format!("{one} and {other} – dedup"));
        page.click("#back");
        drop_on(&page, "#drop", &[&place.join(course)]);
        wait_until(&page, ENDED);
        assert_eq!(page.value("document.title"), format!("{course} – dedup"));
        let compared = format!("{REPORT}.body.innerText.match(/\\d+ texts compared/)[0]");
        assert_eq!(page.value(&compared), "2 texts compared");
        page.click("#back");
    }
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}

#[test]
fn files_that_the_browser_leaves_out_of_a_folder_are_told_of() {
    let Some(page) = page() else { return };
    let words = b"the same few words that stand in both of these two files, and no others at all";
    let files: [(&str, &[u8]); 3] = [
        ("essays/What is art?.txt", words),
        ("essays/anna.txt", words),
        ("essays/ben.txt", b"another text with words of its own, and none of them are shared"),
    ];
    let place = folder("web_unlisted", &files);
    drop_on(&page, "#drop", &[&place.join("essays")]);
    wait_until(&page, ENDED);
    // Chromium lists two of the three files in a page that is opened from a disk.
    let found = page.value(&format!(
        "[{REPORT}.body.innerText.match(/\\d+ texts compared/)[0],
          document.getElementById('unlisted').textContent.split(', and some more')[0]]"
    ));
    let told = "In a dropped folder, this browser leaves out files whose names contain \
                ? : \" | * < > or begin with a space";
    assert_eq!(found, json!(["2 texts compared", told]));
    // What is dropped by itself is complete.
    page.click("#back");
    let all = files.map(|(name, _)| place.join(name));
    drop_on(&page, "#drop", &all.each_ref().map(PathBuf::as_path));
    wait_until(&page, &format!("{REPORT}.body.innerText.includes('3 texts compared')"));
    assert_eq!(page.value("document.getElementById('unlisted').checkVisibility()"), false);
    page.click("#back");
    fs::create_dir_all(place.join("nothing")).unwrap();
    drop_on(&page, "#drop", &[&place.join("nothing")]);
    wait_until(&page, "!document.getElementById('messages').hidden");
    let first = page.value("document.querySelector('#messages pre').textContent.split('\\n')[0]");
    assert_eq!(first, "the browser lists no files in what was dropped");
    // So are the samples of the page, even after a folder of the same name.
    let place = folder("web_unlisted", &[("samples/a.txt", words), ("samples/b.txt", words)]);
    drop_on(&page, "#drop", &[&place.join("samples")]);
    wait_until(&page, "document.title === 'samples – dedup'");
    let is_told = "document.getElementById('unlisted').checkVisibility()";
    assert_eq!(page.value(is_told), true);
    page.click("#back");
    page.click("#try");
    wait_until(&page, "document.title === 'samples – dedup'");
    assert_eq!(page.value(is_told), false);
}

#[test]
fn the_menu_of_the_browser_prints_all_of_the_report() {
    let Some(page) = page() else { return };
    page.click("#try");
    wait_until(&page, "document.title.startsWith('samples')");
    page.value(&format!("({REPORT}.querySelector('.pairs a').click(), 1)"));
    wait_until(&page, &format!("{REPORT}.querySelectorAll('.pane').length === 2"));
    let is_open = format!("{REPORT}.querySelector('.how').open");
    assert_eq!(page.value(&is_open), false);
    // Browsers dispatch the event before they change to the media of print.
    let width = page.value(&format!(
        "(dispatchEvent(new Event('beforeprint')), {REPORT}.defaultView.innerWidth)"
    ));
    assert_eq!(width, 718, "between the margins of a sheet");
    page.in_media("print");
    let bottom = page.value(&format!(
        "{REPORT}.defaultView.innerHeight - {REPORT}.documentElement.scrollHeight"
    ));
    assert!(bottom.as_f64().unwrap() >= 0.0, "{bottom} points are cut off");
    assert_eq!(
        page.value(
            "[...document.querySelectorAll('.bar, #notes')].every((it) => !it.checkVisibility())"
        ),
        true
    );
    // After printing, the page is as before.
    page.in_media("screen");
    let after = page.value(&format!(
        "(dispatchEvent(new Event('afterprint')), [document.querySelector('iframe').style.height, {is_open},
            [...{REPORT}.styleSheets].flatMap((it) => [...it.cssRules]).some((it) => it.media?.mediaText === 'print')])"
    ));
    assert_eq!(after, json!(["", false, true]));
}
