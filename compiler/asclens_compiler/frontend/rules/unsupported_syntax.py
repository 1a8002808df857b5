# SPDX-License-Identifier: Apache-2.0
"""ASC005: a Python construct that kernels do not have."""

from __future__ import annotations

import ast

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC005",
    name="unsupported-syntax",
    severity=Severity.ERROR,
    message="A kernel cannot contain {what}.",
    help="{advice}",
    message_zh="核函数中不能使用{what_zh}。",
    help_zh="{advice_zh}",
    source="pyasc 1.1.1 front end: syntax that its function visitor refuses",
)

# key -> what to write instead, in English and Chinese
_ADVICE = {
    "pass": ("Pass the value in, and return what changes.", "请将值作为参数传入，并返回结果。"),
    "module": ("Move it to module level.", "请移到模块级。"),
    "free": ("Leave the name alone; free queue tensors with `free_tensor`.", "无需删除；队列张量用 `free_tensor`。"),
    "test": ("Device code has no exceptions: test with `if`.", "设备代码没有异常：请用 `if` 判断。"),
    "report": ("Use `assert` while compiling, `asc.printf` at run time.", "编译期用 `assert`，运行期用 `asc.printf`。"),
    "helper": ("Define a helper at module level, with `@asc.jit`.", "请在模块级定义带 `@asc.jit` 的辅助函数。"),
    "for": ("Use `for i in range(...)`.", "请用 `for i in range(...)`。"),
    "with": ("Use `with`.", "请用 `with`。"),
    "if": ("Use `if` / `elif` / `else`.", "请用 `if` / `elif` / `else`。"),
    "break": ("Compute the trip count before the loop, or guard the rest of the body with `if`.",
              "请在循环前算出次数，或用 `if` 跳过其余代码。"),
    "continue": ("Guard the rest of the body with `if`.", "请用 `if` 跳过循环体的其余代码。"),
    "list": ("Write the elements out, or fill an `asc.array` in a loop.", "请直接列出元素，或用循环填充 `asc.array`。"),
    "names": ("Define it at module level, or use separate names.", "请在模块级定义，或使用多个名字。"),
    "tuple": ("Use a tuple.", "请用元组。"),
    "assign": ("Assign in a statement of its own.", "请用单独的赋值语句。"),
    "return": ("Return values at the end of the helper.", "请在辅助函数末尾返回值。"),
    "call": ("Call the function directly.", "请直接调用函数。"),
    "out": ("Write the arguments out.", "请逐个写出参数。"),
    "text": ("Use an f-string.", "请用 f-string。"),
    "plain": ("Use plain assignments, calls, loops and branches.", "请使用普通的赋值、调用、循环和分支。"),
}  # fmt: skip
# node class -> what it is in English and Chinese, key of the advice
_CONSTRUCTS = {
    "Global": ("`global`", " `global`", "pass"), "Nonlocal": ("`nonlocal`", " `nonlocal`", "pass"),
    "Import": ("`import`", " `import`", "module"), "ImportFrom": ("`import`", " `import`", "module"),
    "Delete": ("`del`", " `del`", "free"), "Try": ("`try`", " `try`", "test"), "TryStar": ("`try`", " `try`", "test"),
    "Raise": ("`raise`", " `raise`", "report"), "ClassDef": ("a class definition", "类定义", "module"),
    "FunctionDef": ("a nested function", "嵌套函数", "helper"),
    "AsyncFunctionDef": ("an async function", "异步函数", "helper"), "AsyncFor": ("`async for`", " `async for`", "for"),
    "AsyncWith": ("`async with`", " `async with`", "with"), "Match": ("`match`", " `match`", "if"),
    "Break": ("`break`", " `break`", "break"), "Continue": ("`continue`", " `continue`", "continue"),
    "TypeAlias": ("a type alias", "类型别名", "module"), "Lambda": ("`lambda`", " `lambda`", "helper"),
    "ListComp": ("a comprehension", "推导式", "list"), "SetComp": ("a comprehension", "推导式", "list"),
    "DictComp": ("a comprehension", "推导式", "list"),
    "GeneratorExp": ("a generator expression", "生成器表达式", "for"),
    "Dict": ("a dict literal", "字典字面量", "names"), "Set": ("a set literal", "集合字面量", "tuple"),
    "NamedExpr": ("an assignment expression (`:=`)", "赋值表达式（`:=`）", "assign"),
    "Yield": ("`yield`", " `yield`", "return"), "YieldFrom": ("`yield`", " `yield`", "return"),
    "Await": ("`await`", " `await`", "call"), "Starred": ("a starred expression", "星号表达式", "out"),
    "TemplateStr": ("a template string", "模板字符串", "text"),
}  # fmt: skip


def report(node: ast.AST, span: Span) -> Diagnostic:
    """Make the diagnostic for a node class that has no handler."""
    name = type(node).__name__
    what, what_zh, key = _CONSTRUCTS.get(name, (f"`{name}` syntax", f" `{name}` 语法", "plain"))
    advice, advice_zh = _ADVICE[key]
    return RULE.report(_head(span), what=what, what_zh=what_zh, advice=advice, advice_zh=advice_zh)


def _head(span: Span) -> Span:
    """Return the first word of a range of several lines: a squiggle under a whole block hides the point."""
    if span.line == span.end_line:
        return span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)
