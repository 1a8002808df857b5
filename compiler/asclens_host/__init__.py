# SPDX-License-Identifier: Apache-2.0
"""What the user's interpreter loads: the `asc` facade and the link to the engine.

Standard library only, Python >= 3.9; imports nothing else of this project.
"""
