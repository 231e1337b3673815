//! The memory of the machine.

use std::fs;
use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Returns the memory of the machine in bytes, or the limit of the program's cgroups if that is
/// lower; [`u64::MAX`] if neither is known.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
pub(crate) fn memory_of_machine() -> u64 {
    let of_machine = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(of_machine));
    // The total is 0 if it could not be read, and then `cgroup_limits` would panic.
    let of_machine = Some(system.total_memory()).filter(|bytes| *bytes > 0);
    let of_cgroup = of_machine.and_then(|_| system.cgroup_limits()).map(|it| it.total_memory);
    // Only the limit of the root is in `cgroup_limits`.
    let of_process = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_groups = memory_of_cgroups(Path::new("/sys/fs/cgroup"), &of_process);
    let known = [of_machine, of_cgroup, of_groups].into_iter().flatten();
    known.filter(|bytes| *bytes > 0).min().unwrap_or(u64::MAX)
}

/// Returns the lowest memory limit, in bytes, of the cgroup of a process and the groups above it,
/// which are folders below `mount`. `of_process` lists the groups of the process, as
/// `/proc/self/cgroup` does. `None` if there is no limit, or no group of version 2.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn memory_of_cgroups(mount: &Path, of_process: &str) -> Option<u64> {
    let group = of_process.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = mount.join(group);
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(mount));
    let limits = folders.filter_map(|folder| fs::read_to_string(folder.join("memory.max")).ok());
    limits.filter_map(|limit| limit.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_of_a_cgroup_and_those_above_it_applies() {
        let mount = tempfile::tempdir().unwrap();
        let groups = [
            ("a", "1000\n"),
            ("a/wide", "5000\n"),
            ("a/narrow", "300\n"),
            ("free", "max\n"),
            ("odd", "\u{fffd}"),
            ("odd/huge", "99999999999999999999\n"),
        ];
        for (group, limit) in groups {
            fs::create_dir_all(mount.path().join(group)).unwrap();
            fs::write(mount.path().join(group).join("memory.max"), limit).unwrap();
        }
        #[rustfmt::skip]
        let table = [
            ("its own",              "0::/a\n",                        Some(1000)),
            ("the one above",        "0::/a/wide\n",                   Some(1000)),
            ("the lower one",        "0::/a/narrow\n",                 Some(300)),
            ("no file in it",        "0::/a/narrow/x/y\n",             Some(300)),
            ("deleted",              "0::/a/gone (deleted)\n",         Some(1000)),
            ("both versions",        "4:memory:/a/narrow\n0::/a\n",    Some(1000)),
            ("no limit",             "0::/free\n",                     None),
            ("the root",             "0::/\n",                         None),
            ("no number",            "0::/odd/huge\n",                 None),
            ("version 1",            "4:memory:/a\n",                  None),
            ("outside of the mount", "0::/../a\n",                     None),
            ("another root",         "0:://a\n",                       None),
            ("nothing",              "",                               None),
        ];
        for (why, of_process, want) in table {
            assert_eq!(memory_of_cgroups(mount.path(), of_process), want, "{why}");
        }
    }
}
