# SPDX-License-Identifier: Apache-2.0
"""Classes of staged kernels: configurations, inheritance, and helpers of the other surface."""

from __future__ import annotations

import sys
import textwrap

from asclens_compiler.engine.analysis import CheckCache, check_file
from asclens_compiler.engine.run_script import ScriptRun, run_script
from asclens_compiler.source.text import SourceText
from staged_harness import HEADER, SOC

CONFIGURED = f"""{HEADER}import numpy as np

class Fill:
    def __init__(self, n):
        self.n = n

    def process(self, y: Tensor):
        t = Tensor(shape=(self.n,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
        PipeStage.start(PipeStage.VECTOR)
        asc.duplicate(t, 1.0)
        PipeStage.end(PipeStage.VECTOR)
        y[: self.n].copy_from(t)
        PipeStage.sync()

y = np.zeros(1000000, np.float32)
"""
BASE = f"""{HEADER}
def double(v):
    return v * 2.0

class Base:
    def __init__(self, n):
        self.n = n

    def process(self, x: Tensor, y: Tensor):
        source = x.to_local()
        PipeStage.start(PipeStage.VECTOR)
        result = double(self.step(source))
        PipeStage.end(PipeStage.VECTOR)
        y.copy_from(result)
        PipeStage.sync()

    def step(self, v):
        raise NotImplementedError
"""
DERIVED = """
class Derived(Base):
    def __init__(self, n, extra):
        super().__init__(n)
        self.extra = extra

    def step(self, v):
        return triple(v) + self.extra

def triple(v):
    return v * 3.0
"""
LAUNCH = """
x = np.arange(8, dtype=np.float32)
y = np.zeros_like(x)
asc.launch(Derived(4, 1.0), x, y)
print(y.tolist())
"""


def findings(text: str, cache: CheckCache | None = None):
    return check_file(SourceText("kernel.py", text), soc=SOC, facts=False, cache=cache).diagnostics


def test_a_changed_configuration_is_checked_again():
    cache = CheckCache()
    codes = [
        [item.code for item in findings(f"{CONFIGURED}asc.launch(Fill({n}), y)\n", cache)] for n in (1024, 100000, 1024)
    ]
    assert codes == [[], ["ASC301"], []]


def test_each_configuration_is_checked_and_named():
    (item,) = findings(f"{CONFIGURED}asc.launch(Fill(1024), y)\nasc.launch(Fill(100000), y)\n")
    assert item.code == "ASC301"
    assert item.specialisation == "n=100000, y=float32[1000000]"


def test_a_base_class_is_checked_through_what_derives_from_it():
    assert findings(BASE + DERIVED) == ()
    lines = (BASE + DERIVED).split("\n")
    at = next(number for number, line in enumerate(lines) if "return triple(v)" in line)
    lines[at] = lines[at].replace("+", "@")
    assert [(item.code, item.span.line, item.kernel) for item in findings("\n".join(lines))] == [
        ("ASC143", at + 1, "Derived")
    ]


def test_an_abstract_method_is_no_mistake_until_it_is_launched():
    assert findings(BASE) == ()
    launch = "import numpy as np\nx = np.zeros(8, np.float32)\nasc.launch(Base(4), x, x)\n"
    assert "ASC005" in [item.code for item in findings(BASE + launch)]


def test_a_misspelt_attribute_is_found_without_a_launch():
    text = BASE.replace("double(self.step(source))", "double(self.setp(source))")
    assert [item.code for item in findings(text)] == ["ASC102"]


def test_inherited_kernels_run(tmp_path, capfd):
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "main.py").write_text(f"{HEADER}import numpy as np\nfrom base import Base\n{DERIVED}{LAUNCH}")
    (tmp_path / "single.py").write_text(f"import numpy as np\n{BASE}{DERIVED}{LAUNCH}")
    for name in ("main.py", "single.py"):
        outcome = run_script(ScriptRun(command=[str(tmp_path / name)], python=sys.executable))
        assert outcome.exit_status == 0
        assert capfd.readouterr().out == "[2.0, 8.0, 14.0, 20.0, 26.0, 32.0, 38.0, 44.0]\n"


def test_a_helper_with_jit_belongs_to_the_other_surface():
    text = textwrap.dedent(f"""{HEADER}
@asc.jit
def more(n):
    return n + 1

def kernel(x: Tensor, n: int, y: Tensor):
    source = x.to_local()
    PipeStage.start(PipeStage.VECTOR)
    result = source * more(n)
    PipeStage.end(PipeStage.VECTOR)
    y.copy_from(result)
    PipeStage.sync()
""")
    assert [(item.code, item.span.line) for item in findings(text)] == [("ASC103", 11)]
