# SPDX-License-Identifier: Apache-2.0
"""What a kernel may ask about its core and its launch."""

from __future__ import annotations

from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import (
    api,
    bilingual,
    declare,
    handle,
    number,
    overload,
    pure,
    scalar_op,
    unsupported,
)

# name, Ascend C name, result type, may be dropped, text
_QUERIES = (
    ("get_block_idx", "GetBlockIdx", "int32", True, "Index of this block in the launch.|当前核的索引。"),
    ("get_block_num", "GetBlockNum", "int32", True, "Number of blocks of the launch.|任务使用的核数。"),
    ("get_sub_block_idx", "GetSubBlockIdx", "int32", True, "Which of the two vector cores of an AI Core.|子核索引。"),
    ("get_sub_block_num", "GetSubBlockNum", "int32", True, "Vector cores per AI Core.|子核个数。"),
    ("get_task_ratio", "GetTaskRatio", "int32", True, "Vector cores per cube core of a mixed kernel.|核比例。"),
    ("get_data_block_size_in_bytes", "GetDataBlockSizeInBytes", "int32", True, "Bytes of a block, 32.|数据块字节数。"),
    ("get_system_cycle", "GetSystemCycle", "int64", False, "Counter of 50 MHz ticks.|系统计数器，50 MHz。"),
    ("get_program_counter", "GetProgramCounter", "int64", False, "Address of the instruction.|程序计数器。"),
    ("ascend_is_aic", "AscendIsAIC", "int1", True, "Whether this is a cube core.|当前是否为 AIC 核。"),
    ("ascend_is_aiv", "AscendIsAIV", "int1", True, "Whether this is a vector core.|当前是否为 AIV 核。"),
    ("get_icache_preload_status", "GetICachePreloadStatus", "int64", False, "Instruction preload state.|指令预取。"),
)  # fmt: skip


def _query(name: str, cpp: str, result: str, droppable: bool, text: str) -> OpRow:
    row = scalar_op(declare(name, cpp, results=result, text=text))
    return pure(row) if droppable else row


def _query_api(name: str, result: str, text: str, op: OpRow) -> ApiRow:
    return api(name, overload(op, "", returns=result), text=text)


_QUERY_OPS = tuple(_query(*row) for row in _QUERIES)

ARCH_VERSION = scalar_op(
    declare("get_arch_version", "GetArchVersion", number("coreVersion", "uint32"),
            text="Version of the core's architecture.|核架构版本。")
)  # fmt: skip
ICACHE = scalar_op(
    declare(
        "icache_preload",
        "ICachePreLoad",
        number("preFetchLen", "int64"),
        semantics="machine.no_effect",
        text="Loads instructions ahead; values do not change.|指令预取，不影响数值。",
    )
)
WORKSPACE = pure(
    declare("get_sys_workspace_ptr", "GetSysWorkSpacePtr", results="GlobalAddress", text="Workspace.|系统工作区。")
)  # fmt: skip
SET_WORKSPACE = declare(
    "set_sys_workspace", "SetSysWorkspace", handle("workspace"), text="Sets the system workspace.|设置系统工作区。"
)
INIT_SOC = scalar_op(
    declare("init_soc_state", "InitSocState", text="Sets the core's registers to defaults.|初始化核寄存器状态。")
)
TRAP = scalar_op(declare("trap", "Trap", text="Stops the kernel with an exception.|触发异常中止。"))
PROF_START = scalar_op(
    declare(
        "metrics_prof_start",
        "MetricsProfStart",
        semantics="machine.no_effect",
        text="Starts profiling from here.|启动性能采集。",
    )
)
PROF_STOP = scalar_op(
    declare(
        "metrics_prof_stop",
        "MetricsProfStop",
        semantics="machine.no_effect",
        text="Stops profiling here.|停止性能采集。",
    )
)

OPS = (*_QUERY_OPS, ARCH_VERSION, ICACHE, WORKSPACE, SET_WORKSPACE, INIT_SOC, TRAP, PROF_START, PROF_STOP)

_HCCL = "Collective communication contexts exist only on a device with the communication library"


def _simple(name: str, op: OpRow, text: str = "", returns: str = "None") -> ApiRow:
    return api(name, overload(op, text, returns=returns), text=f"{op.summary}|{op.summary_zh}")


APIS = (
    *(_query_api(row[0], row[2], row[4], op) for row, op in zip(_QUERIES, _QUERY_OPS, strict=True)),
    _simple("get_arch_version", ARCH_VERSION, "core_version: RuntimeInt"),
    _simple("icache_preload", ICACHE, "pre_fetch_len: RuntimeInt"),
    _simple("get_sys_workspace", WORKSPACE, "", "GlobalAddress"),
    _simple("set_sys_workspace", SET_WORKSPACE, "workspace: GlobalAddress"),
    _simple("init_soc_state", INIT_SOC),
    _simple("trap", TRAP),
    _simple("metrics_prof_start", PROF_START),
    _simple("metrics_prof_stop", PROF_STOP),
    unsupported("get_hccl_context", _HCCL, overload(None, "index: int", returns="GlobalAddress")),
    unsupported("set_hccl_context", _HCCL, overload(None, "index: RuntimeInt, context: GlobalAddress")),
    api(
        "property",
        overload(None, "prop: Property", returns="int32", lower="property"),
        text=bilingual("A named constant of the chip.")[0] + "|芯片常量。",
    ),
)
