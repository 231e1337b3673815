//! Tests of modes, links and signals.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use super::{CORPUS, folder, written};
use crate::common::command;
use crate::report::names;

#[test]
fn a_folder_is_as_the_umask_lets() {
    let folder = folder("mode");
    fs::create_dir(folder.join("real")).unwrap();
    symlink("real", folder.join("link")).unwrap();
    written(&folder, "", "link");
    let umask = crate::report::unix::umask();
    assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
    let mode = |name: &str| fs::metadata(folder.join("real").join(name)).unwrap().mode() & 0o777;
    assert_eq!(
        (mode(""), mode("index.html"), mode("pairs/0001.html")),
        (0o777 & !umask, 0o666 & !umask, 0o666 & !umask)
    );
    assert_eq!(names(&folder), ["link", "real", "texts"]);
}

#[test]
fn a_key_is_for_its_owner_and_then_stays_as_it_is() {
    let folder = folder("key_mode");
    let mode = || fs::metadata(folder.join("out.key.csv")).unwrap().mode() & 0o777;
    written(&folder, "--anonymous", "out.html");
    assert_eq!(mode(), 0o600);
    fs::set_permissions(folder.join("out.key.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    written(&folder, "--anonymous", "out.html");
    assert_eq!(mode(), 0o640);
}

#[test]
fn a_report_that_is_stopped_leaves_the_whole_folder_or_nothing() {
    let folder = folder("signals");
    for round in 0..30u64 {
        let line = format!("{CORPUS} --report out");
        let mut dedup = command();
        let mut child =
            dedup.current_dir(&folder).args(line.split(' ')).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(round * 3));
        let signal = if round % 2 == 0 { "-TERM" } else { "-INT" };
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        let left: Vec<_> =
            names(&folder).into_iter().filter(|name| name.starts_with('.')).collect();
        assert_eq!(left, Vec::<String>::new(), "{round}");
        if folder.join("out").exists() {
            assert_eq!(names(&folder.join("out")), [".dedup-report", "index.html", "pairs"]);
            assert_eq!(names(&folder.join("out/pairs")).len(), 4);
        }
    }
}
