# SPDX-License-Identifier: Apache-2.0
"""The doctor's report as text and as JSON."""

from __future__ import annotations

import json

from asclens_compiler.doctor.model import Finding, Status

Report = list[tuple[str, list[Finding]]]
_MARKS = {Status.OK: "✓", Status.NOTE: "•", Status.FAULT: "✗", Status.UNKNOWN: "?"}


def faults(report: Report) -> int:
    """Return the number of faults."""
    return sum(finding.status is Status.FAULT for _, findings in report for finding in findings)


def as_text(report: Report) -> str:
    """Return the report for people; the last line is the verdict."""
    lines: list[str] = []
    for title, findings in report:
        lines.append(title)
        for finding in findings:
            lines.append(f"  {_MARKS[finding.status]} {finding.message}")
            if finding.fix:
                lines.append(f"      {finding.fix}")
    count = faults(report)
    if count:
        lines.append(f"{count} fault{'s' if count != 1 else ''} between this machine and running kernels on an NPU.")
        lines.append("The simulator needs none of this: asclens run SCRIPT")
    else:
        lines.append("Ready to run kernels on the NPU.")
    return "\n".join(lines)


def as_json(report: Report) -> str:
    """Return `{"faults": n, "findings": [{"part", "name", "status", "message", "fix"}]}`."""
    items = [
        {"part": title, "name": item.name, "status": item.status.value, "message": item.message, "fix": item.fix}
        for title, findings in report
        for item in findings
    ]
    return json.dumps({"faults": faults(report), "findings": items}, ensure_ascii=False, indent=2)
