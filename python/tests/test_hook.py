"""The hook of pre-commit that is over the wheel."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import dedup_text

PYTHON = Path(__file__).resolve().parents[1]


def test_the_hook_installs_the_wheel_and_finds_copies(tmp_path, samples):
    wheels = sorted((PYTHON / "dist").glob(f"dedup_text-{dedup_text.__version__}-*.whl"))
    assert wheels, "expected the wheel that python/build makes"
    hook, work = tmp_path / "hook", tmp_path / "work"
    shutil.copytree(PYTHON / "pre-commit", hook)
    work.mkdir()
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]

    def git(folder, *arguments):
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)

    for folder in (hook, work):
        git(folder, "init", "-q")
    git(hook, "add", ".")
    git(hook, "commit", "-q", "-m", "the hook")
    shutil.copy(samples / "edited_1.txt", work / "one.txt")
    shutil.copy(samples / "edited_2.txt", work / "other.txt")
    git(work, "add", ".")
    environment = {
        **os.environ,
        "PIP_FIND_LINKS": str(PYTHON / "dist"),
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    run = [sys.executable, "-m", "pre_commit", "try-repo", str(hook), "dedup-corpus", "--verbose", "--all-files"]
    done = subprocess.run(run, cwd=work, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "one.txt" in done.stdout and "other.txt" in done.stdout
    (work / "other.txt").write_text("Nothing of the kind stands here, whoever looks for it.\n", encoding="utf-8")
    git(work, "add", ".")
    done = subprocess.run(run, cwd=work, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_is_of_this_version():
    assert f'"dedup-text=={dedup_text.__version__}"' in (PYTHON / "pre-commit" / "pyproject.toml").read_text(encoding="utf-8")
