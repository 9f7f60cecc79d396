"""Packages of Debian, fetched without being installed; needs apt.

    folder = debian.unpacked("fonts-klee", into)   # its files, as they would lie below /
"""

import subprocess
import tempfile
from pathlib import Path


def downloaded(package, folder):
    """The package's file, fetched into `folder`."""
    done = subprocess.run(["apt-get", "download", "-q", package], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"cannot fetch the package {package}: {done.stderr.strip()}\n`apt-get update` may be needed, or its archive is not reached")
    return next(Path(folder).glob("*.deb"))


def unpacked(package, into):
    """The folder with the package's files, below `into`; fetched once, whole or not at all."""
    folder = into / package
    if not folder.exists():
        into.mkdir(parents=True, exist_ok=True)
        partial = into / f"{package}.part"
        with tempfile.TemporaryDirectory() as work:
            subprocess.run(["dpkg-deb", "-x", downloaded(package, work), partial], check=True)
        partial.rename(folder)
    return folder
