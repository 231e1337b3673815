"""The command `dedup-text`, which runs the program of this package."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def path() -> Path:
    """Return the path of the program.

    It is among the scripts of the environment, of the user, or of another folder that pip installed into, where the script
    `dedup-text` may be running.
    """
    name = "dedup.exe" if os.name == "nt" else "dedup"
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    folders = [Path(sysconfig.get_path("scripts", it)) for it in schemes]
    folders.append(Path(__file__).resolve().parents[1] / "bin")  # pip install --target
    running = Path(sys.argv[0]).resolve()
    if running.stem == "dedup-text":
        folders.append(running.parent)  # pip install --prefix
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    message = f"{name}: not found in {folders[0]}, expected it next to the package; pip install --force-reinstall dedup-text"
    raise FileNotFoundError(message)


def main() -> None:
    """Replace this process by the program, or run it and wait if that is not possible."""
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
