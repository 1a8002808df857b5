# SPDX-License-Identifier: Apache-2.0
"""Static verification of one kernel: its paths are walked with numbers where they are known."""
