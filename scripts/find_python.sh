#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Print the first usable Python (3.10 or newer, with venv) on PATH; say what is missing otherwise.
set -u
for name in python3 python3.13 python3.12 python3.11 python3.10 python3.14 python; do
    if "$name" -c 'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1; then
        command -v "$name"
        exit 0
    fi
done
cat >&2 <<'TEXT'
AscLens needs Python 3.10 to 3.14 with the venv module, and found none on PATH.
  Debian, Ubuntu: apt-get install python3 python3-venv
  elsewhere: install Python from its project's page, or set PYTHON=/path/to/python3.11
TEXT
exit 1
