# SPDX-License-Identifier: Apache-2.0
"""ASC903: an op reads bytes that nothing wrote."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC903",
    name="uninitialised-read",
    severity=Severity.ERROR,
    message="`{op}` reads {memory} bytes {lo} to {hi} of {owner}, which nothing has written.",
    help="Write the range first (copy or duplicate), or shorten the count to what was written.",
    message_zh="`{op}` 读取 {owner} 在 {memory} 的字节 {lo} 到 {hi}，但这些字节从未被写入。",
    help_zh="先写入该范围（拷贝或 duplicate），或把长度缩短到已写入的部分。",
    source="Content of local memory is undefined before the first write (CANN Ascend C programming guide).",
)
