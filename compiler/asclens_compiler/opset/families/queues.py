# SPDX-License-Identifier: Apache-2.0
"""Queues and buffers of local memory."""

from __future__ import annotations

from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import (
    api,
    declare,
    described,
    enum,
    handle,
    inherit,
    number,
    overload,
    pure,
    tensor,
    unsupported,
)

_Q = handle("queue")
_T = tensor()
_POSITIONS = (enum("srcUserPos", "TPosition"), enum("dstUserPos", "TPosition"))

QUEUE = declare(
    "queue", "TQue", results="TQue", text="Declares a queue; position and depth stand in its type.|声明队列。"
)
QUE_BIND = declare(
    "que_bind", "TQueBind", results="TQueBind", text="Declares a queue between two positions.|声明绑定两个位置的队列。"
)
TBUF = declare("tbuf", "TBuf", results="TBuf", text="Declares a buffer without synchronisation.|声明无同步的缓冲区。")
TO_QUE_BIND = pure(
    declare(
        "to_que_bind",
        "",
        handle("source"),
        results="TQueBind",
        text="The same queue as its base class.|转换为基类队列。",
    )
)
ALLOC = declare(
    "que_bind_alloc_tensor", "AllocTensor", _Q, results="LocalTensor",
    text="Takes a free buffer of the queue; its contents are undefined.|从队列申请一块空闲内存，内容未定义。",
)  # fmt: skip
ALLOC_IN = declare(
    "que_bind_alloc_tensor_in_place",
    "AllocTensor",
    _Q,
    _T,
    text="Takes a free buffer into a given tensor (depth 0).|原地申请。",
)
DEQUE = declare(
    "que_bind_deque_tensor", "DeQue", _Q, results="LocalTensor",
    text="Waits for the oldest queued tensor and takes it out.|取出最早入队的张量并等待其就绪。",
)  # fmt: skip
DEQUE_IN = declare(
    "que_bind_deque_tensor_in_place",
    "DeQue",
    _Q,
    _T,
    text="Takes the oldest tensor out into a given one (depth 0).|原地出队。",
)
DEQUE_POS = declare(
    "que_bind_deque_tensor_pos", "DeQue", _Q, attrs=_POSITIONS, results="LocalTensor",
    text="Takes the oldest tensor out, with the event of two given positions.|按指定位置出队。",
)  # fmt: skip
ENQUE = declare(
    "que_bind_enque_tensor",
    "EnQue",
    _Q,
    _T,
    text="Queues a tensor and sets the event its reader waits for.|入队并设置事件。",
)
ENQUE_POS = declare(
    "que_bind_enque_tensor_pos", "EnQue", _Q, _T, attrs=_POSITIONS,
    text="Queues a tensor with the event of two given positions.|按指定位置入队。",
)  # fmt: skip
FREE = declare(
    "que_bind_free_tensor",
    "FreeTensor",
    _Q,
    _T,
    text="Gives a buffer back to the queue and sets its free event.|释放张量内存。",
)
DESTROY = declare("que_bind_destroy", "Destroy", _Q, text="Ends a queue.|销毁队列。")
COUNT = declare(
    "que_bind_get_tensor_count_in_que",
    "GetTensorCountInQue",
    _Q,
    results="int32",
    text="Queued tensors.|队列中张量个数。",
)
HAS_IDLE = declare(
    "que_bind_has_idle_buffer", "HasIdleBuffer", _Q, results="int1", text="Whether a buffer is free.|是否有空闲内存。"
)
HAS_TENSOR = declare(
    "que_bind_has_tensor_in_que",
    "HasTensorInQue",
    _Q,
    results="int1",
    text="Whether a tensor is queued.|队列是否非空。",
)
VACANT = declare(
    "que_bind_vacant_in_que", "VacantInQue", _Q, results="int1", text="Whether the queue has room.|队列是否有空位。"
)
INIT_HANDLE = declare(
    "que_bind_init_buf_handle", "InitBufHandle", _Q, handle("bufPool"), number("index", "uint32"), handle("bufhandle"),
    number("curPoolAddr"), number("len", "uint32"),
    text="Sets one buffer handle of a custom pool.|自定义池中初始化一个缓冲区句柄。",
)  # fmt: skip
INIT_START = declare(
    "que_bind_init_start_buf_handle", "InitStartBufHandle", _Q, handle("startBufhandle"), number("num"),
    number("len", "uint32"), text="Sets the first buffer handle of a custom pool.|自定义池中初始化首个句柄。",
)  # fmt: skip
GET_TENSOR = declare(
    "tbuf_get_tensor", "Get", handle("buffer"), number("len", "uint32", optional=True), results="LocalTensor",
    text="The first `len` elements of a buffer, or all.|获取缓冲区前 len 个元素。",
)  # fmt: skip
GET_OFFSET = declare(
    "tbuf_get_with_offset", "GetWithOffset", handle("buffer"), number("size", "uint32"), number("bufOffset", "uint32"),
    results="LocalTensor",
    text="`size` elements of a buffer from byte `bufOffset` on (a multiple of 32).|从字节偏移处获取 size 个元素。",
)  # fmt: skip

OPS = (
    QUEUE,
    QUE_BIND,
    TBUF,
    TO_QUE_BIND,
    ALLOC,
    ALLOC_IN,
    DEQUE,
    DEQUE_IN,
    DEQUE_POS,
    ENQUE,
    ENQUE_POS,
    FREE,
    DESTROY,
    COUNT,
    HAS_IDLE,
    HAS_TENSOR,
    VACANT,
    INIT_HANDLE,
    INIT_START,
    GET_TENSOR,
    GET_OFFSET,
)


def _bind(name: str, op: OpRow, text: str = "", returns: str = "None") -> ApiRow:
    return api(f"TQueBind.{name}", overload(op, text, returns=returns, queue="self"), text=described(op))


_POS_PARAMS = "src_user_pos: TPosition, dst_user_pos: TPosition"
_NO_CUSTOM = "Buffer handles of custom pools have no public type in pyasc 1.1.1"

_QUEUE_METHODS = (
    api(
        "TQueBind.alloc_tensor",
        overload(ALLOC, "dtype: DataType", returns="LocalTensor", queue="self"),
        overload(ALLOC_IN, "tensor: LocalTensor", queue="self"),
        text=described(ALLOC),
    ),
    api(
        "TQueBind.deque",
        overload(DEQUE, "dtype: DataType", returns="LocalTensor", queue="self"),
        overload(DEQUE_IN, "tensor: LocalTensor", queue="self"),
        overload(DEQUE_POS, f"dtype: DataType, {_POS_PARAMS}", returns="LocalTensor", queue="self"),
        text=described(DEQUE),
    ),
    api(
        "TQueBind.enque",
        overload(ENQUE, "tensor: LocalTensor", queue="self"),
        overload(ENQUE_POS, f"tensor: LocalTensor, {_POS_PARAMS}", queue="self"),
        text=described(ENQUE),
    ),
    _bind("free_tensor", FREE, "tensor: LocalTensor"),
    _bind("get_tensor_count_in_que", COUNT, "", "int32"),
    _bind("has_idle_buffer", HAS_IDLE, "", "int1"),
    _bind("has_tensor_in_que", HAS_TENSOR, "", "int1"),
    _bind("vacant_in_que", VACANT, "", "int1"),
    unsupported("TQueBind.free_all_event", "The call fails in pyasc 1.1.1 itself: its builder lacks FreeAllEvent"),
    unsupported("TQueBind.init_buf_handle", _NO_CUSTOM),
    unsupported("TQueBind.init_start_buf_handle", _NO_CUSTOM),
)

APIS = (
    api(
        "TQueBind",
        overload(
            QUE_BIND,
            "src: TPosition = TPosition.VECIN, dst: TPosition = TPosition.VECIN, depth: int = 0, mask: int = 0",
            returns="TQueBind",
            lower="que_bind",
        ),
        text=described(QUE_BIND),
    ),
    api(
        "TQue",
        overload(
            QUEUE, "pos: TPosition = TPosition.VECIN, depth: int = 1, mask: int = 0", returns="TQue", lower="queue"
        ),
        text=described(QUEUE),
    ),
    api("TBuf", overload(TBUF, "pos: TPosition", returns="TBuf", lower="tbuf"), text=described(TBUF)),
    *_QUEUE_METHODS,
    *inherit(_QUEUE_METHODS, "TQueBind", "TQue", "TBuf"),
    api(
        "TBuf.get",
        overload(
            GET_TENSOR,
            "dtype: DataType, len: RuntimeInt = None, shape: any = None",
            returns="LocalTensor",
            lower="tbuf_get",
            buffer="self",
        ),
        text=described(GET_TENSOR),
    ),
    api(
        "TBuf.get_with_offset",
        overload(
            GET_OFFSET,
            "size: RuntimeInt, buf_offset: RuntimeInt, dtype: DataType",
            returns="LocalTensor",
            buffer="self",
        ),
        text=described(GET_OFFSET),
    ),
)
