# SPDX-License-Identifier: Apache-2.0
"""TPipe and buffer pools: who owns the buffers and event ids of a kernel."""

from __future__ import annotations

from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import api, declare, described, enum, handle, number, overload, pure

_PIPE = handle("pipe")
_LEN = number("length")
_EVENT = enum("event", "HardEvent")

PIPE = declare(
    "pipe", "TPipe", results="TPipe", text="Makes the pipe object that owns buffers and event ids.|创建 TPipe 对象。"
)
TBUF_POOL = declare(
    "tBufPool", "TBufPool", attrs=(enum("pos", "TPosition"),), results="TBufPool",
    text="Declares a pool of buffers.|声明缓冲区池。",
)  # fmt: skip
INIT_QUEUE = declare(
    "pipe_init_queue", "InitBuffer", _PIPE, handle("queue"), number("num"), _LEN,
    text="Gives a queue `num` buffers of `length` bytes, each rounded up to 32.|为队列分配 num 块 length 字节的内存。",
)  # fmt: skip
INIT_BUFFER = declare(
    "pipe_init_buffer", "InitBuffer", _PIPE, handle("buffer"), _LEN,
    text="Gives a buffer `length` bytes, rounded up to 32.|为缓冲区分配 length 字节的内存。",
)  # fmt: skip
INIT_POOL = declare(
    "pipe_init_buf_pool", "InitBufPool", _PIPE, handle("bufPool"), number("len"), handle("shareBuf", optional=True),
    text="Gives a pool `len` bytes, or the bytes of another pool.|为缓冲区池分配内存，可与另一池共享。",
)  # fmt: skip
ALLOC_EVENT = declare(
    "pipe_alloc_event_id", "AllocEventID", _PIPE, attrs=(_EVENT,), results="int32",
    text="Reserves the lowest free event id of an event.|申请一个事件 ID。",
)  # fmt: skip
FETCH_EVENT = declare(
    "pipe_fetch_event_id", "FetchEventID", _PIPE, attrs=(_EVENT,), results="int32",
    text="Returns the lowest free event id without reserving it.|查询可用的事件 ID，不占用。",
)  # fmt: skip
RELEASE_EVENT = declare(
    "pipe_release_event_id", "ReleaseEventID", _PIPE, number("id"), attrs=(_EVENT,),
    text="Gives an event id back.|释放事件 ID。",
)  # fmt: skip
BASE_ADDR = pure(
    declare(
        "pipe_get_base_addr", "GetBaseAddr", _PIPE, attrs=(enum("logicPos", "TPosition"),), results="uint64",
        text="Base address of a position's memory.|获取逻辑位置的基地址。",
    )
)  # fmt: skip
PIPE_INIT = declare("pipe_init", "Init", _PIPE, text="Starts the pipe object again after Destroy.|初始化 TPipe。")
PIPE_RESET = declare(
    "pipe_reset", "Reset", _PIPE, text="Waits for free buffers' events and gives all buffers back.|重置 TPipe 资源。"
)
PIPE_DESTROY = declare(
    "pipe_destroy", "Destroy", _PIPE, text="Waits for all events and frees the buffers.|释放 TPipe 资源。"
)
POOL_INIT_POOL = declare(
    "tbuf_pool_init_buf_pool", "InitBufPool", handle("origin"), handle("bufPool"), number("len"),
    handle("shareBuf", optional=True),
    text="Splits a pool off a pool.|在缓冲区池中划分子池。",
)  # fmt: skip
POOL_INIT_BUFFER = declare(
    "tbuf_pool_init_buffer", "InitBuffer", handle("bufPool"), handle("buffer"), _LEN,
    text="Gives a buffer bytes of a pool.|从池中为缓冲区分配内存。",
)  # fmt: skip
POOL_INIT_QUEUE = declare(
    "tbuf_pool_init_queue", "InitBuffer", handle("bufPool"), handle("queue"), number("num"), _LEN,
    text="Gives a queue bytes of a pool.|从池中为队列分配内存。",
)  # fmt: skip
POOL_RESET = declare(
    "tbuf_pool_reset", "Reset", handle("bufPool"), text="Gives the buffers of a pool back.|重置缓冲区池。"
)

OPS = (
    PIPE,
    TBUF_POOL,
    INIT_QUEUE,
    INIT_BUFFER,
    INIT_POOL,
    ALLOC_EVENT,
    FETCH_EVENT,
    RELEASE_EVENT,
    BASE_ADDR,
    PIPE_INIT,
    PIPE_RESET,
    PIPE_DESTROY,
    POOL_INIT_POOL,
    POOL_INIT_BUFFER,
    POOL_INIT_QUEUE,
    POOL_RESET,
)


def _pipe(name: str, op: OpRow, text: str = "", returns: str = "None") -> ApiRow:
    return api(f"TPipe.{name}", overload(op, text, returns=returns, pipe="self"), text=described(op))


_EVENT_PARAM = "event: HardEvent = HardEvent.V_S"

APIS = (
    api("TPipe", overload(PIPE, "", returns="TPipe", lower="tpipe"), text=described(PIPE)),
    api(
        "get_tpipe_ptr",
        overload(None, "", returns="TPipe", lower="get_tpipe_ptr"),
        text="The kernel's TPipe.|当前 TPipe。",
    ),
    api(
        "TPipe.init_buffer",
        overload(INIT_QUEUE, "que: TQue, num: RuntimeInt, len: RuntimeInt", pipe="self", queue="que", length="len"),
        overload(INIT_BUFFER, "buf: TBuf, num: RuntimeInt", pipe="self", buffer="buf", length="num"),
        text=described(INIT_QUEUE),
    ),
    _pipe("init_buf_pool", INIT_POOL, "buf_pool: TBufPool, len: RuntimeInt = 0, share_buf: TBufPool = None"),
    _pipe("alloc_event_id", ALLOC_EVENT, _EVENT_PARAM, "int32"),
    _pipe("fetch_event_id", FETCH_EVENT, _EVENT_PARAM, "int32"),
    _pipe("release_event_id", RELEASE_EVENT, f"id: RuntimeInt, {_EVENT_PARAM}"),
    _pipe("get_base_addr", BASE_ADDR, "logic_pos: TPosition = None", "uint64"),
    _pipe("init", PIPE_INIT),
    _pipe("reset", PIPE_RESET),
    _pipe("destroy", PIPE_DESTROY),
    api(
        "TBufPool",
        overload(TBUF_POOL, "pos: TPosition, buf_id_size: RuntimeInt = 4", returns="TBufPool", lower="tbuf_pool"),
        text=described(TBUF_POOL),
    ),
    api(
        "TBufPool.init_buf_pool",
        overload(POOL_INIT_POOL, "buf_pool: TBufPool, len: RuntimeInt = 0, share_buf: TBufPool = None", origin="self"),
        text=described(POOL_INIT_POOL),
    ),
    api(
        "TBufPool.init_buffer",
        overload(
            POOL_INIT_QUEUE, "que: TQue, num: RuntimeInt, len: RuntimeInt", bufPool="self", queue="que", length="len"
        ),
        overload(POOL_INIT_BUFFER, "buf: TBuf, len: RuntimeInt", bufPool="self", buffer="buf", length="len"),
        text=described(POOL_INIT_QUEUE),
    ),
    api("TBufPool.reset", overload(POOL_RESET, "", bufPool="self"), text=described(POOL_RESET)),
)
