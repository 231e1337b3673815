//! Tests of the comparison page in Firefox, without a network: answers, chosen files, hostile
//! input, and axe-core.
//!
//! Firefox is driven through Marionette, its own protocol of JSON messages, each preceded by its
//! length.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::access::axe;
use crate::chromium::skip_if_missing;
use crate::web::{ENDED, REPORT, answers, folder, page_file, printed, runs_of_samples, zip_bomb};

/// A running Firefox with its own profile. It is killed on drop.
struct Firefox {
    child: Child,
    stream: TcpStream,
}

/// Preferences that set a proxy on which nothing listens, so that no network is reached.
const PREFERENCES: &str = "user_pref('marionette.port', 0);
user_pref('network.proxy.type', 1);
user_pref('network.proxy.http', '127.0.0.1');
user_pref('network.proxy.http_port', 9);
user_pref('network.proxy.ssl', '127.0.0.1');
user_pref('network.proxy.ssl_port', 9);
user_pref('network.proxy.socks', '127.0.0.1');
user_pref('network.proxy.socks_port', 9);
";

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Firefox {
    /// Starts Firefox. `None` if it is not installed.
    fn start() -> Option<Self> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&folders)
            .flat_map(|folder| ["firefox-esr", "firefox"].map(|name| folder.join(name)))
            .find(|path| path.is_file());
        let program = skip_if_missing("Firefox (firefox-esr)", found)?;
        let user_js = ("user.js", PREFERENCES.as_bytes());
        let profile = folder("firefox", &[user_js]);
        let mut command = Command::new(program);
        command.args(["--headless", "--marionette", "--no-remote", "--profile"]).arg(&profile);
        command.env("HOME", &profile).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let port = profile.join("MarionetteActivePort");
        let stream = waited(|| {
            #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
            let port = std::fs::read_to_string(&port).ok()?;
            TcpStream::connect(("127.0.0.1", port.trim().parse().ok()?)).ok()
        });
        stream.set_read_timeout(Some(Duration::from_mins(3))).unwrap();
        let mut firefox = Self { child, stream };
        firefox.network_and_console(); // the greeting of the server
        firefox.call("WebDriver:NewSession", &json!({}));
        firefox.call("WebDriver:SetTimeouts", &json!({ "script": 180_000 }));
        Some(firefox)
    }

    fn network_and_console(&mut self) -> Value {
        let mut size = 0;
        loop {
            let mut letter = [0];
            self.stream.read_exact(&mut letter).unwrap();
            match letter[0] {
                b':' => break,
                digit => size = size * 10 + usize::from(digit - b'0'),
            }
        }
        let mut message = vec![0; size];
        self.stream.read_exact(&mut message).unwrap();
        serde_json::from_slice(&message).unwrap()
    }

    fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let message = json!([0, 1, name, arguments]).to_string();
        write!(self.stream, "{}:{message}", message.len()).unwrap();
        let answer = self.network_and_console();
        assert_eq!(answer[2], Value::Null, "{name}");
        answer[3].clone()
    }

    /// Returns the result of a script in the page. The script can use `dedup` of the page.
    fn script(&mut self, script: &str) -> Value {
        let script = format!("const {{ dedup }} = window.wrappedJSObject ?? window;\n{script}");
        let result = self.call(
            "WebDriver:ExecuteScript",
            &json!({ "script": script, "args": [], "sandbox": "tests" }),
        );
        result["value"].clone()
    }

    /// Returns the value of an expression in the page.
    fn value(&mut self, expression: &str) -> Value {
        self.script(&format!("return {expression}"))
    }

    /// Waits until an expression is true in the page. It may throw until then.
    fn wait_until(&mut self, holds: &str) {
        let start = Instant::now();
        let holds_now = format!("try {{ return Boolean({holds}) }} catch {{ return false }}");
        while self.script(&holds_now) != true {
            assert!(start.elapsed() < Duration::from_mins(2), "never: {holds}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Chooses files through the file input, as a user does in the dialog of the button.
    fn choose(&mut self, files: &[PathBuf]) {
        let found = self
            .call("WebDriver:FindElement", &json!({ "using": "css selector", "value": "#files" }));
        let input = found["value"].as_object().unwrap().values().next().unwrap().clone();
        let files: Vec<String> =
            files.iter().map(|file| file.canonicalize().unwrap().display().to_string()).collect();
        self.call("WebDriver:ElementSendKeys", &json!({ "id": input, "text": files.join("\n") }));
        self.wait_until(ENDED);
    }
}

/// Polls until `look` returns a value, for at most a minute.
fn waited<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "Firefox does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn firefox_does_without_a_network_what_chromium_does() {
    let Some(file) = page_file() else { return };
    let Some(mut firefox) = Firefox::start() else { return };
    firefox.call("WebDriver:Navigate", &json!({ "url": format!("file://{}", file.display()) }));
    firefox.wait_until("document.body.dataset.ready === 'yes'");

    // The answers are those of the program, to the byte.
    let runs = runs_of_samples();
    let found = firefox.value(&answers(&runs));
    for (run, found) in runs.iter().zip(found.as_array().unwrap()) {
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        assert_eq!(found.as_str().unwrap(), String::from_utf8(printed(&run)).unwrap(), "{run:?}");
    }

    // Two files, then a ZIP bomb, then a text whose name contains a script.
    let samples = |name: &str| Path::new("samples").join(name);
    firefox.choose(&[samples("edited_1.txt"), samples("edited_2.txt")]);
    let badge = format!("{REPORT}.querySelector('.badge').textContent");
    assert_eq!(firefox.value(&badge), "near copy");
    firefox.value("(document.getElementById('back').click(), 1)");
    let name =
        "<img src=x onerror=document.title='hit'><script>document.title='hit'<\u{2215}script>.txt";
    let words = b"the same few words that stand in both of these two files, and no others at all";
    let place = folder(
        "firefox_hostile",
        &[("bomb.zip", &zip_bomb()), (name, words), ("-rf", words), ("empty.txt", b"")],
    );
    firefox.choose(&[place.join("bomb.zip")]);
    let result = firefox.value("document.getElementById('messages').innerText");
    assert!(result.as_str().unwrap().contains("bomb.zip"), "{result}");
    firefox.value("(document.getElementById('clear').click(), 1)");
    firefox.choose(&[place.join(name), place.join("-rf")]);
    assert_eq!(firefox.value(&badge), "identical");
    let is_text = "document.title.includes('<script>') && !document.querySelector('img')";
    assert_eq!(firefox.value(is_text), true);
    firefox.value("(document.getElementById('back').click(), 1)");
    let result = firefox.value(&format!("({})()", crate::web::MANY_EMPTY));
    assert_eq!(result, json!([2, "", ["dedup: no text found, expected at least one"]]));

    // The report on the samples, and axe-core on it and on the start view.
    let rules = axe();
    for view in ["start", "board"] {
        if view == "board" {
            firefox.value("(document.getElementById('try').click(), 1)");
            firefox.wait_until("document.title.startsWith('samples')");
            let compared = format!("{REPORT}.body.innerText.includes('42 texts compared')");
            firefox.wait_until(&compared);
        }
        if let Some(axe) = &rules {
            let found = firefox.script(&format!(
                "{axe}\nreturn axe.run(document, {{ iframes: false, resultTypes: ['violations'] }}).then((found) => [
                    found.violations.map((it) => [it.id, it.nodes.map((node) => node.html)]),
                    found.passes.some((it) => it.id === 'color-contrast'),
                ])"
            ));
            assert_eq!(found, json!([[], true]), "{view}");
        }
    }
    let asked = "performance.getEntriesByType('resource').filter((it) => !it.name.startsWith('blob:')).length";
    assert_eq!(firefox.value(asked), 0);
}
