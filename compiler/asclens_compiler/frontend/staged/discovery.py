# SPDX-License-Identifier: Apache-2.0
"""Which classes and functions of a module are staged kernels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.functions import FunctionValue
from asclens_compiler.frontend.staged.instances import ENTRY, InstanceValue
from asclens_compiler.frontend.surfaces import KernelSource
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.frontend.surfaces import Surface

_NAMES = frozenset({"asc.Tensor", "asc.PipeStage"})
_METHODS = frozenset({"to_local", "copy_from"})
# A text without these words has no staged kernel, and most of a file need not be walked to see that.
_MENTION = re.compile(r"\b(?:Tensor|PipeStage|to_local|copy_from)\b")
Definition = ast.FunctionDef


def find_kernels(module: ModuleEnv, surface: Surface) -> list[KernelSource]:
    """Return classes whose `process`, and functions whose body, use the staged surface.

    A function that another kernel calls and no host code launches is a helper.
    """
    tree = _tree(module)
    if tree is None or not _MENTION.search(module.source.text) or not _uses_facade(tree):
        return []
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {id(item) for owner in classes for item in owner.body}
    found = [
        _source(module, surface, entry, owner)
        for owner in classes
        if (entry := _entry(module, owner)) is not None and _is_staged(module, entry)
    ]
    found = [kernel for kernel in found if not _is_abstract(kernel, found, tree)]
    functions = [node for node, _ in module.functions() if id(node) not in methods]
    staged = [node for node in functions if not module.is_jit(node) and _is_staged(module, node)]
    launched, called = _launched(module, tree), set(_called(staged, found))
    for node in staged:
        if node.name in launched or (node.name not in called and not _launches(module, node)):
            found.append(_source(module, surface, node, None))
    return found


def _entry(module: ModuleEnv, owner: ast.ClassDef) -> Definition | None:
    """Return the `process` of a class, its own or one inherited from a class of the same file."""
    own = next((item for item in owner.body if isinstance(item, ast.FunctionDef) and item.name == ENTRY), None)
    if own is not None or not owner.bases:
        return own
    method = InstanceValue(ClassValue(owner, module)).method(ENTRY)
    if not isinstance(method, FunctionValue) or method.module.source.file != module.source.file:
        return None
    return method.node


def _is_abstract(kernel: KernelSource, kernels: Sequence[KernelSource], tree: ast.Module) -> bool:
    """Tell whether a class is only there to be derived from: another runs its `process`, and nothing makes one."""
    owner = kernel.owner
    if not any(other.node is kernel.node and other.owner is not owner for other in kernels) or owner is None:
        return False
    if not any(item is kernel.node for item in owner.body):
        return False
    return not any(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == owner.name
        for item in ast.walk(tree)
    )


def _tree(module: ModuleEnv) -> ast.Module | None:
    tree = getattr(module, "tree", None)
    return tree if isinstance(tree, ast.Module) else None


def _uses_facade(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "asc" for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "asc" and not node.level:
            return True
    return False


def _is_staged(module: ModuleEnv, node: Definition) -> bool:
    """Tell whether a function uses a name of the staged surface as value or annotation."""
    lines = module.source.lines[node.lineno - 1 : node.end_lineno]
    if not any(_MENTION.search(line) for line in lines):
        return False
    for item in ast.walk(node):
        if isinstance(item, ast.Name | ast.Attribute) and module.facade_path(item) in _NAMES:
            return True
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and item.func.attr in _METHODS:
            return True
    return any(
        isinstance(argument.annotation, ast.Constant) and argument.annotation.value == "Tensor"
        for argument in node.args.args
    )


def _launches(module: ModuleEnv, node: Definition) -> bool:
    """Tell whether a function is host code: it launches kernels."""
    return any(isinstance(item, ast.Call) and module.facade_path(item.func) == "asc.launch" for item in ast.walk(node))


def _launched(module: ModuleEnv, tree: ast.Module) -> set[str]:
    """Return the names that host code passes to `asc.launch`."""
    names: set[str] = set()
    if "launch" not in module.source.text:
        return names
    for item in ast.walk(tree):
        if isinstance(item, ast.Call) and module.facade_path(item.func) == "asc.launch" and item.args:
            first = item.args[0]
            if isinstance(first, ast.Name):
                names.add(first.id)
    return names


def _called(staged: Sequence[Definition], kernels: Sequence[KernelSource]) -> Iterator[str]:
    bodies: list[tuple[ast.AST, str]] = [(node, node.name) for node in staged]
    bodies += [(kernel.owner, "") for kernel in kernels if kernel.owner is not None]
    for body, own in bodies:
        for item in ast.walk(body):
            if isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id != own:
                yield item.func.id


def _source(module: ModuleEnv, surface: Surface, node: Definition, owner: ast.ClassDef | None) -> KernelSource:
    title = owner if owner is not None else node
    qualname = f"{owner.name}.{node.name}" if owner is not None else node.name
    return KernelSource(
        name=title.name,
        qualname=qualname,
        surface=surface,
        node=node,
        module=module,
        span=_name_span(module, title),
        owner=owner,
    )


def _name_span(module: ModuleEnv, node: ast.ClassDef | ast.FunctionDef) -> Span:
    """Return the range of the name in a `class` or `def` line."""
    span = module.source.span(node)
    text = module.source.line(span.line)
    start = text.find(node.name, span.column - 1)
    first = start + 1 if start >= 0 else span.column
    return Span(span.file, span.line, first, span.line, first + len(node.name))
