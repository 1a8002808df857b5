# SPDX-License-Identifier: Apache-2.0
"""Kernels that an edit does not touch keep their results."""

from __future__ import annotations

from asclens_compiler.engine.analysis import CheckCache, answer, check_file
from asclens_compiler.source.text import SourceText

KERNEL = """
@asc.jit
def {name}(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, {size})
    asc.data_copy(x_local, x_gm, {size})
"""


def text(first: int, second: int) -> SourceText:
    kernels = KERNEL.format(name="first", size=first) + KERNEL.format(name="second", size=second)
    return SourceText("kernels.py", "import asc\n" + kernels)


def check(source: SourceText, cache: CheckCache | None):
    checked = check_file(source, soc="Ascend910B1", facts=True, cache=cache)
    return answer(checked, source), [item.kernel.reused for item in checked.kernels], checked


def test_cached_answers_equal_fresh_ones():
    cache = CheckCache()
    check(text(64, 64), cache)
    for first, second in ((64, 128), (96, 128), (64, 64)):
        source = text(first, second)
        cached, _, _ = check(source, cache)
        fresh, _, _ = check(source, None)
        assert sorted(map(str, cached["facts"])) == sorted(map(str, fresh["facts"]))
        assert cached["diagnostics"] == fresh["diagnostics"]
        assert cached["kernels"] == fresh["kernels"]


def test_an_edit_checks_only_its_kernel():
    cache = CheckCache()
    _, _, before = check(text(64, 64), cache)
    _, _, after = check(text(64, 128), cache)
    assert after.kernels[0].kernel.fingerprint == before.kernels[0].kernel.fingerprint
    assert after.kernels[1].kernel.fingerprint != before.kernels[1].kernel.fingerprint


def test_the_cache_forgets_what_was_asked_for_longest_ago():
    cache = CheckCache(limit=1)
    _, _, checked = check(text(64, 64), cache)
    first, second = (item.kernel.fingerprint for item in checked.kernels)
    assert first not in cache
    assert second in cache
