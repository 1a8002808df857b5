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

# node class -> (what, what in Chinese, what to write instead, the same in Chinese)
_CONSTRUCTS: dict[str, tuple[str, str, str, str]] = {
    "Global": ("`global`", " `global` 语句", "Pass the value in, and return what changes.", "将值作为参数传入，将结果返回。"),
    "Nonlocal": ("`nonlocal`", " `nonlocal` 语句", "Pass the value in, and return what changes.", "将值作为参数传入，将结果返回。"),
    "Import": ("`import`", " `import` 语句", "Import at module level.", "请在模块级导入。"),
    "ImportFrom": ("`import`", " `import` 语句", "Import at module level.", "请在模块级导入。"),
    "Delete": ("`del`", " `del` 语句", "Leave the name alone; free queue tensors with `free_tensor`.", "无需删除名字；队列张量用 `free_tensor` 释放。"),
    "Try": ("`try`", " `try` 语句", "Device code has no exceptions: test the condition with `if`.", "设备代码没有异常：请用 `if` 判断条件。"),
    "TryStar": ("`try`", " `try` 语句", "Device code has no exceptions: test the condition with `if`.", "设备代码没有异常：请用 `if` 判断条件。"),
    "Raise": ("`raise`", " `raise` 语句", "Use `assert` for compile-time conditions, `asc.printf` for run-time reports.", "编译期条件用 `assert`，运行期信息用 `asc.printf`。"),
    "ClassDef": ("a class definition", "类定义", "Define the class at module level.", "请在模块级定义类。"),
    "FunctionDef": ("a nested function", "嵌套函数", "Define the helper at module level, decorated with `@asc.jit`.", "请在模块级定义辅助函数并加 `@asc.jit`。"),
    "AsyncFunctionDef": ("an async function", "异步函数", "Define a plain helper at module level, decorated with `@asc.jit`.", "请在模块级定义普通辅助函数并加 `@asc.jit`。"),
    "AsyncFor": ("`async for`", " `async for`", "Use `for i in range(...)`.", "请用 `for i in range(...)`。"),
    "AsyncWith": ("`async with`", " `async with`", "Use `with`.", "请用 `with`。"),
    "Match": ("`match`", " `match` 语句", "Use `if` / `elif` / `else`.", "请用 `if` / `elif` / `else`。"),
    "Break": ("`break`", " `break` 语句", "Compute the trip count before the loop, or guard the rest of the body with `if`.", "请在循环前算出次数，或用 `if` 跳过其余代码。"),
    "Continue": ("`continue`", " `continue` 语句", "Guard the rest of the body with `if`.", "请用 `if` 跳过循环体其余部分。"),
    "TypeAlias": ("a type alias", "类型别名", "Define it at module level.", "请在模块级定义。"),
    "Lambda": ("`lambda`", " `lambda` 表达式", "Define a helper at module level, decorated with `@asc.jit`.", "请在模块级定义辅助函数并加 `@asc.jit`。"),
    "ListComp": ("a comprehension", "推导式", "Write the list out, or use `asc.array` with a `for` loop.", "请直接列出元素，或用 `asc.array` 加 `for` 循环。"),
    "SetComp": ("a comprehension", "推导式", "Write the elements out.", "请直接列出元素。"),
    "DictComp": ("a comprehension", "推导式", "Write the elements out.", "请直接列出元素。"),
    "GeneratorExp": ("a generator expression", "生成器表达式", "Write a `for` loop.", "请用 `for` 循环。"),
    "Dict": ("a dict literal", "字典字面量", "Define it at module level, or use separate names.", "请在模块级定义，或使用多个名字。"),
    "Set": ("a set literal", "集合字面量", "Use a tuple.", "请用元组。"),
    "NamedExpr": ("an assignment expression (`:=`)", "赋值表达式（`:=`）", "Assign in a statement of its own.", "请用单独的赋值语句。"),
    "Yield": ("`yield`", " `yield` 表达式", "Return values at the end of the helper.", "请在辅助函数末尾返回值。"),
    "YieldFrom": ("`yield`", " `yield` 表达式", "Return values at the end of the helper.", "请在辅助函数末尾返回值。"),
    "Await": ("`await`", " `await` 表达式", "Call the function directly.", "请直接调用。"),
    "Starred": ("a starred expression", "星号表达式", "Write the arguments out.", "请逐个写出参数。"),
    "TemplateStr": ("a template string", "模板字符串", "Use an f-string.", "请用 f-string。"),
}  # fmt: skip


def report(node: ast.AST, span: Span) -> Diagnostic:
    """Make the diagnostic for a node class that has no handler."""
    name = type(node).__name__
    fallback = (f"`{name}` syntax", f" `{name}` 语法", "Use plain assignments, calls, loops and branches.", "请使用普通的赋值、调用、循环和分支。")  # fmt: skip
    what, what_zh, advice, advice_zh = _CONSTRUCTS.get(name, fallback)
    return RULE.report(
        _head(span), what=what, what_zh=what_zh, advice=advice, advice_zh=advice_zh, fixes=()
    )


def _head(span: Span) -> Span:
    """Return the first line of a range of several lines: a squiggle under a whole block hides the point."""
    if span.line == span.end_line:
        return span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)
