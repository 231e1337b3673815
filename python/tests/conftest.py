"""The program that the package has, and the samples of the project."""

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def samples():
    return TOP / "samples"


@pytest.fixture(scope="session")
def dedup():
    """Runs the program; what it printed, once it ended with one of the statuses that are expected."""
    program = Path(sys.executable).parent / "dedup"
    assert program.is_file(), f"{program}: not found, expected the one that the wheel has installed"

    def run(*arguments, folder=None, statuses=(0, 1), **options):
        command = [str(program), *map(str, arguments)]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, **options)
        assert done.returncode in statuses, done.stderr.decode()
        return done.stdout.decode()

    return run
