# SPDX-License-Identifier: Apache-2.0
"""What the client's numbers stand for: threads, frames and values of the two targets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostThread:
    """A thread of the script, by debugpy's number."""

    inner: int


@dataclass(frozen=True, slots=True)
class CoreThread:
    """A core of the running launch."""

    core: int


ThreadKey = HostThread | CoreThread


@dataclass(frozen=True, slots=True)
class HostFrame:
    """A frame of a stopped script thread, by debugpy's number."""

    inner: int


@dataclass(frozen=True, slots=True)
class WaitingFrame:
    """A frame of the thread that waits for a launch, counted from the innermost; the facade answers for it."""

    launch: int
    index: int


@dataclass(frozen=True, slots=True)
class DeviceFrame:
    """A frame of a core, counted from the innermost."""

    core: int
    index: int


FrameKey = HostFrame | WaitingFrame | DeviceFrame


@dataclass(frozen=True, slots=True)
class HostValue:
    """A scope or value that debugpy knows by a number."""

    inner: int


@dataclass(frozen=True, slots=True)
class WaitingValue:
    """A container in a waiting frame; `reference` None stands for the frame's locals."""

    frame: WaitingFrame
    reference: int | None


@dataclass(frozen=True, slots=True)
class DeviceValue:
    """A scope or container of a core; `reference` is the engine's."""

    frame: DeviceFrame
    reference: str


ValueKey = HostValue | WaitingValue | DeviceValue
