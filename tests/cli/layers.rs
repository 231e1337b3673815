//! Checks which modules of the library and of the program may use which: dependencies are acyclic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::read_file;

/// The modules of the library, each with the earlier ones that it may use.
#[rustfmt::skip]
const LAYERS: &[(&str, &[&str])] = &[
    ("parallel",    &[]),
    ("forest",      &[]),
    ("text",        &["parallel"]),
    ("language",    &["text"]),
    ("tokens",      &["text", "language"]),
    ("stopwords",   &["language", "tokens"]),
    ("stems",       &["text", "language", "tokens"]),
    ("rabin",       &[]),
    ("interner",    &["parallel", "tokens", "stems", "rabin"]),
    ("jaccard",     &[]),
    ("shingles",    &["stems", "rabin", "interner", "jaccard"]),
    ("simhash",     &["shingles"]),
    ("hamming",     &["simhash"]),
    ("passages",    &["parallel", "forest", "rabin", "interner"]),
    ("sketch",      &["jaccard", "shingles", "simhash", "hamming", "passages"]),
    ("verdict",     &["jaccard", "shingles", "sketch"]),
    ("pair",        &["parallel", "text", "language", "tokens", "stopwords", "stems", "interner", "shingles", "simhash",
                      "jaccard", "sketch", "passages", "verdict"]),
    ("display",     &["text", "jaccard", "passages", "verdict"]),
    ("record",      &["text", "language", "tokens", "stems", "rabin", "shingles", "simhash", "jaccard", "sketch", "passages",
                      "verdict", "pair", "display"]),
    ("corpus",      &["parallel", "forest", "text", "language", "tokens", "stopwords", "stems", "rabin", "interner", "shingles", "simhash",
                      "hamming", "jaccard", "sketch", "passages", "verdict", "pair", "display"]),
    ("calibration", &["parallel", "forest", "jaccard", "shingles", "sketch", "verdict", "corpus"]),
];

/// The modules of the program, each with the earlier ones that it may use.
#[rustfmt::skip]
const PROGRAM: &[(&str, &[&str])] = &[
    ("progress",    &[]),
    ("diagnostics", &["progress"]),
    ("model",       &["diagnostics"]),
    ("exports",     &["diagnostics", "model"]),
    ("io",          &["progress", "diagnostics", "model"]),
    ("config",      &["diagnostics"]),
    ("args",        &["diagnostics", "exports", "io", "config", "model"]),
    ("recipe",      &["diagnostics", "io", "args"]),
    ("render",      &["diagnostics", "model", "exports"]),
    ("report",      &["diagnostics", "model", "render"]),
    ("outputs",     &["diagnostics", "exports", "io", "model", "args"]),
    ("failures",    &["diagnostics", "io", "model", "args"]),
    ("stored",      &["diagnostics", "io", "config", "model", "args", "recipe"]),
    ("baseline",    &["progress", "diagnostics", "io", "model", "args", "render"]),
    ("commands",    &["progress", "diagnostics", "io", "config", "model", "exports", "args", "recipe", "render", "report",
                      "outputs", "failures", "stored", "baseline"]),
    ("dispatch",    &["diagnostics", "io", "config", "model", "args", "outputs", "commands"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the code of a file, without comments and without its tests, which follow the code if
/// they are in the file.
fn code(source: &str) -> String {
    let are_tests = |(at, mark): &(usize, &str)| {
        let item = source[at + mark.len()..].trim_start();
        item.starts_with("mod ") && item.find(['{', ';']).is_some_and(|at| &item[at..=at] == "{")
    };
    let end = source.match_indices("#[cfg(test)]").find(are_tests).map_or(source.len(), |it| it.0);
    source[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

/// Returns the path of the module that a file is. `None` for `lib.rs`, `main.rs`, the binary when
/// seen from the library, and tests.
fn module(root: &Path, file: &Path) -> Option<Name> {
    let inside = file.strip_prefix(root).unwrap().with_extension("");
    let module: Name = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    let is_test = module.iter().any(|part| part.ends_with("tests"));
    (!is_test && !["lib", "main", "bin"].contains(&module[0].as_str())).then_some(module)
}

const CRATES: [(&str, &[(&str, &[&str])]); 2] = [("src", LAYERS), ("src/bin/dedup", PROGRAM)];

#[test]
fn each_module_uses_only_those_it_may() {
    for (root, layers) in CRATES {
        for file in sources(Path::new(root)) {
            let Some(module) = module(Path::new(root), &file) else { continue };
            let (_, allowed) =
                layers.iter().find(|(name, _)| *name == module[0]).unwrap_or_else(|| {
                    panic!("{} is in no module of the table", file.display());
                });
            for used in named(&module, &code(&read_file(&file))) {
                let used = used[0].as_str();
                let may = used == module[0] || allowed.contains(&used);
                // Within a module in the file, `super::` may be followed by an item of the file.
                let is_module = layers.iter().any(|(name, _)| *name == used);
                assert!(may || !is_module, "{} uses {used}", file.display());
            }
        }
    }
}

#[test]
fn modules_use_only_those_before_them() {
    for (root, layers) in CRATES {
        if root == "src" {
            let library = read_file(Path::new(root).join("lib.rs"));
            let listed = library.lines().filter_map(|line| line.strip_prefix("pub mod "));
            let listed = listed.map(|line| line.trim_end_matches(';'));
            assert!(listed.eq(layers.iter().map(|(module, _)| *module)));
        }
        for (at, (module, used)) in layers.iter().enumerate() {
            assert!(Path::new(root).join(format!("{module}.rs")).exists(), "{module}");
            for name in *used {
                assert!(layers[..at].iter().any(|(before, _)| before == name), "{module}: {name}");
            }
        }
    }
}

/// A command is a folder, which nothing but the dispatcher uses, and no other command.
#[test]
fn no_command_uses_another() {
    let program = Path::new("src/bin/dedup");
    let of_command = |name: &Name| (name[0] == "commands").then(|| name.get(1).cloned()).flatten();
    for file in sources(program) {
        let Some(module) = module(program, &file) else { continue };
        if module[0] == "dispatch" {
            continue;
        }
        let own = of_command(&module);
        for used in named(&module, &code(&read_file(&file))) {
            let used = of_command(&used);
            let is_own = used.is_none() || used == own || module == ["commands"];
            assert!(is_own, "{} uses the command {used:?}", file.display());
        }
    }
}

/// Without the feature `cli`, the library depends on no crate that only the program uses.
#[test]
fn the_library_depends_only_on_crates_that_it_uses() {
    let mut tree = std::process::Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--no-default-features", "--features=documents"]);
    tree.args(["--edges=normal", "--no-dedupe", "--prefix=depth", "--format= {lib}"]);
    let tree = tree.output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let files = sources(Path::new("src")).into_iter();
    let files = files.filter(|file| module(Path::new("src"), file).is_some());
    let library: String = files.map(|file| code(&read_file(&file))).collect();
    let direct: Vec<&str> = tree.lines().filter_map(|line| line.strip_prefix("1 ")).collect();
    assert!(direct.len() > 20, "{tree}");
    for name in direct {
        assert!(library.contains(&format!("{name}::")), "only the program uses {name}");
    }
    for name in ["anstream", "clap", "indicatif", "toml"] {
        assert!(!tree.lines().any(|line| line.ends_with(&format!(" {name}"))), "{name}");
    }
}

/// A renderer gets values: what it shows was found and judged before, so that it imports neither
/// the inputs nor the search. What a run passes on is complete, without a cell that a later phase
/// fills.
#[test]
fn renderers_neither_search_nor_read() {
    let program = Path::new("src/bin/dedup");
    let sources_of_answers = ["io", "args", "recipe", "failures", "stored", "baseline", "progress"];
    let search = ["judge(", "open_again(", "join_at_most(", "nearest_watched(", "fs::", "File::"];
    let cells = ["OnceLock", "OnceCell", "Mutex"];
    let mut models = 0;
    for file in sources(program) {
        let Some(module) = module(program, &file) else { continue };
        let of_command = module[0] == "commands";
        let name = if of_command { module.get(2) } else { module.first() };
        let Some(name) = name.map(String::as_str) else { continue };
        let is_model = of_command && name == "model" || module == ["model", "gathered"];
        let is_renderer = match name {
            "render" | "report" | "exports" => !of_command,
            "answer" | "explain" | "page" | "passages" => of_command,
            _ => false,
        };
        models += usize::from(is_model);
        if !is_model && !is_renderer {
            continue;
        }
        let code = code(&read_file(&file));
        for name in cells.iter().chain(search.iter().filter(|_| is_renderer)) {
            assert!(!code.contains(name), "{} uses {name}", file.display());
        }
        for used in named(&module, &code) {
            let is_source = is_renderer && sources_of_answers.contains(&used[0].as_str());
            assert!(!is_source, "{} uses {}", file.display(), used[0]);
        }
    }
    assert_eq!(models, 2);
}

/// Flags are values: files are opened by those who need their content.
#[test]
fn flags_open_no_file() {
    let program = Path::new("src/bin/dedup");
    let opens = ["fs::", "File::", "Text::open", "Index::open", "disk::open", "read_to_string"];
    for file in sources(&program.join("args")).into_iter().chain([program.join("args.rs")]) {
        let code = code(&read_file(&file));
        for name in opens {
            assert!(!code.contains(name), "{} uses {name}", file.display());
        }
    }
}

/// The methods of a type are in its module, and so are the traits that it has, unless they are the
/// trait's: whoever calls a method can see from the imports where it is.
#[test]
fn methods_are_in_the_module_of_their_type() {
    for (root, _) in CRATES {
        let root = Path::new(root);
        let files: Vec<(Name, String)> = sources(root)
            .into_iter()
            .filter_map(|file| Some((module(root, &file)?, read_file(&file))))
            .collect();
        let declared: BTreeSet<(&str, &str)> = files
            .iter()
            .flat_map(|(module, source)| types(source).map(|it| (&*module[0], it)))
            .collect();
        assert!(declared.len() > 200, "{}", declared.len());
        let is_ours = |name: &str| declared.iter().any(|(_, it)| *it == name);
        for (module, source) in &files {
            for names in source.lines().filter_map(implemented) {
                let is_here = names.iter().any(|name| declared.contains(&(&*module[0], name)));
                let is_foreign = !names.iter().any(|name| is_ours(name));
                assert!(is_here || is_foreign, "{module:?} has methods of {names:?}");
            }
        }
    }
}

/// Returns the names of the types and traits that a file declares.
fn types(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = ["pub(crate) ", "pub(super) ", "pub "]
            .into_iter()
            .find_map(|public| line.strip_prefix(public))
            .unwrap_or(line);
        let rest =
            ["struct ", "enum ", "trait ", "union "].iter().find_map(|it| line.strip_prefix(it))?;
        Some(identifier(rest))
    })
}

/// Returns the last names of the trait, of the type and of their parameters in a line that begins an
/// implementation. `None` for any other line.
fn implemented(line: &str) -> Option<Vec<&str>> {
    let mut rest = line.strip_prefix("impl")?;
    if let Some(parameters) = rest.strip_prefix('<') {
        let (mut depth, mut before) = (1, ' ');
        let is_end = |letter: char| {
            let closes = letter == '>' && before != '-'; // `->` closes nothing
            depth += i32::from(letter == '<') - i32::from(closes);
            before = letter;
            depth == 0
        };
        rest = &parameters[parameters.find(is_end)? + 1..];
    }
    let rest = rest.strip_prefix(' ')?;
    let rest = rest.split(" where ").next().unwrap_or_default();
    let parts = rest.split(" for ").flat_map(|part| part.split(['<', ' ', '{', '>', ',']));
    let names = parts.map(|path| {
        identifier(path.trim_start_matches('&').rsplit("::").next().unwrap_or_default())
    });
    Some(names.filter(|name| !name.is_empty()).collect())
}

/// Returns the identifier that a text begins with; empty if it begins with none.
fn identifier(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn types_and_implementations_are_recognized() {
    let source = "pub(crate) struct A<T>(T);\n  enum B {\n}\npub trait C: D {}\nlet structure = 1;";
    assert_eq!(types(source).collect::<Vec<_>>(), ["A", "B", "C"]);
    #[rustfmt::skip]
    let table: [(&str, Option<&[&str]>); 7] = [
        ("impl A {",                       Some(&["A"])),
        ("impl<'a, T: Into<B>> C<'a> {",   Some(&["C"])),
        ("impl fmt::Display for crate::D<'_> {", Some(&["Display", "D"])),
        ("impl From<E> for &F {",          Some(&["From", "E", "F"])),
        ("impl<H: Fn(u8) -> u8> G for H",  Some(&["G", "H"])),
        ("implement it",                   None),
        ("    impl A {",                   None),
    ];
    for (line, want) in table {
        assert_eq!(implemented(line).as_deref(), want, "{line}");
    }
}

/// The path of a module: the names of its parents, and its own.
type Name = Vec<String>;

/// Adds the module paths that a path in `use` stands for to `found`. `known` is their prefix.
fn names(known: &[String], path: &str, found: &mut Vec<Name>) {
    let path = path.trim_start();
    if let Some(group) = path.strip_prefix('{') {
        let (mut depth, mut start) = (0, 0);
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    names(known, &group[start..at], found);
                    start = at + 1;
                    if letter == '}' {
                        return;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        return;
    }
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = path.find(|letter| !is_name(letter)).unwrap_or(path.len());
    let name: Name = known.iter().cloned().chain([path[..end].to_owned()]).collect();
    if let Some(rest) = path[end..].strip_prefix("::").filter(|_| end > 0) {
        names(&name, rest, found);
    }
    found.push(name);
}

/// Returns the paths that the code of a module names with `crate::` and `super::`, from the root of
/// the library.
fn named(module: &Name, code: &str) -> Vec<Name> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        names(&[], &code[at + "crate::".len()..], &mut found);
    }
    for (at, _) in code.match_indices("super::").filter(|(at, _)| !code[..*at].ends_with("super::"))
    {
        let rest = code[at..].trim_start_matches("super::");
        let up = (code.len() - at - rest.len()) / "super::".len();
        let known = &module[..module.len().saturating_sub(up)];
        names(known, rest, &mut found);
    }
    found
}

/// Returns each module that has cycles among its submodules, with those submodules. `modules` maps
/// each module to its code.
fn circles(modules: &BTreeMap<Name, String>) -> Vec<(Name, BTreeSet<String>)> {
    let mut uses: BTreeMap<Name, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, code) in modules {
        for mut other in named(module, code) {
            while !other.is_empty() && !modules.contains_key(&other) {
                other.pop();
            }
            let shared = module.iter().zip(&other).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (module.get(shared), other.get(shared)) {
                let inside = uses.entry(module[..shared].to_vec()).or_default();
                inside.entry(one.clone()).or_default().insert(other.clone());
            }
        }
    }
    let mut circles = Vec::new();
    for (outer, mut inside) in uses {
        loop {
            let before = inside.len();
            let left: BTreeSet<String> = inside.keys().cloned().collect();
            inside.retain(|_, used| used.intersection(&left).next().is_some());
            if inside.len() == before {
                break;
            }
        }
        // A module that uses a cycle, but is not used by it, is not part of it.
        loop {
            let targets: BTreeSet<String> = inside.values().flatten().cloned().collect();
            let before = inside.len();
            inside.retain(|module, _| targets.contains(module));
            if inside.len() == before {
                break;
            }
        }
        if !inside.is_empty() {
            circles.push((outer, inside.into_keys().collect()));
        }
    }
    circles
}

#[test]
fn no_modules_use_one_another_in_a_circle() {
    for (root, least) in [("src", 50), ("src/bin/dedup", 40)] {
        let modules: BTreeMap<Name, String> = sources(Path::new(root))
            .into_iter()
            .filter_map(|file| Some((module(Path::new(root), &file)?, code(&read_file(&file)))))
            .collect();
        assert!(modules.len() > least, "{}", modules.len());
        assert_eq!(circles(&modules), [], "{root}");
    }
}

#[test]
fn circles_are_found_among_the_modules_of_one() {
    let name = |path: &str| path.split("::").map(str::to_owned).collect::<Name>();
    let modules = |of: &[(&str, &str)]| {
        of.iter().map(|(path, code)| (name(path), (*code).to_owned())).collect::<BTreeMap<_, _>>()
    };
    let found = |of: &[(&str, &str)]| {
        let join = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
        let circles = circles(&modules(of)).into_iter();
        circles.map(|(outer, inside)| (outer.join("::"), join(&inside))).collect::<Vec<_>>()
    };
    let circle = |outer: &str, inside: &str| vec![(outer.to_owned(), inside.to_owned())];
    let one_way = [("a", "use crate::b::{C, d::E};"), ("b", ""), ("b::d", "use super::F;")];
    assert_eq!(found(&one_way), []);
    let at_the_top =
        [("a", "use crate::b::C;"), ("b", "use crate::{d, a::E};"), ("d", "crate::a::f()")];
    assert_eq!(found(&at_the_top), circle("", "a b d"));
    let inside =
        [("a", ""), ("a::b", "use super::c::D;"), ("a::c", ""), ("a::c::e", "super::super::b::F")];
    assert_eq!(found(&inside), circle("a", "b c"));
    let user = [("a", "use crate::b;"), ("b", "use crate::c;"), ("c", "use crate::b;")];
    assert_eq!(found(&user), circle("", "b c"));
}

#[test]
fn modules_are_named_with_crate_and_with_super() {
    let names = |code: &str| {
        let module = ["a", "b"].map(str::to_owned).to_vec();
        let names = named(&module, code);
        names.into_iter().map(|name| name.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(names("use crate::c::D;"), ["c::D", "c"]);
    assert_eq!(names("use crate::{c, d::E};"), ["c", "d::E", "d"]);
    assert_eq!(names("use super::c;super::super::d::f()"), ["a::c", "d::f", "d"]);
}

#[test]
fn code_ends_with_the_tests_in_its_file() {
    #[rustfmt::skip]
    let table = [
        ("no tests",             "a;\n// b\nc;",                            "a;c;"),
        ("tests in the file",    "a;\n#[cfg(test)]\nmod tests {\nb; }",     "a;"),
        ("tests in another",     "#[cfg(test)]\nmod tests;\nuse a::{b};",   "#[cfg(test)]mod tests;use a::{b};"),
        ("and no brace after it", "#[cfg(test)]\nmod tests;\nuse a::b;",    "#[cfg(test)]mod tests;use a::b;"),
        ("a function for tests", "#[cfg(test)]\nfn a() {}\nb;",             "#[cfg(test)]fn a() {}b;"),
        ("comments",             "a;\n// b\n/// c\nd;",                     "a;d;"),
    ];
    for (why, source, want) in table {
        assert_eq!(code(source), want, "{why}");
    }
}
