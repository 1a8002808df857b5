# SPDX-License-Identifier: Apache-2.0
"""What stopped kernels and the frame that waits for them show, and what expressions give."""

from __future__ import annotations

import pytest
from dapclient import SCRIPTS, line
from dapscale import SCALE, at

STAGED = SCRIPTS / "staged.py"
QUEUES = SCRIPTS / "queues.py"


def scopes(client, frame):
    found = client.ask("scopes", frameId=frame["id"])["scopes"]
    return {scope["name"]: scope["variablesReference"] for scope in found}


def members(client, reference, **page):
    return client.ask("variables", variablesReference=reference, **page)["variables"]


@pytest.fixture
def kernel(start):
    """Return a client stopped in the staged kernel, and its frames."""
    c = start(STAGED, stops=[line(STAGED, "k.relu")])
    return c, c.stack(c.stopped()["threadId"])


def test_tensors_masks_scalars_and_constants(kernel):
    c, frames = kernel
    shown = c.locals(frames[0])
    x = shown["x_local"]
    assert x["type"] == "float32[128]"
    assert x["value"].startswith("[-1.0, -0.99215686")
    assert "UB[0:512]" in x["value"]
    assert x["indexedVariables"] == 128
    assert shown["mask"]["type"] == "mask[128]"
    assert shown["mask"]["value"].startswith("0 of 128 set: [False, ")
    assert (shown["scale"]["value"], shown["scale"]["type"]) == ("2.0", "float32")
    assert shown["x"]["type"] == "float32[256]"
    constants = members(c, scopes(c, frames[0])["Constants"])
    assert [(item["name"], item["value"]) for item in constants] == [("self", "namespace(tile=128)")]
    pipes = {item["name"]: item["value"] for item in members(c, scopes(c, frames[0])["Pipes"])}
    assert pipes["MTE2"].startswith("busy ")


def test_long_tensors_come_in_pages(kernel):
    c, frames = kernel
    reference = c.locals(frames[0])["x_local"]["variablesReference"]
    page = members(c, reference, filter="indexed", start=126, count=5)
    assert [item["name"] for item in page] == ["[126]", "[127]"]
    assert page[1]["value"].startswith("-0.0039")
    whole = c.ask("evaluate", expression="x_local.reshape(2, 64)", frameId=frames[0]["id"])
    assert whole["indexedVariables"] == 128
    page = members(c, whole["variablesReference"], start=63, count=2)
    assert [item["name"] for item in page] == ["[0, 63]", "[1, 0]"]


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("x_local[0:4]", "[-1.         -0.99215686 -0.9843137  -0.9764706 ]"),
        ("x_local[0:8].max()", "-0.94509804"),
        ("x_local[0:4].tolist()[0]", "-1.0"),
        ("mask[0:3]", "[False False False]"),
        ("int(mask.sum())", "0"),
        ("x_local[~mask].size", "128"),
        ("np.abs(x).max()", "1.0"),
        ("self.tile * 2", "256"),
        ("x_local.shape", "(128,)"),
        ("start + self.tile", "128"),
    ],
)
def test_expressions(shared_kernel, expression, result):
    c, frame = shared_kernel
    assert c.evaluate(frame, expression) == result


def test_expressions_that_fail(kernel):
    c, frames = kernel
    frame = frames[0]["id"]
    assert "NameError: name 'nope'" in c.fail("evaluate", expression="nope", frameId=frame)
    assert "SyntaxError" in c.fail("evaluate", expression="1 +", frameId=frame)
    assert "SystemExit" in c.fail("evaluate", expression="exit()", frameId=frame)
    for where in frames[:2]:
        endless = "[1 for _ in iter(int, 1)]"
        assert "took longer than 5 s" in c.fail("evaluate", expression=endless, frameId=where["id"])
    assert c.evaluate(frames[0], "1 + 1") == "2"
    assert c.evaluate(frames[1], "x.size") == "256"


def test_scalars_and_elements_can_be_changed(start):
    c = start(SCALE, stops=[at("k.muls")])
    core = c.stopped()["threadId"]
    frame = c.stack(core)[0]
    locals_ = scopes(c, frame)["Locals"]
    assert c.ask("setVariable", variablesReference=locals_, name="factor", value="10 / 4")["value"] == "2.5"
    elements = c.locals(frame)["x_local"]["variablesReference"]
    assert c.ask("setVariable", variablesReference=elements, name="[5]", value="1005")["value"] == "1005.0"
    assert "number" in c.fail("setVariable", variablesReference=locals_, name="factor", value="'text'")
    assert c.evaluate(frame, "factor * float(x_local[5])") == "2512.5"
    c.set_breakpoints(SCALE)
    c.ask("continue", threadId=core)
    c.event("terminated")
    assert f"first {(2016 + 1000) * 2.5 + 6112 * 10}" in c.output()


def test_waiting_frame_shows_arrays_and_objects(kernel):
    c, frames = kernel
    shown = c.locals(frames[1])
    assert shown["x"]["value"].startswith("float32[256] [-1. ")
    assert "\n" not in shown["x"]["value"]
    page = members(c, shown["x"]["variablesReference"], start=254, count=10)
    assert [(item["name"], item["value"]) for item in page] == [("[254]", "0.99215686"), ("[255]", "1.0")]


def test_queues_and_constants_of_a_helper(start):
    add = line(QUEUES, "compute.add")
    c = start(QUEUES, stops=[add])
    stop = c.stopped()
    frames = c.stack(stop["threadId"])
    assert [(f["name"], f["line"]) for f in frames[:3]] == [
        ("compute", add),
        ("add", line(QUEUES, "k.compute")),
        ("main", line(QUEUES, "launch")),
    ]
    assert c.evaluate(frames[0], "left[0:3] + right[0:3]") == "[0.5 1.5 2.5]"
    queues = members(c, scopes(c, frames[0])["Queues and flags"])
    assert {item["name"] for item in queues} >= {"lefts", "rights", "sums"}
    assert c.evaluate(frames[1], "number") == "0"
    assert c.evaluate(frames[1], "tile, TILES") == "(64, 4)"


def test_addresses_read_as_the_rest_of_their_array(start):
    c = start(SCALE, stops=[at("k.muls")], cores=None)
    frame = c.stack(c.stopped()["threadId"])[0]
    assert c.evaluate(frame, "x[offset : offset + 3]") == "[0. 1. 2.]"
    assert c.evaluate(frame, "x.size, y.size") == "(128, 128)"


def test_hover_values_of_the_first_core_without_a_frame(start):
    c = start(SCALE, stops=[at("k.print")])
    c.stopped()
    assert c.ask("evaluate", expression="float(y_local[3])")["result"] == "30.0"
