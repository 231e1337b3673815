"""The program of the package, and the samples of the project."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def interruptible():
    """Has an interrupt raise KeyboardInterrupt, also if the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def samples():
    return TOP / "samples"


@pytest.fixture(scope="session")
def dedup():
    """Returns a function that runs the program, checks its status, and returns its output."""
    program = Path(sys.executable).parent / "dedup"
    assert program.is_file(), f"{program}: not found, expected the program of the wheel"

    def run(*arguments, folder=None, statuses=(0, 1), **options):
        command = [str(program), *map(str, arguments)]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, **options)
        assert done.returncode in statuses, done.stderr.decode()
        return done.stdout.decode()

    return run
