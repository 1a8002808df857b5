# SPDX-License-Identifier: Apache-2.0
"""`asc.lib.host`: enums of the host tiling library; its calculations are not available."""

from __future__ import annotations

from enum import Enum
from typing import Any

_ENUMS = {
    "CubeFormat": "ND NZ ZN ZZ NN ND_ALIGN ROW_MAJOR COLUMN_MAJOR SCALAR VECTOR",
    "DataType": (
        "DT_FLOAT DT_FLOAT16 DT_INT8 DT_INT16 DT_INT32 DT_INT64 DT_UINT8 DT_UINT16 DT_UINT32 DT_UINT64 DT_BF16 "
        "DT_BFLOAT16 DT_BOOL DT_DOUBLE DT_INT2 DT_INT4 DT_UINT1 DT_COMPLEX64 DT_COMPLEX128 DT_QINT8 DT_QINT16 "
        "DT_QINT32 DT_QUINT8 DT_QUINT16 DT_STRING DT_STRING_REF DT_DUAL DT_VARIANT DT_UNDEFINED DT_MAX"
    ),
    "DequantType": "SCALAR TENSOR",
    "MatrixMadType": "NORMAL HF32 MXMODE",
    "MatrixTraverse": "NOSET FIRSTM FIRSTN",
    "ScheduleType": "INNER_PRODUCT OUTER_PRODUCT",
    "TPosition": "GM A1 A2 B1 B2 C1 C2 CO1 CO2 VECIN VECOUT VECCALC LCM SPM SHM TSCM MAX",
}
_CLASSES = (
    "BatchMatmulTiling", "MatmulApiTiling", "MatmulConfigParams", "MultiCoreMatmulTiling", "PlatformAscendC",
    "PlatformAscendCManager",
)  # fmt: skip


class _Unavailable:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"asc.lib.host.{type(self).__name__} is not available on the simulator yet: "
            "fill an asc.adv.TCubeTiling by hand"
        )


def get_ascendc_platform() -> Any:
    """Return the platform of the current chip; not available yet."""
    return NAMES["PlatformAscendC"]()


NAMES: dict[str, Any] = {
    **{name: Enum(name, members, module="asc.lib.host") for name, members in _ENUMS.items()},
    **{name: type(name, (_Unavailable,), {"__module__": "asc.lib.host"}) for name in _CLASSES},
    "get_ascendc_platform": get_ascendc_platform,
}
