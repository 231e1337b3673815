//! Checks that engines that run `dedup part` find the pairs of `dedup corpus`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::{Run, binary, command, folder, is_there, read, run};

/// Returns a folder with `docs.jsonl`, of 2,000 texts, and `want.jsonl`, the records of their
/// pairs. `None` if Python or one of its packages is missing.
fn texts(test: &str, packages: &str) -> Option<PathBuf> {
    if !is_there("python3") {
        return None;
    }
    let place = folder(test);
    let has = run(command("python3", &place).args(["-c", &format!("import {packages}")]));
    if has.status != Some(0) {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{}", has.errors);
        return None;
    }
    let made = integration(&place, "texts.py", &["2000"]);
    assert_eq!(made.status, Some(0), "{}", made.errors);
    fs::write(place.join("docs.jsonl"), made.output).unwrap();
    let line = "corpus --jsonl docs.jsonl --format jsonl";
    let found = run(command("dedup", &place).args(line.split(' ')));
    assert_eq!(found.status, Some(0), "{}", found.errors);
    fs::write(place.join("want.jsonl"), found.output).unwrap();
    Some(place)
}

/// Runs a program of the integrations.
fn integration(place: &Path, program: &str, arguments: &[&str]) -> Run {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations").join(program);
    run(command("python3", place).arg(program).args(arguments))
}

/// Writes the records as nested fields to another file, and returns the flags to read them.
fn nested(place: &Path) -> String {
    let nested = |line: &str| format!("{{\"meta\": {line}}}\n");
    let all: String = read(place.join("docs.jsonl")).lines().map(nested).collect();
    fs::write(place.join("nested.jsonl"), all).unwrap();
    "--input nested.jsonl --id meta.id --text meta.text".to_owned()
}

fn sorted(lines: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines
}

/// Returns the arguments of both programs, which make them run the binary under test.
fn arguments(place: &Path, more: &str) -> Vec<String> {
    let dedup = binary().join("dedup");
    let line = format!("--output {} --binary {}", place.join("out").display(), dedup.display());
    line.split(' ').chain(more.split(' ')).map(str::to_owned).collect()
}

#[test]
fn duckdb_finds_the_pairs_of_the_corpus() {
    let Some(place) = texts("duckdb", "duckdb, numpy") else { return };
    let arguments = arguments(&place, "--input docs.jsonl --records");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = integration(&place, "duckdb/near_duplicates.py", &arguments);
    assert_eq!((found.status, found.errors.as_str()), (Some(0), ""));
    let (want, got) = (read(place.join("want.jsonl")), read(place.join("out")));
    assert!(want.lines().count() > 500);
    assert_eq!(sorted(&got), sorted(&want));
    check_kept(&place, &got);
    let arguments = self::arguments(&place, &format!("--records {}", nested(&place)));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = integration(&place, "duckdb/near_duplicates.py", &arguments);
    assert_eq!((found.status, found.errors.as_str()), (Some(0), ""));
    assert_eq!(sorted(&read(place.join("out"))), sorted(&want), "fields within fields");
}

/// Checks that `dedup clusters` on the pairs of an engine keeps the same texts as `dedup corpus`.
fn check_kept(place: &Path, pairs: &str) {
    fs::write(place.join("pairs.jsonl"), pairs).unwrap();
    for by in ["direct", "linked"] {
        let keep = format!("--keep first --keep-by {by}");
        let clusters = format!("dedup clusters {keep} --texts docs.jsonl < pairs.jsonl");
        let corpus = format!("corpus --jsonl docs.jsonl --format jsonl {keep}");
        let want = run(command("dedup", place).args(corpus.split(' ')));
        let got = run(command("sh", place).args(["-c", &clusters]));
        assert_eq!((got.status, got.output), (Some(0), want.output), "{by}");
    }
}

#[test]
fn spark_finds_the_pairs_of_the_corpus() {
    if !is_there("java") {
        return;
    }
    let Some(place) = texts("spark", "pyspark, pyarrow, pandas") else { return };
    let dying = dying_once(&place);
    let line = "--records --master local[2,4] --partitions 3 --on-workers";
    let line = format!("{} {line} {}", nested(&place), dying.display());
    let arguments = arguments(&place, &line);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = integration(&place, "spark/near_duplicates.py", &arguments);
    assert_eq!(found.status, Some(0), "{}", found.errors);
    assert!(place.join("died").is_dir());
    assert!(place.join("out/_SUCCESS").is_file());
    let names = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names = names.map(|name| name.into_string().unwrap());
    assert_eq!(names.find(|name| name.contains(".dedup-")), None, "the folder for the work");
    let parts = fs::read_dir(place.join("out")).unwrap().map(|entry| entry.unwrap().path());
    let parts = parts.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let (want, got) = (read(place.join("want.jsonl")), parts.map(read).collect::<String>());
    assert_eq!(sorted(&got), sorted(&want));
    check_kept(&place, &got);
}

/// Writes a `dedup` that is killed once, in the middle of a line of its first keys.
fn dying_once(place: &Path) -> PathBuf {
    let (dying, dedup) = (place.join("dying"), binary().join("dedup"));
    let (died, dedup) = (place.join("died"), dedup.display());
    let keys = format!("head -n 9 | {dedup} \"$@\" | head -c 2000; kill -9 $$");
    let script = format!(
        "#!/bin/sh\nif [ \"$2\" = keys ] && mkdir {} 2>/dev/null; then {keys}; fi\nexec {dedup} \"$@\"\n",
        died.display()
    );
    fs::write(&dying, script).unwrap();
    let executable = run(command("chmod", place).arg("+x").arg(&dying));
    assert_eq!(executable.status, Some(0));
    dying
}

/// Checks that a killed process ends the job, with its name and the cause.
#[test]
fn a_filter_that_dies_ends_the_job() {
    let Some(place) = texts("engines_dying", "duckdb, numpy") else { return };
    fs::write(place.join("no_program"), "owls").unwrap();
    run(command("chmod", &place).args(["+x", "no_program"]));
    let dying = dying_once(&place).display().to_string();
    #[rustfmt::skip]
    let table = [
        ("killed",            dying.as_str(),     "part keys was killed by SIGKILL: no message"),
        ("not there",         "./nowhere/dedup",  "./nowhere/dedup: cannot be run: No such file or directory"),
        ("of another kind",   "./no_program",     "./no_program: cannot be run: Exec format error"),
    ];
    for (why, binary, message) in table {
        let line = ["--input", "docs.jsonl", "--output", "out", "--binary", binary];
        let found = integration(&place, "duckdb/near_duplicates.py", &line);
        assert_eq!(found.status, Some(1), "{why}");
        assert!(found.errors.contains(message), "{why}: {}", found.errors);
        assert!(!place.join("out").exists(), "{why}");
    }
}

#[test]
fn without_dedup_the_job_says_what_to_install() {
    let Some(place) = texts("engines_without_dedup", "duckdb, numpy") else { return };
    let path = run(command("python3", &place).args(["-c", "import sys; print(sys.executable)"]));
    let job = "integrations/duckdb/near_duplicates.py";
    let mut python = command(path.output.trim_end(), &place);
    python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(job)).env("PATH", "");
    let found = run(python.args(["--input", "docs.jsonl", "--output", "out"]));
    let message = "near_duplicates.py: no dedup, expected the package dedup-text (pip install \
                   dedup-text), or --binary PATH\n";
    assert_eq!((found.errors.as_str(), found.status), (message, Some(2)));
}

/// Checks that invalid records end the job: no pairs are better than incomplete ones.
#[test]
fn bad_records_end_the_job_with_what_is_wrong() {
    let Some(place) = texts("engines_bad", "duckdb, numpy") else { return };
    let row = |id: &str, text: &str| format!("{{\"id\": \"{id}\", \"text\": {text}}}\n");
    let table = [
        ("a text of null", row("1", "null"), "the field text is not a string"),
        ("no text", "{\"id\": \"1\"}\n".to_owned(), "no field text, expected one"),
        (
            "two with one id",
            row("1", "\"a\"") + &row("1", "\"a\""),
            "two records with the id \"1\", expected a different id for each record",
        ),
    ];
    for (why, lines, message) in table {
        fs::write(place.join("bad.jsonl"), lines).unwrap();
        let arguments = arguments(&place, "--input bad.jsonl");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let found = integration(&place, "duckdb/near_duplicates.py", &arguments);
        assert_eq!(found.status, Some(1), "{why}");
        assert!(found.errors.contains(message), "{why}: {}", found.errors);
        assert!(!place.join("out").exists(), "{why}");
    }
}

/// Checks that what Java prints about a failed task does not hide the reason.
#[test]
fn a_bad_record_ends_spark_with_the_reason_in_the_last_line() {
    if !is_there("java") {
        return;
    }
    let Some(place) = texts("spark_bad", "pyspark, pyarrow, pandas") else { return };
    fs::write(place.join("bad.jsonl"), "{\"id\": \"1\"}\n").unwrap();
    let arguments = arguments(&place, "--input bad.jsonl --master local[2]");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = integration(&place, "spark/near_duplicates.py", &arguments);
    assert_eq!(found.status, Some(1), "{}", found.errors);
    let last = found.errors.lines().last().unwrap_or_default();
    let reason = "no field text, expected one";
    assert!(last.starts_with("near_duplicates.py: ") && last.ends_with(reason), "{}", found.errors);
    assert_eq!(found.errors.matches(reason).count(), 1, "{}", found.errors);
    assert!(!found.errors.contains("\tat "), "{}", found.errors);
}

/// Runs a program of the integrations with a different `python3` first on `PATH`, and without the
/// variables that choose the Python of the workers.
fn with_another_python(place: &Path, python: &str, arguments: &[&str]) -> Run {
    let others = place.join("others");
    fs::create_dir_all(&others).unwrap();
    fs::write(others.join("python3"), "#!/bin/sh\necho 'the wrong python3' >&2\nexit 9\n").unwrap();
    run(command("chmod", place).arg("+x").arg(others.join("python3")));
    let path = format!("{}:{}", others.display(), crate::programs::path());
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/spark/near_duplicates.py");
    let mut python = command(python, place);
    python.env("PATH", path).env_remove("PYSPARK_PYTHON").env_remove("PYSPARK_DRIVER_PYTHON");
    run(python.arg(program).args(arguments))
}

/// Checks that an environment need not be activated: `venv/bin/python near_duplicates.py` suffices.
#[test]
fn workers_of_spark_run_the_python_of_the_driver() {
    if !is_there("java") {
        return;
    }
    let Some(place) = texts("spark_python", "pyspark, pyarrow, pandas") else { return };
    let python = run(command("python3", &place).args(["-c", "import sys; print(sys.executable)"]));
    let few: Vec<String> =
        read(place.join("docs.jsonl")).lines().take(50).map(str::to_owned).collect();
    fs::write(place.join("few.jsonl"), few.join("\n") + "\n").unwrap();
    let arguments = arguments(&place, "--input few.jsonl");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = with_another_python(&place, python.output.trim(), &arguments);
    assert_eq!(found.status, Some(0), "{}", found.errors);
    assert!(place.join("out/_SUCCESS").is_file());
}

/// Checks that a library that is missing, too old or too new is reported in one line, before any
/// work is done.
#[test]
fn a_library_that_is_not_fit_is_one_line() {
    if !is_there("python3") {
        return;
    }
    let place = folder("engines_libraries");
    let missing = |name: &str| {
        (name.to_owned(), format!("raise ModuleNotFoundError(\"No module named '{name}'\")\n"))
    };
    let of = |name: &str, version: &str| {
        let names = "SparkFiles = SparkSession = functions = None";
        (name.to_owned(), format!("__version__ = '{version}'\n{names}\n"))
    };
    let (spark, duckdb) = ("spark/near_duplicates.py", "duckdb/near_duplicates.py");
    let sql = ("pyspark/sql".to_owned(), of("", "").1);
    let none = |name: &str| {
        format!(
            "No module named '{name}', expected the packages of integrations/requirements.txt: "
        )
    };
    let other = |found: &str, wanted: &str| format!("{found}, expected {wanted}: ");
    let (of_spark, of_duckdb) = ("3.4 or later, before 5", "1.1 or later, before 3");
    let (fix_spark, fix_duckdb) = ("pyspark>=3.4,<5", "duckdb>=1.1,<3");
    let (arrow, numpy) = (of("pyarrow", "26.0"), of("numpy", "2.4"));
    let pyspark = |version: &str| vec![arrow.clone(), of("pyspark", version), sql.clone()];
    let table = [
        ("no_spark", spark, vec![arrow.clone(), missing("pyspark")], none("pyspark"), fix_spark),
        (
            "no_arrow",
            spark,
            vec![missing("pyarrow"), of("pyspark", "4.3.0"), sql.clone()],
            none("pyarrow"),
            "pyarrow",
        ),
        ("old_spark", spark, pyspark("2.4.8"), other("pyspark 2.4.8", of_spark), fix_spark),
        (
            "new_spark",
            spark,
            pyspark("5.0.0.dev1"),
            other("pyspark 5.0.0.dev1", of_spark),
            fix_spark,
        ),
        ("no_duckdb", duckdb, vec![missing("duckdb"), numpy.clone()], none("duckdb"), fix_duckdb),
        ("no_numpy", duckdb, vec![of("duckdb", "2.0.0"), missing("numpy")], none("numpy"), "numpy"),
        (
            "old_duckdb",
            duckdb,
            vec![of("duckdb", "0.10.3"), numpy],
            other("duckdb 0.10.3", of_duckdb),
            fix_duckdb,
        ),
    ];
    for (why, program, modules, message, fix) in table {
        for (name, content) in modules {
            let folder = place.join(why).join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("__init__.py"), content).unwrap();
        }
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations").join(program);
        let mut python = command("python3", &place);
        python.env("PYTHONPATH", place.join(why)).arg(program);
        let found = run(python.args(["--input", "docs.jsonl", "--output", "out"]));
        assert_eq!((found.status, found.output.as_str()), (Some(2), ""), "{why}: {}", found.errors);
        assert_eq!(found.errors.lines().count(), 1, "{why}: {}", found.errors);
        assert!(found.errors.starts_with("near_duplicates.py: "), "{why}: {}", found.errors);
        assert!(found.errors.contains(&message), "{why}: {}", found.errors);
        assert!(found.errors.contains(" -m pip install ") && found.errors.contains(fix), "{why}");
    }
}
