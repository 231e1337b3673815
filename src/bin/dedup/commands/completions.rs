//! The commands → what completes a command line in a shell.
//!
//! `clap_complete` writes the scripts for programs that have commands or take files, not both:
//! `dedup a.txt b.txt` names no command, and its flags stand behind its files. That is mended
//! here, script by script; the tests ask the shells themselves.

use clap::{Arg, Command};
use clap_complete::Shell;

/// The script that completes a command with its subcommands, and files.
pub(crate) fn script(whole: &Command, shell: Shell) -> anyhow::Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut whole.clone(), whole.get_name().to_owned(), &mut script);
    let script = String::from_utf8(script)?;
    let names: Vec<&str> = whole.get_subcommands().map(Command::get_name).collect();
    Ok(match shell {
        Shell::Bash => bash(&script, &names),
        Shell::Zsh => zsh(&script),
        Shell::Fish => fish(&script, &names, whole),
        Shell::PowerShell => powershell(&script, &names),
        _ => script,
    })
}

/// Completes files where no flag is begun, which bash does by itself where nothing is found, and
/// in the first place commands as well.
fn bash(script: &str, names: &[&str]) -> String {
    const FLAGS: &str =
        "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n            return 0\n";
    let any_place = format!("            esac\n{FLAGS}");
    let first = format!(
        "            if [[ ${{cur}} != -* && ${{COMP_CWORD}} -eq 1 ]] ; then
                local IFS=$'\\n'
                compopt -o filenames 2>/dev/null
                COMPREPLY=( $(compgen -W \"{}\" -- \"${{cur}}\"; compgen -f -- \"${{cur}}\") )
                return 0
            fi
",
        names.join("\n"),
    );
    let flags_first = "            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then\n";
    let flags = "            if [[ ${cur} == -* ]] ; then\n";
    let script = script.replace(&any_place, "            esac\n            return 0\n");
    let script = script.replace(flags_first, &(first + flags));
    // A shell is named in the first place after `completions`, files after the others.
    let mend = |branch: &str| {
        if branch.starts_with("subcmd__completions)") {
            return branch.to_owned();
        }
        branch.replace("-* || ${COMP_CWORD} -eq 2 ]]", "-* ]]")
    };
    script.split_inclusive(";;\n        dedup__").map(mend).collect()
}

/// Completes files beside the commands, and flags and files after a file.
fn zsh(script: &str) -> String {
    const ARGUMENTS: &str = "_arguments \"${_arguments_options[@]}\" : \\\n";
    const COMMANDS: &str = "    _describe -t commands 'dedup commands' commands \"$@\"\n";
    const END: &str = "        esac\n    ;;\nesac\n";
    let (_, rest) = script.split_once(ARGUMENTS).unwrap_or_default();
    let flags = rest.split_inclusive('\n').take_while(|line| !line.contains(":_dedup_commands"));
    let flags: String = flags.collect();
    let otherwise = format!("(*)\n{ARGUMENTS}{flags}'*:text:_files' \\\n&& ret=0\n;;\n{END}");
    let files = format!(
        "    local ret=1\n{} && ret=0\n    _files && ret=0\n    return ret\n",
        COMMANDS.trim_end()
    );
    let script = script.replacen(END, &otherwise, 1).replacen(COMMANDS, &files, 1);
    // With two colons no flag would be completed after the first of many files.
    script.replace("\n'*::", "\n'*:")
}

/// Completes flags wherever no command is named, not in the first place alone; files beside the
/// commands; and the names that a command takes.
fn fish(script: &str, names: &[&str], whole: &Command) -> String {
    const FIRST: &str = "-n \"__fish_dedup_needs_command\"";
    let anywhere = format!("-n \"not __fish_dedup_using_subcommand {}\"", names.join(" "));
    let script = script.replace(&format!("{FIRST} -f -a "), &format!("{FIRST} -a "));
    let mend = |line: &str| {
        let is_flag = [" -l ", " -s "].iter().any(|sign| line.contains(&format!("{FIRST}{sign}")));
        let line = if is_flag { line.replacen(FIRST, &anywhere, 1) } else { line.to_owned() };
        line + "\n"
    };
    let taken = |command: &Command| {
        let values = command.get_positionals().flat_map(Arg::get_possible_values);
        let values: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        let condition = format!("-n \"__fish_dedup_using_subcommand {}\"", command.get_name());
        (!values.is_empty())
            .then(|| format!("complete -c dedup {condition} -f -a \"{}\"\n", values.join(" ")))
    };
    let names = whole.get_subcommands().filter_map(taken);
    script.lines().map(mend).chain(names).collect()
}

/// Takes a first word that is no command for a file, and what follows a command for its files.
fn powershell(script: &str, names: &[&str]) -> String {
    const COMPLETIONS: &str = "    $completions = @(switch ($command) {\n";
    let command = format!(
        "    if ($command -match '^(dedup;(?:{}))(?:;|$)') {{ $command = $Matches[1] }} else {{ $command = 'dedup' }}\n\n",
        names.join("|")
    );
    script.replacen(COMPLETIONS, &(command + COMPLETIONS), 1)
}
