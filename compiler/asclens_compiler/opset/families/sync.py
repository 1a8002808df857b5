# SPDX-License-Identifier: Apache-2.0
"""Flags, barriers and synchronisation between cores."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.forms import whole
from asclens_compiler.opset.model import Constraint, ConstraintKind, OperandRow, OpRow, Role
from asclens_compiler.opset.rows import (
    UB,
    AttrRow,
    api,
    declare,
    described,
    enum,
    flag,
    number,
    overload,
    scalar_op,
)

_EVENT_ID = Constraint(
    kind=ConstraintKind.RANGE_IN, operands=("eventId",), low=0, high=7, source="CANN SetFlag/WaitFlag(ISASI): ids 0..7"
)
_FLAG_ID = Constraint(
    kind=ConstraintKind.RANGE_IN, operands=("flagId",), low=0, high=15, source="CANN CrossCoreSetFlag(ISASI): ids 0..15"
)
_NOT_SCALAR = Constraint(
    kind=ConstraintKind.ENUM_IN,
    operands=("pipe",),
    names=frozenset({"PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL", "PIPE_FIX"}),
    source="CANN PipeBarrier(ISASI): PIPE_S is a hardware error",
)
_CROSS_PIPE = replace(
    _NOT_SCALAR,
    names=_NOT_SCALAR.names - {"PIPE_ALL"},
    source="CANN CrossCoreSetFlag(ISASI): not PIPE_S, not PIPE_ALL",
)
_GM_WORK = OperandRow(name="gmWorkspace", role=Role.INOUT, memories=frozenset({Memory.GM}))
_UB_WORK = OperandRow(name="ubWorkspace", role=Role.INOUT, memories=UB)
_IB = (_GM_WORK, _UB_WORK, number("blockIdx"), number("eventId"))
_AIV_ONLY = (flag("isAIVOnly"),)
_CROSS = (AttrRow(name="modeId", kind=int), enum("pipe", "PipeID"))


def _sync(row: OpRow, *constraints: Constraint) -> OpRow:
    """Return a row of the scalar unit; workspaces belong to the call as a whole."""
    prints = tuple(whole(item.name) for item in row.operands if item.role is Role.INOUT)
    return replace(scalar_op(row), constraints=constraints, footprints=prints)


SET_FLAG = _sync(
    declare(
        "set_flag",
        "SetFlag",
        number("eventId"),
        attrs=(enum("event", "HardEvent"),),
        text="Sets a flag once the source pipe has finished its earlier instructions.|源流水线先前指令完成后置位标志。",
    ),
    _EVENT_ID,
)
WAIT_FLAG = _sync(
    declare(
        "wait_flag",
        "WaitFlag",
        number("eventId"),
        attrs=(enum("event", "HardEvent"),),
        text="Holds the target pipe until the flag is set, then clears it.|目标流水线等待标志并清除。",
    ),
    _EVENT_ID,
)
BARRIER = _sync(
    declare(
        "pipe_barrier",
        "PipeBarrier",
        attrs=(enum("pipe", "PipeID"),),
        text="Makes later instructions of a pipe wait for its earlier ones.|流水线内同步屏障。",
    ),
    _NOT_SCALAR,
)
DSB = _sync(
    declare(
        "data_sync_barrier",
        "DataSyncBarrier",
        attrs=(enum("memDsbType", "MemDsbT"),),
        text="Makes later scalar work wait for earlier memory accesses.|标量访存屏障。",
    )
)
SYNC_HARD = _sync(
    declare(
        "sync_all_hard",
        "SyncAll",
        attrs=_AIV_ONLY,
        text="Waits for all cores of the launch, with the hardware's flags.|全核硬同步。",
    )
)
SYNC_SOFT = _sync(
    declare(
        "sync_all_soft",
        "SyncAll",
        _GM_WORK,
        _UB_WORK,
        number("usedCores"),
        attrs=_AIV_ONLY,
        text="Waits for the cores of the launch through counters in global memory.|全核软同步，使用全局内存工作区。",
    )
)
CROSS_SET = _sync(
    declare(
        "cross_core_set_flag",
        "CrossCoreSetFlag",
        number("flagId"),
        attrs=_CROSS,
        text="Raises a counter of other cores once a pipe has finished its earlier instructions.|核间置位标志。",
    ),
    _FLAG_ID,
    _CROSS_PIPE,
)
CROSS_WAIT = _sync(
    declare(
        "cross_core_wait_flag",
        "CrossCoreWaitFlag",
        number("flagId"),
        attrs=_CROSS,
        text="Holds the core until its counter is above 0, then lowers it.|核间等待标志。",
    ),
    _FLAG_ID,
)
IB_SET = _sync(
    declare(
        "ib_set",
        "IBSet",
        *_IB,
        attrs=_AIV_ONLY,
        text="Tells another core that it may go on, through global memory.|核间置位，配合 IBWait 使用。",
    )
)
IB_WAIT = _sync(
    declare(
        "ib_wait", "IBWait", *_IB, attrs=_AIV_ONLY, text="Waits for the IBSet of another core.|等待其他核的 IBSet。"
    )
)
NOTIFY = _sync(
    declare(
        "notify_next_block",
        "NotifyNextBlock",
        _GM_WORK,
        _UB_WORK,
        text="Lets the next core go on.|通知下一个核继续执行。",
    )
)
WAIT_PRE = _sync(
    declare(
        "wait_pre_block", "WaitPreBlock", _GM_WORK, _UB_WORK, text="Waits for the core before.|等待前一个核的通知。"
    )
)
FFTS = _sync(
    declare(
        "ffts_cross_core_sync",
        "FftsCrossCoreSync",
        number("config", "int64"),
        attrs=(enum("pipe", "PipeID"),),
        text="Sends a cross-core flag given as a configuration word.|以配置字发送核间同步。",
    )
)
SET_FFTS = declare(
    "set_ffts_base_addr",
    "SetFftsBaseAddr",
    OperandRow(name="address", role=Role.HANDLE),
    semantics="machine.no_effect",
    text="Sets the base address of cross-core flags.|设置核间同步基地址。",
)

OPS = (
    SET_FLAG, WAIT_FLAG, BARRIER, DSB, SYNC_HARD, SYNC_SOFT, CROSS_SET, CROSS_WAIT, IB_SET, IB_WAIT, NOTIFY, WAIT_PRE,
    FFTS, SET_FFTS,
)  # fmt: skip

_WORK = "gm_workspace: GlobalTensor, ub_workspace: LocalTensor"
_IB_TEXT = f"{_WORK}, block_idx: RuntimeInt, event_id: RuntimeInt, is_aiv_only: bool = True"
_CROSS_TEXT = "flag_id: RuntimeInt, mode_id: int, pipe: PipeID"

APIS = (
    api("set_flag", overload(SET_FLAG, "event: HardEvent, event_id: RuntimeInt = 0"), text=described(SET_FLAG)),
    api("wait_flag", overload(WAIT_FLAG, "event: HardEvent, event_id: RuntimeInt = 0"), text=described(WAIT_FLAG)),
    api("pipe_barrier", overload(BARRIER, "pipe: PipeID"), text=described(BARRIER)),
    api("data_sync_barrier", overload(DSB, "arg0: MemDsbT", memDsbType="arg0"), text=described(DSB)),
    api(
        "sync_all",
        overload(SYNC_SOFT, f"{_WORK}, used_cores: RuntimeInt = 0, is_aiv_only: bool = True", isAIVOnly="is_aiv_only"),
        overload(
            SYNC_HARD,
            "gm_workspace: none = None, ub_workspace: none = None, used_cores: RuntimeInt = 0, "
            "is_aiv_only: bool = True",
            isAIVOnly="is_aiv_only",
        ),
        text=described(SYNC_HARD),
    ),
    api("cross_core_set_flag", overload(CROSS_SET, _CROSS_TEXT), text=described(CROSS_SET)),
    api("cross_core_wait_flag", overload(CROSS_WAIT, _CROSS_TEXT), text=described(CROSS_WAIT)),
    api("ib_set", overload(IB_SET, _IB_TEXT, isAIVOnly="is_aiv_only"), text=described(IB_SET)),
    api("ib_wait", overload(IB_WAIT, _IB_TEXT, isAIVOnly="is_aiv_only"), text=described(IB_WAIT)),
    api("notify_next_block", overload(NOTIFY, _WORK), text=described(NOTIFY)),
    api("wait_pre_block", overload(WAIT_PRE, _WORK), text=described(WAIT_PRE)),
)
