"""The command `dedup-text`: the program of this package, by another name."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def path() -> Path:
    """Return where the program is.

    It is beside the scripts of the environment, or of the user's or another folder that pip was told to install into.
    """
    name = "dedup.exe" if os.name == "nt" else "dedup"
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    folders = [Path(sys.argv[0]).resolve().parent, *(Path(sysconfig.get_path("scripts", it)) for it in schemes)]
    folders.append(Path(__file__).resolve().parents[1] / "bin")  # pip install --target
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    message = f"{name}: not found in {folders[1]}, expected it beside the package; pip install --force-reinstall dedup-text"
    raise FileNotFoundError(message)


def main() -> None:
    """Run the program in the place of this one, or wait for it where that cannot be done."""
    try:
        program = str(path())
    except FileNotFoundError as missing:
        print(f"dedup-text: {missing}", file=sys.stderr)
        sys.exit(2)
    if os.name == "nt":
        sys.exit(subprocess.run([program, *sys.argv[1:]], check=False).returncode)
    os.execv(program, ["dedup", *sys.argv[1:]])


if __name__ == "__main__":
    main()
