# SPDX-License-Identifier: Apache-2.0
"""Device text in both layouts: interleaved, cut off, mixed with foreign lines; nothing is lost."""

from __future__ import annotations

import random

from asclens_compiler.npu.dump_text import parse_dump_text
from asclens_compiler.npu.faults import error_bits
from asclens_compiler.npu.records import (
    Assertion,
    Confidence,
    Core,
    Fault,
    Foreign,
    Header,
    Print,
    TensorDump,
    TimeStamp,
    Truncation,
)
from asclens_compiler.npu.sites import DumpSite, PrintSite, SiteMap
from asclens_compiler.source.span import Span
from hypothesis import given
from hypothesis import strategies as st


def header(core: int, kind: str = "AIV") -> str:
    return (
        f"opType=v, DumpHead: {kind}-{core}, CoreType={kind}, block dim=8, total_block_num=8, block_remain_len=1048024,"
        " block_initial_space=1048576, rsv=0, magic=5aa5bccd"
    )


def parsed(*lines: str) -> list:
    return list(parse_dump_text(lines))


def test_workspace_block():
    records = parsed(
        "loading kernel",
        header(3),
        "CANN Version: 8.5.0, TimeStamp: 20251201101010123",
        "step 3 x=0.500000",
        "DumpTensor: desc=7, addr=0x1040, data_type=half, position=UB, dump_size=32",
        "[1.000000, -2.500000, 3.000000]",
        "[asc#12]tile 4",
    )
    core = Core(kind="AIV", block=3)
    assert records[0] == Foreign(text="loading kernel", line=1)
    assert records[1] == Header(core=core, op="v", block_dim=8, remaining_bytes=1048024, line=2)
    assert isinstance(records[2], Foreign)
    assert records[3] == Print(core=core, text="step 3 x=0.500000", line=4)
    dump = records[4]
    assert isinstance(dump, TensorDump)
    assert (dump.desc, dump.address, dump.values, dump.complete) == (7, 0x1040, (1.0, -2.5, 3.0), True)
    assert records[5] == Print(core=core, text="tile 4", line=7, site=12)


def test_shaped_dump_with_missing_elements():
    lines = (
        header(0),
        "DumpTensor: desc=1, addr=0x0, data_type=float, position=GM, dump_size=3",
        "shape is [2, 2], dumpSize is 3, data is not enough.",
        "[[1.000000,2.000000],",
        "[3.000000,-]]",
        "after",
    )
    records = parsed(*lines)
    dump = records[1]
    assert (dump.shape, dump.values, dump.complete) == ((2, 2), (1.0, 2.0, 3.0, None), True)
    assert records[2] == Print(core=Core(kind="AIV", block=0), text="after", line=6)


def test_fifo_lines_of_48_interleaved_cores():
    rng = random.Random(7)
    scripts = {
        core: [
            f"[AIV Block {core}/48] [asc#1]core {core} begins",
            f"[AIV Block {core}/48] DumpTensor: desc={core}, addr=0x40, data_type=float, position=UB, dump_size=2",
            f"[AIV Block {core}/48] [{core}.000000, 1.000000]",
            f"[AIV Block {core}/48] [asc#2]core {core} ends",
        ]
        for core in range(48)
    }
    lines: list[str] = []
    while any(scripts.values()):
        core = rng.choice([number for number, rest in scripts.items() if rest])
        lines.append(scripts[core].pop(0))
        if rng.random() < 0.1:
            lines.append("INFO: somebody else talks")
    records = parsed(*lines)
    prints = [item for item in records if isinstance(item, Print)]
    dumps = [item for item in records if isinstance(item, TensorDump)]
    assert len(prints) == 96
    assert all(item.text == f"core {item.core.block} {'begins' if item.site == 1 else 'ends'}" for item in prints)
    assert all(item.values == (float(item.core.block), 1.0) for item in dumps)
    assert len(dumps) == 48
    assert sum(isinstance(item, Foreign) for item in records) == len(lines) - 48 * 4


def test_cut_off_dump_is_kept():
    records = parsed(
        header(0), "DumpTensor: desc=1, addr=0x0, data_type=float, position=GM, dump_size=90", "[1.0, 2.0,", header(1)
    )
    assert records[1].values == (1.0, 2.0)
    assert not records[1].complete
    assert isinstance(records[2], Header)
    tail = parsed(header(0), "DumpTensor: desc=1, addr=0x0, data_type=float, position=GM, dump_size=90", "[1.0,")
    assert (tail[1].values, tail[1].complete) == ((1.0,), False)


def test_assert_stamp_and_full_buffer():
    records = parsed(
        "[AIV Block 3/16] [ASSERT] k.cpp:42: func: Assertion `x>0' failed.",
        "[AIC Block 1/16] descId is 65537, rsv is 0, timeStamp is 123456, pcPtr is 4660, entry is 0.",
        "[AIV Block 3/16] Remain block space is not enough, printing information may be incomplete!",
    )
    assert isinstance(records[0], Assertion)
    assert (records[0].file, records[0].source_line, records[0].core.block) == ("k.cpp", 42, 3)
    assert records[1] == TimeStamp(core=Core(kind="AIC", block=1), desc=65537, cycles=123456, line=2)
    assert isinstance(records[2], Truncation)


def test_exception_report():
    text = (
        "EZ9999[PID: 1] The error from device(chipId:0, dieId:0), serial number is 5, there is an exception of aivec"
        " error, core id is 7, error code = 0x800, dump info: pc start: 0x12c1,"
        " The extend info: errcode:(0x4000000000000000, 0x800, 0)"
        " errorStr: The address is not aligned. fixp_error0 info: 0"
    )
    records = parsed(text, "Kernel task happen error, retCode=0x31, [vector core exception].")
    fault = records[0]
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.core, fault.text) == ("aivec error", 7, "The address is not aligned.")
    assert error_bits(fault.error_words) == (62, 64 + 11)
    assert isinstance(records[1], Fault)
    assert records[1].kind == "vector core exception"


SPANS = [Span("k.py", line, 1, line, 20) for line in range(1, 6)]


def test_records_find_their_lines_or_say_that_they_are_ambiguous():
    sites = SiteMap(
        [
            PrintSite(number=1, format="step %d x=%f\n", span=SPANS[0]),
            PrintSite(number=2, format="done\n", span=SPANS[1]),
            PrintSite(number=3, format="done\n", span=SPANS[2]),
        ],
        [DumpSite(desc=7, span=SPANS[3])],
    )
    records = parsed(header(0), "[asc#2]done", "step 3 x=0.5", "done", "what", *DUMP7)
    found = [sites.locate(item) for item in records[1:]]
    assert [(item.confidence, item.places) for item in found] == [
        (Confidence.EXACT, (SPANS[1],)),
        (Confidence.LIKELY, (SPANS[0],)),
        (Confidence.AMBIGUOUS, (SPANS[1], SPANS[2])),
        (Confidence.NONE, ()),
        (Confidence.LIKELY, (SPANS[3],)),
    ]


DUMP7 = ("DumpTensor: desc=7, addr=0x0, data_type=float, position=GM, dump_size=1", "[1.0]")

BROKEN = "[AIV Block 9/1] ["
HOSTILE = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(
            [header(0), header(1, "AIC"), *DUMP7, "[1.0, [", "]]]]", "DumpTensor: desc=", "[AIV Block 9/1] ["]
        ),
        st.text(alphabet="[]0123456789.,-einfa :=DumpHead", max_size=80),
    ),
    max_size=40,
)


@given(HOSTILE)
def test_hostile_text_never_fails_and_no_line_is_lost(lines: list[str]):
    records = parsed(*lines)
    assert all(1 <= item.line <= len(lines) for item in records)
    starts = [item.line for item in records]
    assert len(starts) == len(set(starts))


@given(st.lists(st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\n\r"), max_size=30)))
def test_plain_lines_come_back_as_they_were(lines: list[str]):
    kept = [line for line in lines if not line.startswith(("[AI", "DumpTensor")) and "DumpHead" not in line]
    assert [item.text for item in parsed(*kept) if isinstance(item, Foreign)] == kept
