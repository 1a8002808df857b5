# SPDX-License-Identifier: Apache-2.0
"""Chips, copy paths, automatic synchronisation and queue events."""

from __future__ import annotations

import pytest
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.autosync import Cover, cover
from asclens_compiler.hardware.chips import AIC_PIPES, AIV_PIPES, chip_for, targets
from asclens_compiler.hardware.paths import copy_path, copy_paths
from asclens_compiler.hardware.pipes import HardEvent, Memory, Pipe, Position
from asclens_compiler.hardware.queues import AIC_EVENTS, AIV_EVENTS, buffer_position, queue_ends, queue_events


@pytest.mark.parametrize(
    ("written", "soc"),
    [
        (None, "Ascend910B1"),
        ("", "Ascend910B1"),
        ("Ascend910B4", "Ascend910B4"),
        ("910b4", "Ascend910B4"),
        ("Ascend910B4-1", "Ascend910B4-1"),
        ("ascend910b4_1", "Ascend910B4-1"),
        ("Ascend910_9392", "Ascend910_9392"),
        ("910_9362", "Ascend910_9362"),
    ],
)
def test_chip_names(written: str | None, soc: str) -> None:
    assert chip_for(written).soc == soc


@pytest.mark.parametrize("soc", ["Ascend910", "910A", "Ascend910ProA", "Ascend910PremiumA"])
def test_first_generation_is_refused(soc: str) -> None:
    with pytest.raises(AscLensError, match="first-generation") as caught:
        chip_for(soc)
    assert "Ascend910B1" in caught.value.help


def test_unknown_chip() -> None:
    with pytest.raises(AscLensError, match="'Ascend310P' is not known"):
        chip_for("Ascend310P")


def test_chip_rows() -> None:
    assert len(targets()) == 12
    for chip in targets().values():
        assert chip.aiv == 2 * chip.aic
        assert chip.source
        assert chip.memory_bytes(Memory.UB) == 196608
        assert chip.memory_bytes(Memory.L1) == 524288
        assert chip.memory_bytes(Memory.GM) == 64 << 30
        assert chip.alignment_bytes(Memory.L0A) == 512
    assert chip_for("910B4").microseconds(1650) == pytest.approx(1.0)


def test_every_memory_has_size_and_alignment() -> None:
    chip = chip_for(None)
    for memory in Memory:
        assert chip.memory_bytes(memory) > 0
        assert chip.alignment_bytes(memory) > 0


@pytest.mark.parametrize(
    ("source", "target", "pipe"),
    [
        (Memory.GM, Memory.UB, Pipe.MTE2),
        (Memory.UB, Memory.GM, Pipe.MTE3),
        (Memory.UB, Memory.UB, Pipe.V),
        (Memory.GM, Memory.L1, Pipe.MTE2),
        (Memory.L1, Memory.L0A, Pipe.MTE1),
        (Memory.L1, Memory.L0B, Pipe.MTE1),
        (Memory.L1, Memory.BT, Pipe.MTE1),
        (Memory.L1, Memory.GM, Pipe.MTE3),
        (Memory.L0C, Memory.GM, Pipe.FIX),
        (Memory.L0C, Memory.L1, Pipe.FIX),
    ],
)
def test_paths(source: Memory, target: Memory, pipe: Pipe) -> None:
    found = copy_path(source, target)
    assert found is not None
    assert found.pipe is pipe


@pytest.mark.parametrize(
    ("source", "target"),
    [(Memory.L1, Memory.UB), (Memory.L0C, Memory.UB), (Memory.UB, Memory.L1), (Memory.GM, Memory.GM)],
)
def test_no_such_path(source: Memory, target: Memory) -> None:
    assert copy_path(source, target) is None


def test_copies_take_longer_with_size_and_never_less_than_the_floor() -> None:
    for path in copy_paths().values():
        assert path.pipe in (AIV_PIPES if path.core == "AIV" else AIC_PIPES)
        assert path.cycles(0) == path.floor_cycles
        assert path.cycles(1 << 17) > path.cycles(1 << 16) > path.floor_cycles, path


def test_measured_copy_times() -> None:
    """192 KiB from global memory to UB ran at about 187 GiB/s on one core of a 910B3 (1800 MHz)."""
    path = copy_path(Memory.GM, Memory.UB)
    assert path is not None
    seconds = path.cycles(196608) / 1.8e9
    assert 196608 / seconds / (1 << 30) == pytest.approx(187, rel=0.05)


def test_auto_sync_table() -> None:
    assert cover(Pipe.V, Pipe.V, auto_sync=True) is Cover.ORDERED
    for pipe in (Pipe.V, Pipe.MTE2, Pipe.MTE3):
        assert cover(pipe, Pipe.S, auto_sync=True) is Cover.ADVICE
        assert cover(Pipe.S, pipe, auto_sync=True) is Cover.ADVICE
    for first, second in ((Pipe.MTE2, Pipe.V), (Pipe.V, Pipe.MTE3), (Pipe.MTE3, Pipe.MTE2), (Pipe.MTE2, Pipe.MTE3)):
        assert cover(first, second, auto_sync=True) is Cover.NONE
    for pipe in (Pipe.M, Pipe.MTE1, Pipe.FIX, Pipe.MTE2, Pipe.MTE3):
        assert cover(pipe, pipe, auto_sync=True) is Cover.NONE
    assert cover(Pipe.M, Pipe.S, auto_sync=True) is Cover.NONE


def test_without_auto_sync_nothing_is_covered() -> None:
    pairs = [(first, second) for first in Pipe for second in Pipe if Pipe.ALL not in (first, second)]
    assert {pair for pair in pairs if cover(*pair, auto_sync=False) is not Cover.NONE} == {(Pipe.S, Pipe.S)}


@pytest.mark.parametrize(
    ("position", "enque", "free"),
    [
        (Position.VECIN, HardEvent.MTE2_V, HardEvent.V_MTE2),
        (Position.VECOUT, HardEvent.V_MTE3, HardEvent.MTE3_V),
        (Position.A1, HardEvent.MTE2_MTE1, HardEvent.MTE1_MTE2),
        (Position.B2, HardEvent.MTE1_M, HardEvent.M_MTE1),
        (Position.CO1, HardEvent.M_FIX, HardEvent.FIX_M),
    ],
)
def test_queue_events(position: Position, enque: HardEvent, free: HardEvent) -> None:
    found = queue_events(*queue_ends(position))
    assert found is not None
    assert (found.enque, found.free) == (enque, free)


def test_copy_through_bound_queue() -> None:
    found = queue_events(Position.VECIN, Position.VECOUT)
    assert found is not None
    assert found.enque is HardEvent.MTE2_MTE3
    assert queue_events(Position.GM, Position.GM) is None


def test_buffers_lie_in_the_local_memory_of_a_queue() -> None:
    assert buffer_position(*queue_ends(Position.VECOUT)).memory is Memory.UB
    assert buffer_position(*queue_ends(Position.VECIN)).memory is Memory.UB
    assert buffer_position(*queue_ends(Position.CO1)).memory is Memory.L0C


def test_events_of_cores() -> None:
    assert (len(AIC_EVENTS), len(AIV_EVENTS)) == (24, 13)
    assert all({event.source, event.target} <= AIV_PIPES for event in AIV_EVENTS)
    assert all({event.source, event.target} <= AIC_PIPES for event in AIC_EVENTS)
