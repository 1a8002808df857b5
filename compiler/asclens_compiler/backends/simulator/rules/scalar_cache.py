# SPDX-License-Identifier: Apache-2.0
"""ASC925: a scalar store to global memory may stay in the data cache."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC925",
    name="scalar-store-not-flushed",
    severity=Severity.WARNING,
    message="The scalar store to {owner} is still in the data cache when {what} (bytes {lo} to {hi}).",
    help="Call data_cache_clean_and_invalid on the tensor after the store.",
    message_zh="对 {owner} 的标量写入在 {what} 时仍在数据缓存中（字节 {lo} 到 {hi}）。",
    help_zh="在写入后对该张量调用 data_cache_clean_and_invalid。",
    source=("CANN hardware constraints for NPU architecture 2201: the data cache is not coherent with global memory."),
)
