# SPDX-License-Identifier: Apache-2.0
"""Output and checks while a kernel runs."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.opset.model import FootprintKind, FootprintRow
from asclens_compiler.opset.rows import (
    ANY_MEMORY,
    AttrRow,
    api,
    declare,
    described,
    number,
    numbers,
    overload,
    params,
    scalar_op,
    src,
)

PRINTF = scalar_op(
    declare(
        "printf",
        "printf",
        number("vars", "", variadic=True),
        attrs=(AttrRow(name="desc"),),
        text="Prints a formatted line.|格式化打印。",
    )
)
DUMP = replace(
    scalar_op(
        declare(
            "dump_tensor",
            "DumpTensor",
            src(name="tensor", memories=ANY_MEMORY),
            *numbers("desc dumpSize", "uint32"),
            params("shapeInfo", "ShapeInfo", optional=True),
            text="Prints the first elements of a tensor.|打印张量内容。",
        )
    ),
    footprints=(FootprintRow(operand="tensor", kind=FootprintKind.COUNT, count="dumpSize"),),
)
DUMP_POINT = replace(
    scalar_op(
        declare(
            "dump_acc_chk_point",
            "DumpAccChkPoint",
            src(name="tensor", memories=ANY_MEMORY),
            *numbers("index countOff dumpSize", "uint32"),
            text="Prints elements of a tensor from an offset, for accuracy checks.|按偏移打印张量内容，用于精度比对。",
        )
    ),
    footprints=(FootprintRow(operand="tensor", kind=FootprintKind.CUSTOM, function="dump_window", count="dumpSize"),),
)
TIME_STAMP = scalar_op(
    declare("print_time_stamp", "PrintTimeStamp", number("descId"), text="Prints the time.|打印时间戳。")
)
CHECK_IA = scalar_op(
    declare(
        "check_local_memory_ia",
        "CheckLocalMemoryIA",
        params("param", "CheckLocalMemoryIAParam"),
        text="Watches a range of local memory for accesses.|监测本地内存访问。",
    )
)
ASSERT = scalar_op(
    declare(
        "assert",
        "ascendc_assert",
        number("condition", "int1"),
        attrs=(AttrRow(name="message"),),
        text="Stops the kernel when the condition is false.|条件为假时中止。",
    )
)

OPS = (PRINTF, DUMP, DUMP_POINT, TIME_STAMP, CHECK_IA, ASSERT)

APIS = (
    api("printf", overload(PRINTF, "desc: str", lower="printf"), text=described(PRINTF)),
    api(
        "dump_tensor",
        overload(DUMP, "tensor: BaseTensor, desc: RuntimeInt, dump_size: RuntimeInt, shape_info: ShapeInfo = None"),
        text=described(DUMP),
    ),
    api(
        "dump_acc_chk_point",
        overload(DUMP_POINT, "tensor: BaseTensor, index: RuntimeInt, count_off: RuntimeInt, dump_size: RuntimeInt"),
        text=described(DUMP_POINT),
    ),
    api("print_time_stamp", overload(TIME_STAMP, "desc_id: RuntimeInt"), text=described(TIME_STAMP)),
    api(
        "check_local_memory_ia",
        overload(CHECK_IA, "check_params: CheckLocalMemoryIAParam", param="check_params"),
        text=described(CHECK_IA),
    ),
    api(
        "static_assert",
        overload(None, "test: any, message: str = None", lower="static_assert"),
        text="Checks a condition at compile time.|编译期断言。",
    ),
)
