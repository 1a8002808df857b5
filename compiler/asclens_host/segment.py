# SPDX-License-Identifier: Apache-2.0
"""Memory that the script shares with the engine: one file per launch, in memory where possible."""

from __future__ import annotations

import atexit
import errno
import mmap
import os
import secrets
import tempfile

ALIGNMENT_BYTES = 512  # of each array, as device allocations have it
_MEMORY_FOLDER = "/dev/shm"


class Segment:
    """A file of `nbytes`, mapped here and, under its path, in the engine."""

    def __init__(self, nbytes: int) -> None:
        self.path, descriptor = _create(max(nbytes, 1))
        try:
            self._map = mmap.mmap(descriptor, max(nbytes, 1))
        finally:
            os.close(descriptor)
        self._view = memoryview(self._map)
        _live.add(self.path)

    def part(self, offset: int, nbytes: int) -> memoryview:
        """Return a writable view of a range of bytes."""
        return self._view[offset : offset + nbytes]

    def close(self) -> None:
        """Remove the file; the memory goes when the last view of it goes."""
        _live.discard(self.path)
        _remove(self.path)


_live: set[str] = set()


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # the engine, or a clean-up, was faster


@atexit.register
def _remove_all() -> None:
    """Remove what launches of other threads leave when the script ends under them."""
    while _live:
        _remove(_live.pop())


def _create(nbytes: int) -> tuple[str, int]:
    failure: OSError = OSError(errno.ENOENT, "no folder for shared memory")
    for folder in _folders():
        path = os.path.join(folder, f"asclens-{os.getpid()}-{secrets.token_hex(8)}")
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        except OSError as error:
            failure = error
            continue
        try:
            _reserve(descriptor, nbytes)
        except OSError as error:
            os.close(descriptor)
            os.unlink(path)
            failure = error
            continue
        return path, descriptor
    raise OSError(failure.errno, f"the arrays ({nbytes} bytes) cannot be shared with the engine: {failure.strerror}")


def _folders() -> list[str]:
    memory = [_MEMORY_FOLDER] if os.path.isdir(_MEMORY_FOLDER) else []
    return [*memory, tempfile.gettempdir()]


def _reserve(descriptor: int, nbytes: int) -> None:
    """Take the space now: a later write to a full file system would end the process with a signal."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, nbytes)
    else:
        os.ftruncate(descriptor, nbytes)
