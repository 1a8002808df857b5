# SPDX-License-Identifier: Apache-2.0
"""The import finder that makes `asc` the facade, whatever else of that name there is."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))


class FacadeError(ImportError):
    """Report that the facade cannot take its place."""


class _FacadeLoader(importlib.abc.Loader):
    """Create the facade's modules from its table of names."""

    def __init__(self) -> None:
        self.contents: dict[str, dict[str, Any]] = {}

    def names(self) -> dict[str, dict[str, Any]]:
        if not self.contents:
            from asclens_host import tree

            self.contents = tree.build()
        return self.contents

    def create_module(self, spec: Any) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        from asclens_host import tree

        tree.fill(module, self.names())
        if module.__name__ == "asc":
            from asclens_host import link

            self._import_children(module.__name__)
            tree.alias_groups(module)
            link.greet()

    def _import_children(self, name: str) -> None:
        """Import all submodules, so that `asc.lib.runtime` works after `import asc`."""
        from asclens_host import tree

        for child in tree.children(name, self.names()):
            __import__(child)
            self._import_children(child)


class FacadeFinder(importlib.abc.MetaPathFinder):
    """Find `asc` and its submodules in the facade; watch for torch."""

    def __init__(self) -> None:
        self._loader = _FacadeLoader()
        self._asleep = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a facade module; None for everything else."""
        del path
        if fullname == "asc" or fullname.startswith("asc."):
            return self._facade(fullname)
        if fullname == "torch" and not self._asleep:
            return self._torch(fullname, target)
        if fullname == "torch_npu":
            from asclens_host import npu

            return importlib.machinery.ModuleSpec(fullname, npu.TorchNpuLoader(), origin="asclens")
        return None

    def _facade(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._loader.names():
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self._loader, origin=_HERE, is_package=True)
        spec.submodule_search_locations = []
        return spec

    def _torch(self, fullname: str, target: ModuleType | None) -> importlib.machinery.ModuleSpec | None:
        """Let the others find torch, and map device "npu" once it is loaded."""
        self._asleep = True
        try:
            spec = _find_elsewhere(self, fullname, target)
        finally:
            self._asleep = False
        load = getattr(spec.loader, "exec_module", None) if spec is not None else None
        if spec is None or load is None:
            return spec

        def exec_module(module: ModuleType) -> None:
            from asclens_host import npu

            load(module)
            npu.install(module)

        try:
            spec.loader.exec_module = exec_module  # type: ignore[union-attr,method-assign]
        except AttributeError:
            return spec
        return spec


def _find_elsewhere(
    finder: FacadeFinder, fullname: str, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    others: list[Any] = [item for item in sys.meta_path if item is not finder]
    for other in others:
        find = getattr(other, "find_spec", None)
        spec = None if find is None else find(fullname, None, target)
        if spec is not None:
            return spec
    return None


def install() -> None:
    """Put the finder first; FacadeError when `asc` is there already and is not the facade."""
    if any(isinstance(item, FacadeFinder) for item in sys.meta_path):
        return
    loaded = sys.modules.get("asc")
    if loaded is not None:
        raise FacadeError(
            f"another `asc` is already imported in this Python (from {getattr(loaded, '__file__', None)}); "
            "kernels cannot be sent to the simulator"
        )
    sys.meta_path.insert(0, FacadeFinder())
    torch = sys.modules.get("torch")
    if torch is not None:
        from asclens_host import npu

        npu.install(torch)
